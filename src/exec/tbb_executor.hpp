// The executor on oneTBB, if the library was built with it.
#pragma once

#include <cstddef>
#include <memory>

#include "winnow/executor.hpp"

namespace winnow {

#ifdef WINNOW_HAS_TBB
inline constexpr bool kHasTbb = true;
#else
inline constexpr bool kHasTbb = false;
#endif

// Throws Error without oneTBB.
std::unique_ptr<Executor> make_tbb_executor(std::size_t threads);

}  // namespace winnow
