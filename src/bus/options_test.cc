#include "bus/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::bus {
namespace {

using testing::HasSubstr;

BrokerOptions at(const std::string& url) {
  BrokerOptions out;
  out.url = url;
  return out;
}

std::string refusal(const BrokerOptions& options) {
  const auto checked = check(options);
  return checked ? std::string() : checked.error().message();
}

TEST(BrokerOptions, WithoutEncryptionOnlyThisHost) {
  for (const auto* url : {"nats://localhost:4222", "nats://127.0.0.1", "nats://[::1]:4222",
                          "tls://broker.example:4222", "tls://a:1,tls://b:2"}) {
    EXPECT_EQ(refusal(at(url)), "") << url;
  }
  for (const auto* url : {"nats://broker.example:4222", "nats://10.0.0.5", "nats://[fe80::1]:4222",
                          "nats://127.0.0.1,nats://10.0.0.5", "nats://127.evil.example:4222"}) {
    EXPECT_THAT(refusal(at(url)), HasSubstr("without encryption")) << url;
  }
}

TEST(BrokerOptions, AddressesThatAreNone) {
  for (const auto* url : {"", "localhost:4222", "http://localhost", "nats://", "tls://a,",
                          "tls://:1", "tls://a,nats://127.0.0.1"}) {
    EXPECT_NE(refusal(at(url)), "") << url;
  }
  // And the password is not repeated.
  const auto text = refusal(at("tls://me:secret@broker"));
  EXPECT_THAT(text, HasSubstr("password"));
  EXPECT_THAT(text, testing::Not(HasSubstr("secret")));
}

TEST(BrokerOptions, OneIdentityAndAllOfIt) {
  auto options = at("tls://b");
  options.user = "h";
  EXPECT_THAT(refusal(options), HasSubstr("password file"));
  options.password_file = "p";
  EXPECT_EQ(refusal(options), "");
  options.nkey = "U";
  options.nkey_seed_file = "s";
  EXPECT_THAT(refusal(options), HasSubstr("more than one"));
  options.user.clear();
  options.password_file.clear();
  EXPECT_EQ(refusal(options), "");
  options.certificate_file = "c";
  EXPECT_THAT(refusal(options), HasSubstr("certificate"));
}

TEST(BrokerOptions, EncryptionByTheAddress) {
  EXPECT_TRUE(at("tls://a").uses_tls());
  EXPECT_FALSE(at("nats://127.0.0.1").uses_tls());
}

}  // namespace
}  // namespace reveal::bus
