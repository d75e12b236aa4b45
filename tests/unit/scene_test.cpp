#include "scene/scene.hpp"

#include <gtest/gtest.h>

#include "support/sanitized.hpp"
#include "support/thread_executor.hpp"
#include "winnow/error.hpp"
#include "winnow/find_pairs.hpp"
#include "winnow/validate.hpp"

namespace winnow::scene {
namespace {

template <int Dim>
std::vector<Box<Dim>> copy_of(BoxesView<Dim> boxes) {
  std::vector<Box<Dim>> copy(boxes.size());
  for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = boxes[i];
  return copy;
}

template <int Dim>
std::vector<Box<Dim>> all_frames(Scene& scene, Executor& executor) {
  std::vector<Box<Dim>> all;
  while (scene.next(executor)) {
    EXPECT_EQ(first_bad_box(scene.boxes<Dim>(), executor), std::nullopt);
    for (const Box<Dim>& box : copy_of<Dim>(scene.boxes<Dim>())) all.push_back(box);
  }
  return all;
}

class EveryScene : public testing::TestWithParam<std::string> {
 protected:
  SceneRequest request(std::size_t objects, std::size_t frames) const {
    return {.scene = GetParam(), .objects = objects, .frames = frames, .seed = 7};
  }
};

TEST_P(EveryScene, HasTheFramesAndObjectsAskedForAndLegalBoxes) {
  SerialExecutor serial;
  for (const std::size_t objects : {1, 2, 100}) {
    const auto scene = open_scene(request(objects, 3));
    EXPECT_EQ(scene->objects(), objects);
    EXPECT_EQ(scene->frames(), 3u);
    const std::size_t boxes =
        scene->dim() == 2 ? all_frames<2>(*scene, serial).size() : all_frames<3>(*scene, serial).size();
    EXPECT_EQ(boxes, 3 * objects);
  }
}

TEST_P(EveryScene, IsTheSameToTheBitWhateverTheNumberOfThreads) {
  SerialExecutor serial;
  test::ThreadExecutor three(3);
  const auto of_many = request(5000, test::kSanitized ? 2 : 5);  // more objects than a thread takes at once
  const auto one = open_scene(of_many), other = open_scene(of_many);
  if (one->dim() == 2)
    EXPECT_TRUE(all_frames<2>(*one, serial) == all_frames<2>(*other, three));
  else
    EXPECT_TRUE(all_frames<3>(*one, serial) == all_frames<3>(*other, three));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const SceneInfo& info : scenes()) all.push_back(info.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Scene, EveryScene, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

TEST(Scene, IsRefusedByAnUnknownNameWithTheListOfKnownOnes) {
  try {
    open_scene({.scene = "brownain"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("brownian"), std::string::npos);
  }
}

TEST(Scene, RefusesBoxesOfTheWrongDimension) {
  const auto scene = open_scene({.scene = "row", .objects = 3});
  EXPECT_THROW(scene->boxes_2d(), Error);
}

}  // namespace
}  // namespace winnow::scene
