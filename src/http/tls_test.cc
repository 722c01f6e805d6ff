#include "http/tls.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/testing/made_certificate.h"

namespace reveal::http {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class TlsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    certify("DNS:n017.example.org,DNS:*.example.com,IP:10.0.0.7,IP:2001:db8::7");
  }

  void certify(const char* names) {
    const auto key = base::made_key();
    write(files_.key, base::pem_of(key.get()));
    write(files_.certificate, base::pem_of(base::made_certificate(key.get(), names).get()));
  }
  static void write(const fs::path& file, const std::string& text) {
    ASSERT_TRUE(base::write_new_file(file, text));
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  }
  std::string error() const {
    const auto tls = Tls::open(files_);
    return tls ? "" : tls.error().message();
  }

  base::TempDir folder_;
  TlsFiles files_{.certificate = folder_.path() / "cert.pem", .key = folder_.path() / "key.pem"};
};

TEST_F(TlsTest, KnowsTheNamesOfItsCertificate) {
  const auto tls = Tls::open(files_);
  ASSERT_TRUE(tls) << tls.error().message();
  EXPECT_THAT(*(*tls)->names(),
              ElementsAre("n017.example.org", "*.example.com", "10.0.0.7", "2001:db8::7"));
  EXPECT_FALSE((*tls)->verifies_all());
}

TEST_F(TlsTest, SaysWhichFileIsWrong) {
  const auto other = folder_.path() / "other";
  write(other, base::pem_of(base::made_key().get()));
  const auto key = std::exchange(files_.key, other);
  EXPECT_THAT(error(), AllOf(HasSubstr(other.string()), HasSubstr("not the key")));
  files_.key = "";
  EXPECT_THAT(error(), HasSubstr("belong together"));
  files_.key = key;
  fs::permissions(key, fs::perms::others_read, fs::perm_options::add);
  EXPECT_THAT(error(), AllOf(HasSubstr(key.string()), HasSubstr("chmod o-rwx")));
  fs::permissions(key, fs::perms::others_read, fs::perm_options::remove);
  EXPECT_EQ(error(), "");
  write(files_.certificate, "no certificate");
  EXPECT_THAT(error(), AllOf(HasSubstr(files_.certificate.string()), HasSubstr("cert_file")));
  files_.certificate = folder_.path() / "none";
  EXPECT_THAT(error(), HasSubstr("none: cannot read the certificate"));
}

TEST_F(TlsTest, AuthoritiesBelongToWhatVerifiesClients) {
  constexpr std::pair<const char*, bool> kVerifies[] = {{"NoClientCert", false},
                                                        {"RequestClientCert", false},
                                                        {"RequireAnyClientCert", false},
                                                        {"VerifyClientCertIfGiven", true},
                                                        {"RequireAndVerifyClientCert", true}};
  for (const auto& [name, verifies] : kVerifies) {
    files_.client_auth = client_auth_of(name).value();
    files_.client_authorities = files_.certificate;
    EXPECT_EQ(error().empty(), verifies) << name << error();
    files_.client_authorities = "";
    EXPECT_EQ(error().empty(), !verifies) << name << error();
  }
  EXPECT_FALSE(client_auth_of("RequireClientCert"));
  files_.client_authorities = files_.key;
  EXPECT_THAT(error(), AllOf(HasSubstr(files_.key.string()), HasSubstr("client_ca_file")));
}

TEST_F(TlsTest, ReadsFilesThatChangeAndKeepsTheOldIfTheyAreWrong) {
  const auto tls = Tls::open(files_);
  ASSERT_TRUE(tls) << tls.error().message();
  EXPECT_FALSE((*tls)->refresh().value());
  certify("DNS:next.example.org");
  EXPECT_FALSE((*tls)->refresh().value()) << "the writer may not be done";
  EXPECT_TRUE((*tls)->refresh().value());
  EXPECT_THAT(*(*tls)->names(), ElementsAre("next.example.org"));
  write(files_.certificate, "no certificate");
  EXPECT_FALSE((*tls)->refresh().value());
  EXPECT_FALSE((*tls)->refresh());
  EXPECT_TRUE((*tls)->refresh()) << "told once";
  EXPECT_THAT(*(*tls)->names(), ElementsAre("next.example.org"));
}

}  // namespace
}  // namespace reveal::http
