#include "bus/inbox.h"

#include <random>

#include <fmt/format.h>

#include "base/whole_file.h"
#include "bus/credentials.h"

namespace reveal::bus {
namespace {

// Returns what the broker knows this user by, if that is public; empty if there is none.
std::string who(const BrokerOptions& options) {
  if (!options.user.empty()) return options.user;
  if (!options.nkey.empty()) return options.nkey;
  if (options.credentials_file.empty()) return {};
  const auto text =
      base::read_whole_file(options.credentials_file, "credentials", kMostCredentialBytes);
  // What is wrong with the file, the library says.
  return text ? subject_of_credentials(*text) : std::string();
}

}  // namespace

std::string inbox_prefix(const BrokerOptions& options) {
  const auto user = who(options);
  // Its name is a word of its own, as templates of JWTs need it.
  return user.empty() ? "_INBOX" : "_INBOX." + user;
}

std::string new_inbox(const BrokerOptions& options) {
  std::random_device device;  // the kernel's
  std::string out = inbox_prefix(options) + ".";
  for (int word = 0; word < 4; ++word) out += fmt::format("{:08x}", device());
  return out;
}

}  // namespace reveal::bus
