// Everything at once.
#pragma once

#include "winnow/box.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"
#include "winnow/error.hpp"
#include "winnow/executor.hpp"
#include "winnow/filter.hpp"
#include "winnow/find_pairs.hpp"
#include "winnow/method.hpp"
#include "winnow/option.hpp"
#include "winnow/pair.hpp"
#include "winnow/registry.hpp"
#include "winnow/rounding.hpp"
#include "winnow/simd.hpp"
#include "winnow/sink.hpp"
#include "winnow/validate.hpp"
#include "winnow/version.hpp"
