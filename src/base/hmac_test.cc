#include "base/hmac.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace reveal::base {
namespace {

std::string digits_of(std::string_view key, std::string_view text) {
  const auto digest = hmac_sha256(key, text);
  std::string out;
  if (digest) {
    for (const auto byte : *digest) out += fmt::format("{:02x}", byte);
  }
  return out;
}

// RFC 4231, test cases 2 and 6.
TEST(Hmac, IsThatOfTheStandard) {
  EXPECT_EQ(digits_of("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      digits_of(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// Python: hmac.new(b"a\0b", b"c\0d", "sha256").hexdigest()
TEST(Hmac, TakesAllBytes) {
  EXPECT_EQ(digits_of(std::string("a\0b", 3), std::string("c\0d", 3)),
            "8c18c35eec555433aca6c25beff4ab0085afc6084012a0d923fb48f4251062fa");
}

}  // namespace
}  // namespace reveal::base
