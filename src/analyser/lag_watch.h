// Notices that an analyser cannot keep up with the messages, and that it can again. The caller
// brings the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reveal::analyser {

class LagWatch {
 public:
  // To be late for less than this, or to be in time for less, is not worth a line.
  static constexpr std::int64_t kPatience_ns = 10'000'000'000;

  // Takes whether messages are taken up too late, and the steady clock. Returns the line to tell,
  // if there is one.
  std::optional<std::string_view> take(bool is_late, std::int64_t steady_ns);

 private:
  std::optional<std::int64_t> late_since_ns_;
  std::int64_t late_ns_ = 0;  // when it was late last
  bool has_told_ = false;
};

}  // namespace reveal::analyser
