// Tells a host whose recording began anew, whose clock was set back or that was started again from
// two hosts that have the same id. Of the latter either a run comes back that another has replaced;
// or, if one is a copy of the other with its recording, both have the same run, and their seconds
// go back again and again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace reveal::peers {

class RunWatch {
 public:
  // For so long two hosts are taken for two after the last sign of it.
  static constexpr std::int64_t kMemory_ns = 60'000'000'000;
  // After a first sign it may take so long until the next one: till then nobody knows whose the
  // messages are.
  static constexpr std::int64_t kUnsure_ns = 3'000'000'000;
  // So many steps back of one run within kSteps_ns are of two hosts.
  static constexpr std::size_t kSteps = 3;
  static constexpr std::int64_t kSteps_ns = 6'000'000'000;

  struct Seen {
    bool other_run = false;  // than that of the message before
    bool went_back = false;  // its sequence is not greater than that of the message before
  };

  // Takes run and sequence of a message.
  Seen take(std::uint64_t run, std::uint64_t sequence, std::int64_t now_ns);

  bool is_doubled(std::int64_t now_ns) const { return has_double_ && now_ns < doubled_until_ns_; }
  // Returns whether the messages may be of two hosts, or are.
  bool is_unsure(std::int64_t now_ns) const {
    return is_doubled(now_ns) || now_ns < unsure_until_ns_;
  }

 private:
  struct Replaced {
    std::uint64_t run = 0;
    std::int64_t at_ns = 0;
    bool is_there = false;
  };

  void change_run(std::uint64_t run, std::int64_t now_ns);
  void step_back(std::int64_t now_ns);
  void set_doubled(std::int64_t now_ns);

  std::uint64_t run_ = 0;
  std::uint64_t sequence_ = 0;
  bool has_run_ = false;
  std::array<Replaced, 4> replaced_{};  // the latest ones
  std::size_t next_ = 0;
  std::array<std::int64_t, kSteps> steps_ns_{};  // when it went back, by their numbers
  std::size_t steps_ = 0;
  bool has_double_ = false;
  std::int64_t doubled_until_ns_ = 0;
  std::int64_t unsure_until_ns_ = 0;
};

}  // namespace reveal::peers
