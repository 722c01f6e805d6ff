// Tells a host whose recording began anew from two hosts that have the same id: of the latter, a
// run comes back that another has replaced.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace reveal::peers {

class RunWatch {
 public:
  // For so long two hosts are taken for two after the last sign of it.
  static constexpr std::int64_t kMemory_ns = 60'000'000'000;

  // Takes the run of a message. Returns whether it is another than that of the message before.
  bool take(std::uint64_t run, std::int64_t now_ns);

  bool is_doubled(std::int64_t now_ns) const { return has_double_ && now_ns < doubled_until_ns_; }

 private:
  struct Replaced {
    std::uint64_t run = 0;
    std::int64_t at_ns = 0;
    bool is_there = false;
  };

  std::uint64_t run_ = 0;
  bool has_run_ = false;
  std::array<Replaced, 4> replaced_{};  // the latest ones
  std::size_t next_ = 0;
  bool has_double_ = false;
  std::int64_t doubled_until_ns_ = 0;
};

}  // namespace reveal::peers
