#include "text/base64.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

// The vectors of RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> vectors = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    std::string out;
    append_base64(bytes, out);
    EXPECT_EQ(out, text);
    EXPECT_EQ(base64_length(bytes.size()), text.size());
  }
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

}  // namespace
}  // namespace reveal::text
