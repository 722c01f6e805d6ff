#include "procfs/pmu_text.h"

#include <gmock/gmock.h>

#include "procfs/processor.h"
#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

TEST(PmuText, FieldsNameTheirWordAndBits) {
  const auto event = parse_pmu_field("config:0-7,32-35\n");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->word, 0u);
  EXPECT_THAT(event->bits, ElementsAre(BitRange{0, 7}, BitRange{32, 35}));
  const auto latency = parse_pmu_field("config1:0-15");
  ASSERT_TRUE(latency);
  EXPECT_EQ(latency->word, 1u);
  const auto flag = parse_pmu_field("config:23");
  ASSERT_TRUE(flag);
  EXPECT_THAT(flag->bits, ElementsAre(BitRange{23, 23}));
}

TEST(PmuText, RubbishIsNoField) {
  for (const auto* text : {"", "\n", "config", "config:", "config:x", "config:7-0", "config:0-64",
                           "config9:0", "config:0-7,", "conf:0-7", "config:0-7,,8", "config0:1"}) {
    const bool trailing_comma = std::string_view(text) == "config:0-7,";
    EXPECT_EQ(parse_pmu_field(text).has_value(), trailing_comma) << text;
  }
}

TEST(PmuText, TermsHaveNumbersOrStandAlone) {
  const auto terms = parse_event_terms("event=0xcd,umask=1,any,ldlat=?\n");
  ASSERT_EQ(terms.size(), 4u);
  EXPECT_EQ(terms[0].name, "event");
  EXPECT_EQ(terms[0].value, Value(0xcd));
  EXPECT_EQ(terms[1].value, Value(1));
  EXPECT_FALSE(terms[2].has_value);
  EXPECT_TRUE(terms[3].has_value);
  EXPECT_FALSE(terms[3].value);
  EXPECT_TRUE(parse_event_terms(" \n").empty());
  EXPECT_FALSE(parse_event_terms("event=0x")[0].value);
  EXPECT_FALSE(parse_event_terms("event=0x1ffffffffffffffff")[0].value);
}

TEST(PmuText, ScalesAreNumbersAboveZero) {
  // 2^-32 joules, and 64 bytes in MiB, as the kernel writes them.
  EXPECT_EQ(parse_event_scale("2.3283064365386962890625e-10\n"), 1.0 / 4294967296.0);
  EXPECT_EQ(parse_event_scale("6.103515625e-5"), 64.0 / 1048576.0);
  for (const auto* text : {"", "0", "-1", "nan", "inf", "1e999", "1x"}) {
    EXPECT_FALSE(parse_event_scale(text)) << text;
  }
}

const ParserCase kFuzzed("sys/bus/event_source/devices/msr/format/event",
                         [](std::string_view text) {
                           if (const auto field = parse_pmu_field(text)) {
                             require(field->word < kPmuWords && !field->bits.empty());
                             for (const auto [low, high] : field->bits)
                               require(low <= high && high < 64);
                           }
                           for (const auto& term : parse_event_terms(text))
                             require(term.has_value || !term.value);
                           if (const auto scale = parse_event_scale(text)) require(*scale > 0.0);
                           if (const auto processor = parse_processor(text))
                             require(!processor->vendor.empty());
                         });

}  // namespace
}  // namespace reveal::procfs
