#include "model/metric.h"

#include <array>
#include <cstddef>

namespace reveal::model {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"counter", "gauge", "event", "static"};
constexpr std::array<std::string_view, 2> kReprs{"u64", "f64"};
constexpr std::array<std::string_view, kSubsystemCount> kSubsystems{
    "cpu", "gpu", "memory", "network", "storage", "unknown"};
constexpr std::array<std::string_view, 9> kScopes{"host", "core",   "node",   "gpu",     "nic",
                                                  "disk", "cgroup", "device", "recorder"};

template <typename Enum, std::size_t N>
bool find(const std::array<std::string_view, N>& words, std::string_view word, Enum& out) {
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i] == word) {
      out = static_cast<Enum>(i);
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view to_string(Kind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}
std::string_view to_string(Repr repr) {
  return kReprs.at(static_cast<std::size_t>(repr));
}
std::string_view to_string(Subsystem subsystem) {
  return kSubsystems.at(static_cast<std::size_t>(subsystem));
}
std::string_view to_string(Scope scope) {
  return kScopes.at(static_cast<std::size_t>(scope));
}

bool from_string(std::string_view word, Kind& out) {
  return find(kKinds, word, out);
}
bool from_string(std::string_view word, Repr& out) {
  return find(kReprs, word, out);
}
bool from_string(std::string_view word, Subsystem& out) {
  return find(kSubsystems, word, out);
}
bool from_string(std::string_view word, Scope& out) {
  return find(kScopes, word, out);
}

std::string_view heading_of(Subsystem subsystem) {
  return subsystem == Subsystem::kUnknown ? "subsystem unknown" : to_string(subsystem);
}

}  // namespace reveal::model
