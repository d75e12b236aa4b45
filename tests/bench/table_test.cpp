// Figures and lists as people read and type them.
#include "bench/table.hpp"

#include <gtest/gtest.h>

#include "bench/text.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

TEST(Figure, HasFourDigitsAndSetsThousandsApart) {
  EXPECT_EQ(figure(0), "0.0000");
  EXPECT_EQ(figure(0.01234), "0.0123");
  EXPECT_EQ(figure(12.345), "12.35");
  EXPECT_EQ(figure(999.94), "999.9");
  EXPECT_EQ(figure(1234.5), "1,234");
  EXPECT_EQ(figure(1234567), "1,234,567");
  EXPECT_EQ(figure(-123456), "-123,456");
}

TEST(Table, AlignsTextLeftAndFiguresRight) {
  Table table({"name", "ms"});
  table.add({"a", "1.5"});
  table.add({"longer", "10.25"});
  EXPECT_EQ(table.text(), "name       ms\n-------------\na         1.5\nlonger  10.25\n");
}

TEST(Counts, TakeThousandsAndMillions) {
  EXPECT_EQ(parse_counts("1000,16k,1M", "-n"), (std::vector<std::size_t>{1000, 16000, 1000000}));
}

TEST(Counts, RefuseWhatIsNone) {
  for (const char* text : {"", "0", "x", "-5", "1.5", "16K", "99999999999", "5000M"})
    EXPECT_THROW(parse_counts(text, "-n"), Error) << text;
}

}  // namespace
}  // namespace winnow::bench
