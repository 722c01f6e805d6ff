#include "alert/secret.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::alert {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// RFC 4231, test cases 2 and 6.
TEST(HmacSha256, IsThatOfTheStandard) {
  EXPECT_EQ(hmac_sha256("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256(std::string(131, '\xaa'),
                        "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// Python: hmac.new(b"whsec_1", b'1790000000.{"a":1}', "sha256").hexdigest()
TEST(Signature, SignsTimeAndBody) {
  EXPECT_EQ(signature("whsec_1", 1'790'000'000, R"({"a":1})"),
            "t=1790000000,v1=6078602d7e7c5f7223147c8db75197eb6d09e4f3cecb4d44862b5d3e12259a19");
}

TEST(ReadSecret, TakesOneLine) {
  const base::TempDir scratch;
  const auto file = scratch.path() / "secret";
  const auto read = [&](std::string_view text) {
    EXPECT_TRUE(base::write_new_file(file, text));
    return read_secret(file);
  };
  EXPECT_EQ(read("whsec_1"), "whsec_1");
  EXPECT_EQ(read("whsec_1\r\n"), "whsec_1");
  EXPECT_EQ(read("two words\n"), "two words");
  for (const char* text : {"", "\n", "hidden\nX-Evil: 1\n", "hidden\tx"}) {
    const auto secret = read(text);
    ASSERT_FALSE(secret) << text;
    EXPECT_THAT(secret.error().message(), HasSubstr(file.string()));
    EXPECT_THAT(secret.error().message(), Not(HasSubstr("hidden")));
  }
  EXPECT_FALSE(read(std::string(100'000, 'x')));
  EXPECT_EQ(read_secret(scratch.path() / "none").error().kind, base::ErrorKind::kAbsent);
}

}  // namespace
}  // namespace reveal::alert
