// Errors that all hosts have to the same extent: they come from the workload or the whole fleet,
// not from one host. Retransmits of one host mean a lossy link; the same on all hosts do not.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fleet/difference.h"
#include "fleet/matching.h"

namespace reveal::fleet {

struct AlikeErrors {
  Quantity quantity;
  double median = 0;  // over the hosts, of their means over the whole time
  double low = 0;
  double high = 0;
  // The same as a share of what can go wrong, such as segments sent; nothing if that is unknown.
  struct Share {
    std::string of;  // its label
    double median = 0;
    double low = 0;
    double high = 0;
  };
  std::optional<Share> share;
};

// Gathers the means of what counts errors, or what can go wrong, one quantity after the other.
class AlikeWatch {
 public:
  void take(const ComparedQuantity& compared);

  // Returns the errors that every host counted and none stands out by.
  std::vector<AlikeErrors> result(std::span<const Difference> differences) const;

 private:
  struct Means {
    Quantity quantity;
    std::vector<double> by_host;
  };
  std::vector<Means> means_;
};

}  // namespace reveal::fleet
