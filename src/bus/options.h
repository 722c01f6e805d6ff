// How to reach a broker, as plain values; reading a configuration is the caller's.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace reveal::bus {

struct BrokerOptions {
  std::string url;   // "nats://HOST:PORT" or "tls://HOST:PORT"; several with commas between
  std::string name;  // of this connection, for those who look at the broker

  // Who this is: a user with a password, an nkey, or credentials (a JWT with its nkey). At most
  // one.
  std::string user;
  std::filesystem::path password_file;
  std::string nkey;  // public; its seed is in the file
  std::filesystem::path nkey_seed_file;
  std::filesystem::path credentials_file;

  std::filesystem::path ca_file;           // whom to trust instead of the system's authorities
  std::filesystem::path certificate_file;  // of this client, with its key
  std::filesystem::path key_file;
  std::string server_name;  // that the broker's certificate must have, if it is not that of the url

  std::chrono::milliseconds timeout{2000};      // of a connection, a question or a write
  std::chrono::milliseconds ack_timeout{5000};  // of the broker's word that it has a message
  // After a failure it is left alone for a random time of up to this, then twice this, and so on.
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{30'000};

  // Returns whether the connection is to be encrypted.
  bool uses_tls() const;
};

// Returns the addresses of a url that has several.
std::vector<std::string> urls_of(std::string_view text);

// Checks all that can be known without the disk or the network. Fails with kUsage: also if the
// broker is another machine and the connection is not encrypted.
base::Result<void> check(const BrokerOptions& options);

}  // namespace reveal::bus
