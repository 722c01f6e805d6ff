#include "access/lists.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::access {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The empty text's SHA-256.
const std::string kDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
// Of crypt(5)'s examples.
const std::string kHash = "$2b$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234";

template <typename Parsed>
std::string error_of(const Parsed& parsed) {
  return parsed ? "" : parsed.error().message();
}
std::string users_error(const std::string& text) {
  return error_of(parse_users(text, "users"));
}
std::string tokens_error(const std::string& text) {
  return error_of(parse_tokens(text, "tokens"));
}

TEST(Lists, HaveALineForEach) {
  const auto users = parse_users("# who may\n\nann:" + kHash + "\r\n  bob smith:" + kHash +
                                     ":operator\ncy:" + kHash + ":viewer",
                                 "users");
  ASSERT_TRUE(users) << error_of(users);
  ASSERT_EQ(users->size(), 3U);
  EXPECT_EQ((*users)[0].who.name, "ann");
  EXPECT_EQ((*users)[0].who.role, Role::kViewer);
  EXPECT_EQ((*users)[0].hash, kHash);
  EXPECT_EQ((*users)[1].who.name, "bob smith");
  EXPECT_EQ((*users)[1].who.role, Role::kOperator);
  EXPECT_EQ((*users)[2].who.role, Role::kViewer);

  const auto tokens =
      parse_tokens("prometheus:" + kDigest + "\nci:" + kDigest + ":operator\n", "t");
  ASSERT_TRUE(tokens) << error_of(tokens);
  EXPECT_EQ((*tokens)[0].digest[0], 0xe3);
  EXPECT_EQ((*tokens)[0].digest[31], 0x55);
  EXPECT_EQ((*tokens)[1].who.role, Role::kOperator);
  EXPECT_TRUE(parse_users("", "users")->empty());
}

TEST(Lists, NameTheLineOfEachMistake) {
  const auto good = "ann:" + kHash + "\n";
  EXPECT_THAT(users_error(good + "bob\n"),
              AllOf(HasSubstr("users, line 2"), HasSubstr("NAME:BCRYPT")));
  EXPECT_THAT(users_error("\n#\n:" + kHash), HasSubstr("line 3"));
  EXPECT_THAT(users_error(good + good),
              AllOf(HasSubstr("line 2"), HasSubstr("ann was named before")));
  EXPECT_THAT(users_error("a:" + kHash + ":root"), HasSubstr("neither viewer nor operator"));
  EXPECT_THAT(users_error("a:" + kHash + ":viewer:"), HasSubstr("neither viewer nor operator"));
  EXPECT_THAT(users_error("a:hunter2"),
              AllOf(HasSubstr("htpasswd"), HasSubstr("line 1"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(users_error("a:$5$" + kHash.substr(3)), HasSubstr("bcrypt"));
  EXPECT_THAT(users_error("a:$2b$15" + kHash.substr(6)), HasSubstr("from 4 to 14"));
  EXPECT_THAT(users_error("a:$2b$03" + kHash.substr(6)), HasSubstr("from 4 to 14"));
  EXPECT_THAT(tokens_error("a:" + kDigest + "\nb:" + kDigest.substr(1)),
              AllOf(HasSubstr("tokens, line 2"), HasSubstr("sha256sum")));
  EXPECT_THAT(tokens_error("b:g" + kDigest.substr(1)), HasSubstr("line 1"));
  std::string many;
  for (std::size_t i = 0; i <= kMostLines; ++i) many += std::to_string(i) + ":" + kDigest + "\n";
  EXPECT_THAT(tokens_error(many), HasSubstr("line 1001"));
}

TEST(Lists, AreInFilesThatNotEverybodyCanUse) {
  const base::TempDir folder;
  const auto file = folder.path() / "users";
  ASSERT_TRUE(base::write_new_file(file, "text"));
  namespace fs = std::filesystem;
  fs::permissions(file, fs::perms::owner_read | fs::perms::group_read);
  EXPECT_EQ(read_private(file, "users").value(), "text");
  for (const auto others : {fs::perms::others_read, fs::perms::others_write}) {
    fs::permissions(file, fs::perms::owner_read | others);
    const auto read = read_private(file, "users");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, base::ErrorKind::kPermission);
    EXPECT_THAT(read.error().message(), AllOf(HasSubstr(file.string()), HasSubstr("chmod o-rwx")));
  }
  EXPECT_FALSE(read_private(folder.path() / "none", "users"));
}

}  // namespace
}  // namespace reveal::access
