#include "base/fnv.h"

#include <gtest/gtest.h>

namespace reveal::base {
namespace {

// The test vectors of the authors of FNV, which RFC 9923 repeats.
TEST(Fnv, IsThatOfItsAuthors) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8U);
}

TEST(Fnv, GoesOnWhereItEnded) {
  EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar"));
  EXPECT_NE(fnv1a(std::string_view("\0", 1)), fnv1a(""));
}

TEST(Fnv, BytesAreNotSigned) {
  // (0xcbf29ce484222325 ^ 0xff) * 0x100000001b3, modulo 2^64.
  EXPECT_EQ(fnv1a("\xff"), 0xaf64724c8602eb6eU);
}

}  // namespace
}  // namespace reveal::base
