#include "winnow/option.hpp"

#include <gtest/gtest.h>

#include "winnow/error.hpp"

namespace winnow {
namespace {

enum class Mode { complete, incremental };

struct Options {
  std::size_t leaf_capacity = 512;  // objects
  float margin = 0.5f;              // 1
  Mode mode = Mode::incremental;
  bool verify = false;
};

const OptionTable<Options>& table() {
  static const auto table =
      OptionTable<Options>()
          .integer("leaf_capacity", &Options::leaf_capacity, 1, 65536, "objects", "objects a leaf holds")
          .real("margin", &Options::margin, 0, 2, "1", "part of an extent")
          .choice("mode", &Options::mode, {{"complete", Mode::complete}, {"incremental", Mode::incremental}},
                  "how")
          .flag("verify", &Options::verify, "check");
  return table;
}

std::string refusal_of(const char* setting) {
  try {
    table().make({parse_setting(setting)});
  } catch (const Error& error) {
    return error.argument() + " | " + error.what();
  }
  return "";
}

TEST(Options, AreSetByName) {
  const Options options =
      table().make({{"leaf_capacity", "64"}, {"margin", "1.25"}, {"mode", "complete"}, {"verify", "on"}});
  EXPECT_EQ(options.leaf_capacity, 64u);
  EXPECT_EQ(options.margin, 1.25f);
  EXPECT_EQ(options.mode, Mode::complete);
  EXPECT_TRUE(options.verify);
}

TEST(Options, TellNameUnitRangeAndDefault) {
  const std::vector<OptionInfo>& infos = table().infos();
  ASSERT_EQ(infos.size(), 4u);
  EXPECT_EQ(infos[0].range, "1 .. 65536");
  EXPECT_EQ(infos[0].default_value, "512");
  EXPECT_EQ(infos[0].unit, "objects");
  EXPECT_EQ(infos[1].default_value, "0.5");
  EXPECT_EQ(infos[2].range, "complete|incremental");
  EXPECT_EQ(infos[2].default_value, "incremental");
  EXPECT_EQ(infos[3].range, "off|on");
  EXPECT_EQ(infos[3].default_value, "off");
}

TEST(Options, AcceptTheEndsOfTheirRangesAndTheirDefaults) {
  EXPECT_EQ(table().make({{"leaf_capacity", "65536"}}).leaf_capacity, 65536u);
  EXPECT_EQ(table().make({{"margin", "0"}}).margin, 0);
  for (const OptionInfo& info : table().infos())
    EXPECT_NO_THROW(table().make({{info.name, info.default_value}}));
}

TEST(Options, RefuseBadValuesWithTheGoodOnes) {
  EXPECT_EQ(
      refusal_of("leaf_capacity=0"),
      "leaf_capacity | leaf_capacity: '0' is not a value of it; it takes 1 .. 65536 objects (default 512)");
  EXPECT_EQ(refusal_of("mode=fast"),
            "mode | mode: 'fast' is not a value of it; it takes complete|incremental (default incremental)");
  for (const char* bad : {"leaf_capacity=", "leaf_capacity=-1", "leaf_capacity=1.5", "leaf_capacity=65537",
                          "leaf_capacity=99999999999999999999", "leaf_capacity=12 ", "margin=nan",
                          "margin=inf", "margin=-0.1", "margin=1e400", "margin=half", "verify=yes", "mode="})
    EXPECT_NE(refusal_of(bad), "") << bad;
}

TEST(Options, RefuseUnknownNamesWithTheKnownOnes) {
  EXPECT_EQ(refusal_of("leaf=3"),
            "leaf | 'leaf' is not an option here; there are leaf_capacity, margin, mode, verify");
  EXPECT_THROW(OptionTable<Options>().make({{"mode", "complete"}}), Error);
}

TEST(Options, SettingsHaveANameAndAnEqualsSign) {
  EXPECT_EQ(parse_setting("a=b=c").name, "a");
  EXPECT_EQ(parse_setting("a=b=c").value, "b=c");
  EXPECT_EQ(parse_setting("a=").value, "");
  EXPECT_THROW(parse_setting("a"), Error);
  EXPECT_THROW(parse_setting("=b"), Error);
  EXPECT_THROW(parse_setting(""), Error);
}

}  // namespace
}  // namespace winnow
