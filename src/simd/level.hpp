// The level in force, as kernels ask for it.
#pragma once

namespace winnow {

// True when every kernel is to run its scalar twin.
bool scalar_forced();

}  // namespace winnow
