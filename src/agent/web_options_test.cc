#include "agent/web_options.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/tls.h"
#include "service/web_guard.h"
#include "settings/file.h"
#include "settings/setting.h"

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(const std::string& file) {
  settings::Given given;
  const auto read = settings::read_settings(file, "reveal.toml", given);
  EXPECT_TRUE(read) << read.error().message();
  const auto sound = check_web(given);
  if (sound) return "";
  EXPECT_EQ(sound.error().kind, base::ErrorKind::kUsage);
  return sound.error().message();
}

TEST(WebOptions, KnowTheWordsOfTheSettings) {
  for (const auto& word :
       settings::choices_of(*settings::find_setting("web.tls", "client_auth_type"))) {
    EXPECT_TRUE(http::client_auth_of(word)) << word;
  }
}

TEST(WebOptions, OfTheDefaultsAreSound) {
  EXPECT_EQ(error_of(""), "");
  const auto guard = service::open_guard({});
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->tls, nullptr);
  EXPECT_EQ(guard->gate, nullptr);
}

TEST(WebOptions, ErrorsNameTheLine) {
  EXPECT_THAT(error_of("[web]\nlisten = [\"127.0.0.1:1\", \"10.0.0.5:7383\"]\n"),
              StartsWith("reveal.toml, line 2: listen: 10.0.0.5:7383: other hosts can reach"));
  EXPECT_THAT(error_of("[web]\nlisten = [\"everywhere:1\"]\n"),
              StartsWith("reveal.toml, line 2: listen: everywhere:1: this is no address"));
  EXPECT_EQ(error_of("[web]\nlisten = [\"10.0.0.5:7383\"]\ninsecure = true\n"), "");
  EXPECT_EQ(error_of("[web]\nurl = \"https://n017.example:7383\"\n"), "");
  EXPECT_THAT(error_of("[web]\nurl = \"n017.example\"\n"),
              StartsWith("reveal.toml, line 2: url: n017.example: is no address of a page"));
  EXPECT_THAT(error_of("[web.tls]\nkey_file = \"/nonexistent/key\"\n"),
              StartsWith("reveal.toml, line 2: key_file: a certificate and its key"));
  EXPECT_THAT(
      error_of("[web.tls]\ncert_file = \"/nonexistent/c\"\nkey_file = \"/nonexistent/k\"\n"),
      StartsWith("reveal.toml, line 2: cert_file: /nonexistent/c: cannot read"));
  EXPECT_THAT(error_of("[web.tls]\nclient_auth_type = \"RequireAnyClientCert\"\n"),
              StartsWith("reveal.toml, line 2: client_auth_type: "));
  EXPECT_THAT(error_of("[web.auth]\n\ntokens_file = \"/nonexistent/t\"\n"),
              StartsWith("reveal.toml, line 3: tokens_file: /nonexistent/t: cannot read"));
  EXPECT_THAT(error_of("[web.auth]\nbasic_users_file = \"/nonexistent/u\"\n"),
              HasSubstr("line 2: basic_users_file: "));
}

}  // namespace
}  // namespace reveal::agent
