// Where messages go: docs/wire_format.md, "Subjects".
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/head.h"

namespace reveal::wire {

// Who sent a message, as the broker made sure, and of which type it must be.
struct Sender {
  std::string site;
  std::string host;  // its id
  Type type = Type::kLevels;
  bool is_late = false;  // of levels: made from the recording, after their seconds were over

  bool operator==(const Sender&) const = default;
};

// Return whether these are names that subjects can have.
bool is_site(std::string_view text);
bool is_host_id(std::string_view text);

// Returns a new host id, of random numbers of the kernel. Fails with kIo if it gives none.
base::Result<std::string> new_host_id();

// Returns the subject of a host's messages of a type. REQUIRES: is_site and is_host_id, and only
// levels are late.
std::string subject_of(const Sender& sender);

// Returns the subject that matches those of all hosts, or of all hosts of a site.
std::string subject_of_all(Type type, std::string_view site = "*");

// Returns the subject that matches the late levels of all hosts.
std::string subject_of_all_late();

// Fails with kCorrupt if it is not the subject of such messages.
base::Result<Sender> sender_of(std::string_view subject);

}  // namespace reveal::wire
