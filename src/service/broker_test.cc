#include "service/broker.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "settings/file.h"

namespace reveal::service {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

settings::Given given_by(const std::string& file) {
  settings::Given out;
  const auto read = settings::read_settings(file, "reveal.toml", out);
  EXPECT_TRUE(read) << read.error().message();
  return out;
}

std::string error_of(const base::Result<void>& sound) {
  if (sound) return "";
  EXPECT_EQ(sound.error().kind, base::ErrorKind::kUsage);
  return sound.error().message();
}

base::Result<void> checked(const settings::Given& given) {
  return check_broker(given, given.over({}).fleet);
}

base::Result<void> files_checked(const settings::Given& given) {
  return check_broker_files(given, given.over({}).fleet);
}

std::string error_of(const std::string& rest) {
  return error_of(checked(given_by("[fleet]\n" + rest)));
}

const std::string kServers = "servers = \"tls://a:4222\"\n";

TEST(Broker, IsReachedAsTheFileAsks) {
  const auto given = given_by(
      "[fleet]\nservers = [\"tls://a:4222\", \"tls://b:4222\"]\n"
      "user = \"u\"\npassword_file = \"p\"\n"
      "[fleet.tls]\nca_file = \"ca\"\ncert_file = \"c\"\nkey_file = \"k\"\nserver_name = \"s\"\n");
  EXPECT_EQ(error_of(checked(given)), "");
  const auto broker = broker_options(given.over({}).fleet, "me");
  EXPECT_EQ(broker.url, "tls://a:4222,tls://b:4222");
  EXPECT_EQ(broker.name, "me");
  EXPECT_EQ(broker.user, "u");
  EXPECT_EQ(broker.password_file, "p");
  EXPECT_EQ(broker.ca_file, "ca");
  EXPECT_EQ(broker.certificate_file, "c");
  EXPECT_EQ(broker.key_file, "k");
  EXPECT_EQ(broker.server_name, "s");
}

TEST(Broker, ErrorsNameTheLine) {
  EXPECT_THAT(error_of("servers = \"nats://far:4222\"\n"),
              StartsWith("reveal.toml, line 2: servers: nats://far:4222: a broker on another"));
  EXPECT_THAT(error_of(kServers + "user = \"u\"\n"),
              HasSubstr("line 3: user: tls://a:4222: a user without a password file"));
  EXPECT_THAT(error_of(kServers + "nkey_seed_file = \"f\"\n"),
              HasSubstr("line 3: nkey_seed_file: "));
  EXPECT_THAT(error_of(kServers + "[fleet.tls]\nkey_file = \"k\"\n"),
              HasSubstr("line 4: key_file: tls://a:4222: a certificate without its key"));
}

TEST(Broker, FilesAreThereAndSecretsAreSecret) {
  EXPECT_EQ(error_of(files_checked(given_by(""))), "");
  const base::TempDir dir;
  const auto file = dir.path() / "file";
  const auto error = [&](const std::string& key) {
    const bool is_tls = key == "ca_file" || key == "cert_file" || key == "key_file";
    const auto section = is_tls ? "[fleet.tls]\n" : "[fleet]\n";
    return error_of(files_checked(given_by(section + key + " = \"" + file.string() + "\"\n")));
  };
  EXPECT_THAT(error("ca_file"), StartsWith("reveal.toml, line 2: ca_file: " + file.string()));
  ASSERT_TRUE(base::write_new_file(file, "text\n"));
  using std::filesystem::perms;
  std::filesystem::permissions(file, perms::owner_read | perms::others_read);
  EXPECT_EQ(error("ca_file"), "");
  EXPECT_EQ(error("cert_file"), "");
  const auto secrets = {"password_file", "nkey_seed_file", "credentials_file", "key_file"};
  for (const auto* key : secrets) EXPECT_THAT(error(key), HasSubstr("can be read by anybody"));
  std::filesystem::permissions(file, perms::owner_read);
  for (const auto* key : secrets) EXPECT_EQ(error(key), "") << key;
}

}  // namespace
}  // namespace reveal::service
