#include "agent/checked_json.h"

#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;

const std::string kOneLine = R"({"id":"a","end_ns":1700000000000000000,"open":false})";
const std::string kIndented = "{\n  \"id\": \"a\",\n  \"shares\": {\n    \"cpu\": 0.5\n  }\n}\n";

TEST(CheckedJson, IsTheSameObjectWithOneMoreMember) {
  for (const auto& json : {kOneLine, kIndented}) {
    const auto with = with_checksum(json);
    auto members = nlohmann::json::parse(with);
    EXPECT_EQ(members["crc32"].get<std::string>().size(), 8U);
    members.erase("crc32");
    EXPECT_EQ(members, nlohmann::json::parse(json));
    const auto without = without_checksum(with, "f");
    ASSERT_TRUE(without) << without.error().message();
    EXPECT_EQ(*without, json.ends_with('\n') ? json : json + "\n");
  }
}

// As python3 -c 'import zlib; print("%08x" % zlib.crc32(b"..."))' says.
TEST(CheckedJson, IsByTheCrc32OfAllBeforeIt) {
  EXPECT_EQ(with_checksum(kOneLine), kOneLine.substr(0, kOneLine.size() - 1) + ",\"crc32\":\"" +
                                         crc32_text(kOneLine.substr(0, kOneLine.size() - 1)) +
                                         "\"}\n");
  EXPECT_EQ(crc32_text("123456789"), "cbf43926");
  EXPECT_EQ(with_checksum("{\n  \"a\": 1\n}\n"),
            "{\n  \"a\": 1,\n  \"crc32\": \"" + crc32_text("{\n  \"a\": 1") + "\"\n}\n");
}

TEST(CheckedJson, NoFlippedBitGoesUnnoticed) {
  for (const auto& json : {kOneLine, kIndented}) {
    const auto sound = with_checksum(json);
    for (std::size_t at = 0; at < sound.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        auto text = sound;
        text[at] = static_cast<char>(text[at] ^ (1 << bit));
        const auto read = without_checksum(text, "the file");
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().message(), HasSubstr("the file: has another checksum"));
      }
    }
  }
}

TEST(CheckedJson, NoByteThatIsMissingOrTooManyMakesItAnotherObject) {
  for (const auto& json : {kOneLine, kIndented}) {
    const auto sound = with_checksum(json);
    const auto members = nlohmann::json::parse(json);
    for (std::size_t at = 0; at < sound.size(); ++at) {
      auto less = sound;
      less.erase(at, 1);
      auto more = sound;
      more.insert(at, 1, sound[at]);
      for (const auto& text : {less, more}) {
        const auto read = without_checksum(text, "f");
        if (!read || !nlohmann::json::accept(*read)) continue;
        const auto got = nlohmann::json::parse(*read);
        for (const auto& [key, value] : members.items())
          EXPECT_EQ(got.value(key, nlohmann::json()), value) << text;
      }
    }
  }
}

TEST(CheckedJson, WhatAnOlderRevealWroteIsReadAsItIs) {
  const std::string like_one = R"({"a":1,"abc12":"12345678"})";
  for (const auto& json :
       {kOneLine, kOneLine + "\n", kIndented, like_one, std::string("{}"), std::string()}) {
    const auto read = without_checksum(json, "f");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, json);
  }
}

TEST(CheckedJson, WhatSomebodyWroteAnewWithAnOldChecksumIsNotTaken) {
  const auto members = nlohmann::ordered_json::parse(with_checksum(kOneLine));
  EXPECT_FALSE(without_checksum(members.dump(2), "f"));
  EXPECT_FALSE(without_checksum(members.dump(), "f")) << "there is no newline";
}

TEST(CheckedJson, TakesFurtherMembers) {
  EXPECT_EQ(with_member(R"({"a":1})", "b", "c"), "{\"a\":1,\"b\":\"c\"}\n");
  EXPECT_EQ(with_member("{\n  \"a\": 1\n}\n", "b", "c"), "{\n  \"a\": 1,\n  \"b\": \"c\"\n}\n");
}

}  // namespace
}  // namespace reveal::agent
