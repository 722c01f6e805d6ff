#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "text/quantity.h"
#include "text/streams.h"
#include "text/time_text.h"

namespace reveal::cli {
namespace {

constexpr std::int64_t kLiveEvery_ns = 1'000'000'000;
constexpr std::int64_t kPlainEvery_ns = 10'000'000'000;

}  // namespace

std::string progress_text(const record::Recording::State& state, std::size_t windows) {
  std::string out = fmt::format("recording {}: {} channels, {} frames, {} missed",
                                text::span_text(state.elapsed_ns), state.channels, state.frames,
                                state.missed == 0 ? "none" : std::to_string(state.missed));
  if (windows > 0) out += fmt::format(", {} windows", windows);
  out += ", " + text::format_quantity(static_cast<double>(state.bytes), "bytes");
  if (!state.storing) out += ", NOT STORING: the disk is full";
  return out;
}

Progress::Progress(bool quiet, bool shared_terminal)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1), shared_(shared_terminal) {
  if (!terminal_) next_ns_ = kPlainEvery_ns;
}

void Progress::update(const record::Recording::State& state, std::size_t windows) {
  if (quiet_ || state.elapsed_ns < next_ns_) return;
  const std::int64_t every = terminal_ ? kLiveEvery_ns : kPlainEvery_ns;
  next_ns_ = state.elapsed_ns - state.elapsed_ns % every + every;
  const auto text = progress_text(state, windows);
  if (terminal_) {
    text::tell_raw(fmt::format("\r\x1b[K{}{}", text, shared_ ? "\r" : ""));
    drawn_ = true;
  } else {
    text::tell(text);
  }
}

void Progress::clear() {
  if (!drawn_) return;
  text::tell_raw("\r\x1b[K");
  drawn_ = false;
}

}  // namespace reveal::cli
