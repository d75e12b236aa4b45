// Avril, Gouranton and Arnaldi 2010, Figures 5, 6 and 10: the two stages of their pipeline on one core and on
// two, on their three scenes. Only cores that are there are measured; the paper's 4 and 8 are left out.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <vector>

#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "scene/scene.hpp"
#include "winnow/bodies.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

// On one core and on two, milliseconds.
struct Times {
  double one = 0;
  double two = 0;
  double gain() const { return one / two; }
};

struct PaperScene {
  const char* name;
  std::size_t objects;
  Times update;   // Figure 5
  Times overlap;  // Figure 6
};
constexpr std::array kScenes = {PaperScene{"cubes", 20000, {8.89, 4.96}, {53.339, 31.65}},
                                PaperScene{"balls", 10000, {4.45, 2.48}, {26.7, 15.748}},
                                PaperScene{"skittles", 3500, {1.6, 0.9}, {10.71, 6.35}}};

constexpr std::size_t kFrame = 30;  // of the scene: bodies fall, the first lie
constexpr std::size_t kRounds = 41;

std::unique_ptr<scene::Scene> scene_at(const PaperScene& paper, std::size_t times_larger, std::size_t frame) {
  auto scene =
      scene::open_scene({.scene = paper.name, .objects = paper.objects * times_larger, .frames = frame + 1});
  const auto executor = make_executor(2);
  for (std::size_t i = 0; i <= frame; ++i) scene->next(*executor);
  return scene;
}

// Runs `work(executor)` on one thread and on two, in turn.
template <class Work>
Times on_one_and_two(Work work, std::size_t rounds = kRounds) {
  const auto one = make_executor(1), two = make_executor(2);
  const std::vector<Timed> timed = {{"1", [&] { work(*one); }}, {"2", [&] { work(*two); }}};
  const std::vector<Summary> ms = time_interleaved(timed, rounds, 20);
  return {ms[0].median, ms[1].median};
}

Times measured_update(const scene::Scene& scene) {
  const BodiesView bodies = *scene.bodies();
  Boxes<3> boxes;
  return on_one_and_two([&](Executor& executor) { update_boxes(bodies, executor, boxes); });
}

Times measured_overlap(const scene::Scene& scene, const char* scheme) {
  AnyMethod<3> method = make_method<3>("sweep", {{"scheme", scheme}});
  CollectSink pairs;
  return on_one_and_two([&](Executor& executor) {
    method.update(scene.boxes_3d(), executor);
    method.find_pairs(executor, pairs);
  });
}

void add_row(PaperTable& table, const std::vector<std::string>& labels, const Times* paper,
             const Times& ours) {
  using Maybe = std::optional<double>;
  table.add(labels, {{paper ? Maybe(paper->one) : Maybe(), ours.one},
                     {paper ? Maybe(paper->two) : Maybe(), ours.two},
                     {paper ? Maybe(paper->gain()) : Maybe(), ours.gain()}});
}

void run_figure_5(const ReproduceOptions&) {
  PaperTable table("Figure 5: updating the boxes of all bodies, ms", {"scene", "objects"},
                   {"1 core", "2 cores", "speed-up"});
  std::vector<std::pair<std::string, std::array<double, 2>>> asked;
  for (const PaperScene& paper : kScenes) {
    const Times same = measured_update(*scene_at(paper, 1, kFrame));
    const Times larger = measured_update(*scene_at(paper, 10, 0));
    add_row(table, {paper.name, figure(static_cast<double>(paper.objects))}, &paper.update, same);
    add_row(table, {"", figure(static_cast<double>(10 * paper.objects))}, nullptr, larger);
    asked.push_back({paper.name, {same.gain(), larger.gain()}});
  }
  table.print();
  for (const auto& [name, gains] : asked) {
    print_asked(name + ", the paper's size", gains[0], 1.5);
    print_asked(name + ", ten times it", gains[1], 1.85);
  }
}

void run_figure_6(const ReproduceOptions&) {
  PaperTable table("Figure 6: finding the overlapping pairs, ms", {"scene", "objects", "scheme"},
                   {"1 core", "2 cores", "speed-up"});
  std::vector<std::pair<std::string, double>> asked;
  for (const PaperScene& paper : kScenes) {
    const auto scene = scene_at(paper, 1, kFrame);
    for (const char* scheme : {"all_pairs", "sorted"}) {
      const Times ours = measured_overlap(*scene, scheme);
      add_row(table, {paper.name, figure(static_cast<double>(paper.objects)), scheme}, &paper.overlap, ours);
      asked.push_back({fmt::format("{}, {}", paper.name, scheme), ours.gain()});
    }
  }
  table.print();
  for (const auto& [name, gain] : asked) print_asked(name, gain, 1.85);
}

void run_figure_10(const ReproduceOptions&) {
  PaperTable table("Figure 10: both stages together, ms (the paper's are the sums of its Figures 5 and 6)",
                   {"scene", "objects", "scheme"}, {"1 core", "2 cores", "speed-up"});
  for (const PaperScene& paper : kScenes) {
    const auto scene = scene_at(paper, 1, kFrame);
    const BodiesView bodies = *scene->bodies();
    const Times sums{paper.update.one + paper.overlap.one, paper.update.two + paper.overlap.two};
    for (const char* scheme : {"all_pairs", "sorted"}) {
      AnyMethod<3> method = make_method<3>("sweep", {{"scheme", scheme}});
      CollectSink pairs;
      Boxes<3> boxes;
      const Times ours = on_one_and_two([&](Executor& executor) {
        update_boxes(bodies, executor, boxes);
        method.update(boxes.view(), executor);
        method.find_pairs(executor, pairs);
      });
      add_row(table, {paper.name, figure(static_cast<double>(paper.objects)), scheme}, &sums, ours);
    }
  }
  table.print();
}

const Reproduction figure_5("avril-fig5", "updating boxes from bodies, one core and two", run_figure_5);
const Reproduction figure_6("avril-fig6", "finding overlapping pairs, one core and two", run_figure_6);
const Reproduction figure_10("avril-fig10", "both stages together, one core and two", run_figure_10);

}  // namespace
}  // namespace winnow::bench
