#include "procfs/mountstats.h"

#include <array>

namespace reveal::procfs {
namespace {

constexpr std::size_t kMaxNumbers = 16;  // of a line

struct Numbers {
  std::array<std::uint64_t, kMaxNumbers> at{};
  std::size_t count = 0;
};

// Returns the numbers of a line up to the first word that is none.
Numbers numbers_of(WordCursor words) {
  Numbers out;
  for (Value value; out.count < kMaxNumbers && words.next(value) && value; ++out.count) {
    out.at[out.count] = *value;
  }
  return out;
}

void add(Value& sum, std::uint64_t value) {
  sum = sum.value_or(0) + value;
}

// Adds the numbers behind an operation's name.
void add_operation(const Numbers& numbers, NfsOperation& to) {
  const auto& at = numbers.at;
  add(to.operations, at[0]);
  add(to.retransmissions, at[1] - at[0]);
  add(to.timeouts, at[2]);
  add(to.queue_ms, at[5]);
  add(to.round_trip_ms, at[6]);
  add(to.execution_ms, at[7]);
  if (numbers.count > 8) add(to.errors, at[8]);
}

class MountstatsReader {
 public:
  explicit MountstatsReader(std::vector<NfsMount>& out) : out_(out) {}

  void take(std::string_view line) {
    if (line.starts_with("device ")) {
      finish();
      begin(line);
    } else if (inside_ && line.empty()) {
      finish();
    } else if (inside_) {
      take_inside(line);
    }
  }

 private:
  // "device filer:/data mounted on /mnt/data with fstype nfs4 statvers=1.1"
  void begin(std::string_view line) {
    constexpr std::string_view kDevice = "device ";
    constexpr std::string_view kOn = " mounted on ";
    constexpr std::string_view kType = " with fstype ";
    const auto on = line.find(kOn);
    const auto type = line.rfind(kType);
    if (on == std::string_view::npos || type == std::string_view::npos) return;
    const auto point = on + kOn.size();
    if (type < point) return;
    WordCursor words(line.substr(type + kType.size()));
    std::string_view name;
    if (!words.next(name) || (name != "nfs" && name != "nfs4")) return;
    inside_ = true;
    NfsMount& mount = out_.emplace_back();
    mount.device = line.substr(kDevice.size(), on - kDevice.size());
    mount.point = line.substr(point, type - point);
  }

  // Of a mount that has ended nothing is missing in the sums.
  void finish() {
    if (inside_ && in_operations_ && sound_) out_.back().all = all_;
    inside_ = false;
    in_operations_ = false;
    sound_ = true;
    transports_ = {};
    all_ = {};
  }

  void take_inside(std::string_view line) {
    WordCursor words(line);
    std::string_view label;
    if (!words.next(label)) return;
    if (in_operations_) return take_operation(label, words);
    if (label == "bytes:") take_bytes(numbers_of(words));
    if (label == "xprt:") take_transport(words);
    if (label == "per-op") {
      in_operations_ = true;
      set_transports();
    }
  }

  void take_bytes(const Numbers& numbers) {
    if (numbers.count < 6) return;
    out_.back().read_bytes = numbers.at[4];
    out_.back().written_bytes = numbers.at[5];
  }

  void take_transport(WordCursor words) {
    std::string_view protocol;
    words.next(protocol);
    const Numbers numbers = numbers_of(words);
    // Behind port and bind count: UDP has no connections to count.
    const std::size_t sent = protocol == "udp" ? 2 : 5;
    if (numbers.count < sent + 5) return;
    if (sent == 5) add(transports_.connections, numbers.at[2]);
    add(transports_.sent_requests, numbers.at[sent]);
    add(transports_.unexpected_answers, numbers.at[sent + 2]);
    add(transports_.backlog_requests, numbers.at[sent + 4]);
  }

  void set_transports() {
    NfsMount& mount = out_.back();
    mount.connections = transports_.connections;
    mount.sent_requests = transports_.sent_requests;
    mount.unexpected_answers = transports_.unexpected_answers;
    mount.backlog_requests = transports_.backlog_requests;
  }

  void take_operation(std::string_view label, WordCursor words) {
    const Numbers numbers = numbers_of(words);
    // The kernel never counts fewer transmissions than operations.
    if (!label.ends_with(':') || numbers.count < 8 || numbers.at[1] < numbers.at[0]) {
      sound_ = false;
      return;
    }
    add_operation(numbers, all_);
    if (label == "READ:") add_operation(numbers, out_.back().read);
    if (label == "WRITE:") add_operation(numbers, out_.back().write);
  }

  std::vector<NfsMount>& out_;
  bool inside_ = false;
  bool in_operations_ = false;
  bool sound_ = true;      // every operation's line so far
  NfsMount transports_{};  // whose own numbers are used alone
  NfsOperation all_{};
};

}  // namespace

void parse_mountstats(std::string_view text, std::vector<NfsMount>& out) {
  out.clear();
  MountstatsReader reader(out);
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) reader.take(line);
}

}  // namespace reveal::procfs
