#include "winnow/buffer.hpp"

#include "winnow/executor.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace winnow {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;
constexpr std::size_t kLargeBlock = 2 * kLargePage;  // bytes; below it half of a large page might lie idle

std::align_val_t alignment(std::size_t bytes) {
  return std::align_val_t{bytes < kLargeBlock ? kCacheLine : kLargePage};
}

}  // namespace

void* allocate_block(std::size_t bytes) {
  void* block = ::operator new(bytes, alignment(bytes));
#ifdef __linux__
  // Advice: where it is not taken, all is as before. The last part of a page stays as it is.
  if (bytes >= kLargeBlock) ::madvise(block, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
  return block;
}

void release_block(void* block, std::size_t bytes) noexcept { ::operator delete(block, alignment(bytes)); }

}  // namespace winnow
