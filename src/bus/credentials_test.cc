#include "bus/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::bus {
namespace {

// {"jti":"X","iat":1,"iss":"A","name":"n","sub":"UDNICHQMEMZJAOFS5JR6ZSOUKOGXTA5OMMZRTFEPA6V6PROB2LQ5OSWY",
// "nats":{"sub":{"allow":["x.>"]},"type":"user","version":2}}, by Python's base64.
constexpr std::string_view kClaims =
    "eyJqdGkiOiJYIiwiaWF0IjoxLCJpc3MiOiJBIiwibmFtZSI6Im4iLCJzdWIiOiJVRE5JQ0hRTUVNWkpBT0ZTNUpSNl"
    "pTT1VLT0dYVEE1T01NWlJURkVQQTZWNlBST0IyTFE1T1NXWSIsIm5hdHMiOnsic3ViIjp7ImFsbG93IjpbInguPiJd"
    "fSwidHlwZSI6InVzZXIiLCJ2ZXJzaW9uIjoyfX0";
constexpr std::string_view kKey = "UDNICHQMEMZJAOFS5JR6ZSOUKOGXTA5OMMZRTFEPA6V6PROB2LQ5OSWY";

std::string file_with(std::string_view claims) {
  return "-----BEGIN NATS USER JWT-----\neyJ0eXAiOiJKV1QifQ." + std::string(claims) +
         ".c2lnbmF0dXJl\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\nSU\n"
         "------END USER NKEY SEED------\n";
}

TEST(Credentials, NameTheUserByItsKey) {
  EXPECT_EQ(subject_of_credentials(file_with(kClaims)), kKey);
}

TEST(Credentials, WithoutAnyNameNobody) {
  EXPECT_EQ(subject_of_credentials(""), "");
  EXPECT_EQ(subject_of_credentials("-----BEGIN NATS USER JWT-----"), "");
  EXPECT_EQ(subject_of_credentials(file_with("")), "");
  EXPECT_EQ(subject_of_credentials(file_with("{}")), "");
  EXPECT_EQ(subject_of_credentials(file_with("e30")), "");  // {}
  for (std::size_t i = 0; i < kClaims.size(); ++i) {
    EXPECT_EQ(subject_of_credentials(file_with(kClaims.substr(0, i))), "") << i;
  }
}

// It becomes a part of a subject: {"sub":"U.>"}.
TEST(Credentials, WhatIsNoKeyIsNotTaken) {
  EXPECT_EQ(subject_of_credentials(file_with("eyJzdWIiOiJVLj4ifQ")), "");
}

}  // namespace
}  // namespace reveal::bus
