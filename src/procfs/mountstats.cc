#include "procfs/mountstats.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace reveal::procfs {
namespace {

constexpr std::size_t kMaxNumbers = 32;  // of a line

struct Numbers {
  std::array<std::uint64_t, kMaxNumbers> at{};
  std::size_t count = 0;
};

// Returns the numbers of a line up to the first word that is none. A negative one, as an idle time
// may be, stands as 0.
Numbers numbers_of(WordCursor words) {
  Numbers out;
  std::string_view word;
  for (; out.count < kMaxNumbers && words.next(word); ++out.count) {
    const bool negative = word.starts_with('-');
    const Value value = parse_u64(negative ? word.substr(1) : word);
    if (!value) break;
    out.at[out.count] = negative ? 0 : *value;
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

// Where the number of sent requests stands, and whether that of connections stands before it.
struct Transport {
  std::string_view name;
  std::size_t sent;
  bool connections;
};
constexpr Transport kTransports[] = {
    {"tcp", 5, true}, {"rdma", 5, true}, {"local", 4, true}, {"udp", 2, false}};

constexpr Value NfsMount::*kOfTransports[] = {
    &NfsMount::connections,        &NfsMount::sent_requests,      &NfsMount::answers,
    &NfsMount::unexpected_answers, &NfsMount::used_slots,         &NfsMount::backlog_requests,
    &NfsMount::send_queue,         &NfsMount::pending_queue,      &NfsMount::failed_marshals,
    &NfsMount::bad_replies,        &NfsMount::send_context_waits, &NfsMount::reply_send_waits};

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
    const auto transport = std::ranges::find(kTransports, protocol, &Transport::name);
    if (transport == std::end(kTransports) || numbers.count < transport->sent + 5) return;
    const auto at = [&](std::size_t behind_sent) {
      return numbers.at[transport->sent + behind_sent];
    };
    if (transport->connections) add(transports_.connections, numbers.at[transport->sent - 3]);
    add(transports_.sent_requests, at(0));
    add(transports_.answers, at(1));
    add(transports_.unexpected_answers, at(2));
    add(transports_.used_slots, at(3));
    add(transports_.backlog_requests, at(4));
    if (protocol == "rdma") return take_rdma(numbers);
    if (numbers.count < transport->sent + 8) return;
    add(transports_.send_queue, at(6));
    add(transports_.pending_queue, at(7));
  }

  void take_rdma(const Numbers& numbers) {
    constexpr std::size_t kFailedMarshals = 18;
    constexpr std::size_t kSendContextWaits = 25;
    const auto& at = numbers.at;
    if (numbers.count > kFailedMarshals + 1) {
      add(transports_.failed_marshals, at[kFailedMarshals]);
      add(transports_.bad_replies, at[kFailedMarshals + 1]);
    }
    if (numbers.count > kSendContextWaits + 1) {
      add(transports_.send_context_waits, at[kSendContextWaits]);
      add(transports_.reply_send_waits, at[kSendContextWaits + 1]);
    }
  }

  void set_transports() {
    NfsMount& mount = out_.back();
    for (const auto number : kOfTransports) mount.*number = transports_.*number;
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
