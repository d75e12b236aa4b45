#include "winnow/pair.hpp"

namespace winnow {

std::string PairDigest::hex() const {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (int i = 0; i < 16; ++i) text[i] = digits[sum >> (60 - 4 * i) & 15];
  return text;
}

}  // namespace winnow
