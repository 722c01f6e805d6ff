// What the codes of hosts mean: one copy of each dictionary, however many hosts have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/quantity.h"
#include "wire/dictionary.h"

namespace reveal::peers {

struct MeantQuantity {
  fleet::Quantity quantity;
  std::uint16_t floor = 1;
  float least_rise = 0;      // of a saturation signal; 0: it is none
  std::uint16_t signal = 0;  // of one, its number among all of them
};

struct Meaning {
  std::uint32_t number = 0;  // by which levels refer to it
  std::int64_t bucket_ns = 0;
  std::vector<MeantQuantity> quantities;  // in the order of the codes
  std::size_t signals = 0;                // that are saturation signals

  // Appends a quantity, and numbers it if it is a saturation signal.
  void add(MeantQuantity quantity);
};

// Returns what a dictionary's quantity is for a comparison.
fleet::Quantity quantity_of(const wire::Quantity& from);

class Meanings {
 public:
  // Returns the meaning that a message has; hosts with the same plain bytes get the same object.
  // Fails with kCorrupt if it is malformed.
  base::Result<std::shared_ptr<const Meaning>> take(wire::ByteView message);

  // Returns the plain bytes of one that is in use, until the next take(); null if there is none of
  // this number. Looks at all of them.
  const wire::Bytes* plain_of(std::uint32_t number) const;

  // Returns how many are in use.
  std::size_t size() const;

 private:
  void forget_unused();

  std::map<wire::Bytes, std::weak_ptr<const Meaning>> known_;  // by plain bytes
  std::size_t sweep_at_ = 64;  // when so many are known, unused ones are looked for
};

}  // namespace reveal::peers
