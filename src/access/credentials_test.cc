#include "access/credentials.h"

#include <string>

#include <gtest/gtest.h>

namespace reveal::access {
namespace {

// Returns "NAME / PASSWORD", "TOKEN", or "-" if the header is neither.
std::string read(std::string_view header) {
  const auto credentials = parse_credentials(header);
  if (const auto* password = std::get_if<Password>(&credentials)) {
    return password->name + " / " + password->secret;
  }
  const auto* token = std::get_if<Token>(&credentials);
  return token != nullptr ? token->secret : "-";
}

// Examples of RFC 7617, section 2, and of coreutils' base64.
TEST(Credentials, OfBasicAreNameAndPassword) {
  EXPECT_EQ(read("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), "Aladdin / open sesame");
  EXPECT_EQ(read("bASIC   QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), "Aladdin / open sesame");
  EXPECT_EQ(read("Basic YTpiOmM="), "a / b:c");
  EXPECT_EQ(read("Basic YTo="), "a / ");
  EXPECT_EQ(read("Basic Og=="), " / ");
  EXPECT_EQ(read("Basic w6k6cMOk"), "\xc3\xa9 / p\xc3\xa4");
}

TEST(Credentials, OfBearerAreAToken) {
  EXPECT_EQ(read("Bearer mF_9.B5f-4.1JqM"), "mF_9.B5f-4.1JqM");
  EXPECT_EQ(read("bearer  abc+/~=="), "abc+/~==");
}

TEST(Credentials, OfNoSoundHeaderAreNone) {
  for (const char* header :
       {"", "Basic", "Basic ", "Bearer ", "Digest YTpi", "BasicYTpi", "Basic YTpi=", "Basic YTp",
        "Basic YT=p", "Basic =YTp", "Basic Y===", "Basic YTpi YTpi", "Basic YT-i",
        "Basic YWI=", "Basic YTpiAGM=" /* NUL */, "Basic YTpiCg==" /* a line's end */, "Bearer a b",
        "Bearer a,b", "Bearer \"a\""}) {
    EXPECT_EQ(read(header), "-") << header;
  }
}

}  // namespace
}  // namespace reveal::access
