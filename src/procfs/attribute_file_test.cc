#include "procfs/attribute_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

namespace fs = std::filesystem;

TEST(AttributeText, WholeNumbersAreOneLineOfDigits) {
  const auto f = [](std::string_view text, Value expected) {
    EXPECT_EQ(parse_whole(text), expected) << text;
  };
  f("", {});
  f("\n", {});
  f("12", {});  // cut: the number may go on
  f("12\n", 12);
  f(" 12 \n", 12);
  f("12\n13\n", 12);
  f("18446744073709551615\n", ~0ULL);
  f("18446744073709551616\n", {});
  f("-1\n", {});
  f("0x10\n", {});
  f("N/A (no PMA)\n", {});
  f("<not counted>\n", {});
}

TEST(AttributeText, DecimalsMayBeNegative) {
  const auto f = [](std::string_view text, std::optional<double> expected) {
    EXPECT_EQ(parse_decimal(text), expected) << text;
  };
  f("-5000\n", -5000.0);
  f("0.5\n", 0.5);
  f("61000\n", 61000.0);
  f("61000", {});
  f("nan\n", {});
  f("inf\n", {});
  f("1e400\n", {});
  f("61 C\n", {});
}

TEST(AttributeText, LinkSpeedsOfOldAndNewKernels) {
  const auto f = [](std::string_view text, std::optional<double> expected) {
    EXPECT_EQ(parse_link_speed(text), expected) << text;
  };
  f("16.0 GT/s PCIe\n", 16.0);
  f("2.5 GT/s PCIe\n", 2.5);
  f("8 GT/s\n", 8.0);
  f("Unknown\n", {});
  f("Unknown speed\n", {});
  f("0 GT/s\n", {});
  f("16.0\n", {});
  f("16.0 GT/s PCIe", {});
}

TEST(AttributeText, KeysAreWholeWords) {
  EXPECT_EQ(value_of_key("RxErr 1\nTOTAL_ERR_COR 2\n", "TOTAL_ERR_COR"), 2u);
  EXPECT_EQ(value_of_key("ue: 3\nce: 4\n", "ce"), 4u);
  EXPECT_EQ(value_of_key("Receiver Error 5\nTOTAL_ERR_COR 5\n", "TOTAL_ERR_COR"), 5u);
  EXPECT_EQ(value_of_key("TOTAL_ERR_COR 2", "TOTAL_ERR_COR"), Value());
  EXPECT_EQ(value_of_key("TOTAL_ERR_COR\n", "TOTAL_ERR_COR"), Value());
  EXPECT_EQ(value_of_key("TOTAL_ERR_COR x\n", "TOTAL_ERR_COR"), Value());
  EXPECT_EQ(value_of_key("TOTAL_ERR_CORR 2\n", "TOTAL_ERR_COR"), Value());
}

// A folder with one attribute.
class AttributeFileTest : public ::testing::TestWithParam<AttributeFile::Keep> {
 protected:
  AttributeFileTest()
      : path_(fs::path(::testing::TempDir()) / ("attribute_" + std::to_string(::getpid()))) {
    fs::remove(path_);
  }
  ~AttributeFileTest() override { fs::remove(path_); }
  void write(std::string_view text) const { std::ofstream(path_, std::ios::trunc) << text; }

  fs::path path_;
  AttributeBuffer buffer_{};
};

TEST_P(AttributeFileTest, ReadsAnewEachTime) {
  AttributeFile file(path_.string(), GetParam());
  EXPECT_FALSE(file.read(buffer_));
  EXPECT_EQ(file.error(), ENOENT);
  write("1\n");
  EXPECT_EQ(file.read(buffer_), "1\n");
  EXPECT_EQ(file.error(), 0);
  write("22\n");
  EXPECT_EQ(file.read(buffer_), "22\n");
  fs::remove(path_);
  EXPECT_FALSE(file.read(buffer_));
  fs::create_directory(path_);
  EXPECT_FALSE(file.read(buffer_));
  EXPECT_EQ(file.error(), EISDIR);
}

TEST_P(AttributeFileTest, TakesNoMoreThanTheBufferHolds) {
  AttributeFile file(path_.string(), GetParam());
  write(std::string(10000, '7'));
  EXPECT_EQ(file.read(buffer_).value().size(), buffer_.size());
  std::array<char, 3> small{};
  EXPECT_EQ(file.read(small), "777");
}

INSTANTIATE_TEST_SUITE_P(Keep, AttributeFileTest,
                         ::testing::Values(AttributeFile::Keep::kOpen,
                                           AttributeFile::Keep::kClosed));

const ParserCase kFuzzed("sys/bus/pci/devices/0000:65:00.0/aer_dev_correctable",
                         [](std::string_view text) {
                           const auto line = first_line(text);
                           require(!line || line->size() < text.size());
                           if (parse_whole(text)) require(parse_decimal(text).has_value());
                           if (const auto speed = parse_link_speed(text)) require(*speed > 0);
                           value_of_key(text, "TOTAL_ERR_COR");
                         });

}  // namespace
}  // namespace reveal::procfs
