// Included before Highway by every kernel file: the instruction sets that are compiled. Those left out either
// add nothing over their neighbours or can't be tested on the machines this is developed on; a processor that
// has them runs the next best level.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL)
