// What the stand-alone programs share: frames from a raw file (n boxes of six floats a frame), a clock, and
// the line they print. They know nothing of Winnow.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct RawBox {
  float lo[3], hi[3];
};

// FILE N FRAMES on the command line. `frame` is called for each; the first is not timed.
template <class Frame>
int time_frames(int argc, char** argv, Frame frame) {
  if (argc != 4) return 2;
  const std::size_t n = std::strtoull(argv[2], nullptr, 10), frames = std::strtoull(argv[3], nullptr, 10);
  std::FILE* file = std::fopen(argv[1], "rb");
  if (file == nullptr) return 2;
  std::vector<RawBox> boxes(n);
  std::vector<double> ms;
  for (std::size_t i = 0; i < frames; ++i) {
    if (std::fread(boxes.data(), sizeof(RawBox), n, file) != n) return 2;
    const auto start = std::chrono::steady_clock::now();
    frame(boxes);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (i != 0) ms.push_back(time.count());
  }
  std::fclose(file);
  std::sort(ms.begin(), ms.end());
  std::printf("%.6f\n", ms[ms.size() / 2]);
  return 0;
}
