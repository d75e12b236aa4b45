// winnow neighbours: the neighbours within a radius of the points in a file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "io/neighbours_file.hpp"
#include "io/points_file.hpp"
#include "winnow/neighbours.hpp"
#include "winnow/simd.hpp"

namespace winnow::cli {
namespace {

constexpr const char* kNeighboursExamples =
    R"(FILE is CSV: a point a line, 3 numbers or 2 in 2D; a header line may come
first. Or .npy: n x 3 or n x 2, float32 or float64. Points are numbered from 0.
Output is a neighbour a line: point, neighbour, then with --periodic the shift of
the image along each axis and with --distances the squared distance.
A .npz file holds the arrays offsets and ids (and shifts, squared_distances):
the neighbours of point i are ids[offsets[i]:offsets[i+1]].

Examples:
  winnow neighbours points.csv --radius 0.1
  winnow neighbours points.npy --radius 0.1 --out lists.npz
  winnow neighbours points.npy --radius 0.1 --periodic 1,1,0 --half --count
  winnow neighbours points.npy --radius 0.1 --json)";

struct Request {
  std::string file;
  double radius = 0;
  std::vector<double> periodic;
  bool half = false, distances = false, count = false, json = false;
  std::size_t threads = 0;
  std::string simd, out;

  bool writes_lists() const { return !out.empty() || (!count && !json); }
};

struct Outcome {
  std::size_t points = 0;
  int dim = 3;
  bool is_double = false;
  std::uint64_t neighbours = 0;
  std::size_t memory_bytes = 0;
  double seconds = 0;
};

template <int Dim>
NeighbourOptions<Dim> options_of(const Request& request) {
  NeighbourOptions<Dim> options;
  options.lists = request.half ? NeighbourLists::half : NeighbourLists::full;
  options.distances = request.distances;
  if (request.periodic.empty()) return options;
  if (request.periodic.size() != Dim)
    throw Error("periodic", fmt::format("--periodic: {}D points need {} lengths (0: not periodic), got {}",
                                        Dim, Dim, request.periodic.size()));
  std::ranges::copy(request.periodic, options.period.begin());
  return options;
}

std::unique_ptr<io::Output> open_output(const Request& request) {
  if (!request.writes_lists()) return nullptr;
  if (request.out.empty()) return std::make_unique<io::StandardOutput>();
  io::neighbour_format_of(request.out);  // refuses a wrong ending before anything is made
  return std::make_unique<io::AtomicFile>(request.out);
}

Outcome run(const Request& request, Executor& executor) {
  const std::unique_ptr<io::Output> output = open_output(request);
  Progress progress;
  progress.phase("reading points");
  const io::PointTable table = io::read_points(request.file);
  Outcome outcome{table.size(), table.dim(), table.is_double()};
  table.visit([&]<int Dim, class Real>(PointsView<Dim, Real> points) {
    progress.phase("finding neighbours of " + counted(outcome.points, "point", "points"));
    NeighbourSearch<Dim, Real> search;
    Neighbours<Dim, Real> lists;
    const auto begin = std::chrono::steady_clock::now();
    search.find(points, static_cast<Real>(request.radius), options_of<Dim>(request), executor, lists);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    outcome.neighbours = lists.ids.size();
    outcome.memory_bytes = search.memory_bytes();
    if (output == nullptr) return;
    progress.phase("writing neighbours");
    io::write_neighbours(
        *output, request.out.empty() ? io::NeighbourFormat::csv : io::neighbour_format_of(request.out),
        lists);
    output->commit();
  });
  return outcome;
}

void neighbours_of_file(const Request& request) {
  if (!request.simd.empty()) set_simd_level(parse_simd_level(request.simd));
  const std::unique_ptr<Executor> executor = make_executor(request.threads);
  const Outcome outcome = run(request, *executor);
  io::StandardOutput standard_output;
  if (request.json) {
    const nlohmann::ordered_json summary = {
        {"file", request.file},
        {"points", outcome.points},
        {"dim", outcome.dim},
        {"precision", outcome.is_double ? "float64" : "float32"},
        {"radius", request.radius},
        {"periodic", request.periodic},
        {"lists", request.half ? "half" : "full"},
        {"neighbours", outcome.neighbours},
        {"out", request.out.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(request.out)},
        {"threads", executor->workers()},
        {"simd", to_string(simd_level())},
        {"seconds", outcome.seconds},
        {"memory_bytes", outcome.memory_bytes}};
    standard_output.write(summary.dump(2) + "\n");
    return;
  }
  if (request.count) standard_output.write(std::to_string(outcome.neighbours) + "\n");
  fmt::print(stderr, "{} of {} ({}D) within {} in {}, {}, {}\n",
             counted(outcome.neighbours, "neighbour", "neighbours"),
             counted(outcome.points, "point", "points"), outcome.dim, request.radius,
             duration(outcome.seconds), counted(executor->workers(), "thread", "threads"),
             to_string(simd_level()));
  if (!request.out.empty()) fmt::print(stderr, "written to {}\n", request.out);
}

}  // namespace

void add_neighbours_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("neighbours", "find all neighbours of points within a radius");
  command->footer(kNeighboursExamples);
  const auto request = std::make_shared<Request>();
  command->add_option("FILE", request->file, "points, .csv or .npy; - for standard input")
      ->required()
      ->option_text(" ");
  command->add_option("-r,--radius", request->radius, "how near neighbours are")
      ->required()
      ->option_text("R");
  command->add_option("--periodic", request->periodic, "length of the box along each axis; 0: not periodic")
      ->delimiter(',')
      ->option_text("LX,LY,LZ");
  command->add_flag("--half", request->half, "each pair once, in one of its two rows");
  command->add_flag("--distances", request->distances, "also squared distances");
  command->add_option("-t,--threads", request->threads, "how many; 0: all the machine has [0]")
      ->option_text("N");
  command->add_option("--simd", request->simd, "use no better instructions: scalar, sse4, avx2")
      ->option_text("LEVEL");
  command->add_option("-o,--out", request->out, "write the lists here, .csv or .npz")->option_text("FILE");
  command->add_flag("--count", request->count, "print only the number of neighbours");
  command->add_flag("--json", request->json, "print a summary as JSON instead of the lists");
  command->callback([request] { neighbours_of_file(*request); });
}

}  // namespace winnow::cli
