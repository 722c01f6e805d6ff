#include "procfs/udp_queues.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include "procfs/text_cursor.h"

namespace reveal::procfs {
namespace {

std::optional<std::uint32_t> parse_hex(std::string_view digits) {
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool add_line(std::string_view line, UdpQueues& out) {
  constexpr int kWord = 5;
  WordCursor words(line);
  std::string_view word;
  for (int i = 0; i < kWord; ++i) {
    if (!words.next(word)) return false;
  }
  const auto colon = word.find(':');
  if (colon == std::string_view::npos) return false;
  const auto send = parse_hex(word.substr(0, colon));
  auto receive = parse_hex(word.substr(colon + 1));
  if (!send || !receive) return false;
  // A difference of two numbers that move meanwhile, printed as if it could not be below zero.
  if (*receive > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) receive = 0;
  ++out.sockets;
  out.send_bytes += *send;
  out.receive_bytes += *receive;
  out.longest_receive_bytes = std::max<std::uint64_t>(out.longest_receive_bytes, *receive);
  return true;
}

}  // namespace

bool add_udp_queues(std::string_view text, UdpQueues& out) {
  LineCursor lines(text);
  std::string_view line;
  if (!text.ends_with('\n') || !lines.next(line) || line.find("tx_queue") == line.npos)
    return false;
  while (lines.next(line)) {
    if (!add_line(line, out)) return false;
  }
  return true;
}

}  // namespace reveal::procfs
