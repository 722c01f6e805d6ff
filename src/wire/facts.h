// What a host is: docs/wire_format.md, "Facts".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "wire/head.h"

namespace reveal::wire {

struct Fact {
  std::string source;
  std::string subject;
  std::string text;

  bool operator==(const Fact&) const = default;
};

struct Facts {
  Head head;
  std::string host;  // its name, which is not its id
  std::string kernel;
  std::string machine;
  std::string boot_id;
  std::string reveal_version;
  std::int64_t interval_ns = 100'000'000;  // of the recording
  std::int64_t start_wall_ns = 0;          // of the recording
  std::uint32_t cpus_online = 0;
  std::vector<std::pair<std::string, std::string>> labels;  // name and value
  std::vector<std::string> groups;                          // keys of groups of peers
  std::vector<Fact> facts;

  bool operator==(const Facts&) const = default;
};

// Appends the message. Labels, groups and facts may come in any order; of two with the same name
// the first counts, and what is beyond the bounds is left out. Fails with kUsage if the host has no
// name or a number is out of its bounds.
base::Result<void> put_facts(Bytes& out, const Facts& facts);

base::Result<Facts> read_facts(ByteView message);

// Return the plain bytes of a message's content, and what they say; the head is not among it.
Bytes plain_of(const Facts& facts);
base::Result<Facts> facts_of(ByteView plain);

}  // namespace reveal::wire
