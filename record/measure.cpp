#include "record/measure.hpp"

#include <algorithm>
#include <chrono>

#include "winnow/registry.hpp"
#include "winnow/simd.hpp"

namespace winnow::record {
namespace {

template <class Action>
double milliseconds(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

PairDigest digest_of(const CollectSink& pairs, Executor& executor) {
  std::vector<PairDigest> parts(pairs.parts());
  parallel_for(executor, parts.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) parts[i].add(pairs.part(i));
  });
  PairDigest digest;
  for (const PairDigest& part : parts) digest.add(part);
  return digest;
}

template <int Dim>
void run_frames(scene::Scene& scene, const MeasureRequest& request, Executor& executor, RunRecord& record) {
  AnyMethod<Dim> method = make_method<Dim>(request.method, request.settings);
  CollectSink pairs;
  while (scene.next(executor)) {
    const BoxesView<Dim> boxes = scene.boxes<Dim>();
    record.ms.update.push_back(milliseconds([&] { method.update(boxes, executor); }));
    record.ms.search.push_back(milliseconds([&] { method.find_pairs(executor, pairs); }));
    const MethodStats stats = method.stats();
    record.candidates += stats.candidates;
    record.memory_bytes = std::max(record.memory_bytes, stats.memory_bytes);
    record.digest.add(digest_of(pairs, executor));
    ++record.frames;
    if (request.progress) request.progress(record.frames, scene.frames());
  }
}

}  // namespace

RunRecord measure(const MeasureRequest& request) {
  const auto executor = make_executor(request.threads);
  const auto scene = scene::open_scene(request.scene);
  RunRecord record{.scene = request.scene.scene,
                   .objects = scene->objects(),
                   .seed = request.scene.seed,
                   .scene_settings = request.scene.settings,
                   .method = request.method,
                   .method_settings = request.settings,
                   .threads = executor->workers(),
                   .simd = std::string(to_string(simd_level()))};
  if (scene->dim() == 2)
    run_frames<2>(*scene, request, *executor, record);
  else
    run_frames<3>(*scene, request, *executor, record);
  return record;
}

}  // namespace winnow::record
