// Every number that awk, nstat, ip and ss read on this host while Reveal records it: a counter of
// ours lies between the tool's answers before and after the tick, at every tick; a gauge, which may
// go up and come back between two answers, does so in some tick, and one that does not move is
// equal. So a wrong field, scale, sign or instance shows, and a busy machine does not.
#include <algorithm>
#include <optional>
#include <ostream>
#include <string>

#include <gmock/gmock.h>

#include "witness.h"

namespace reveal::collect {
namespace {

using model::ChannelId;

struct Tool {
  const char* name;
  const char* program;
  const char* package;
  // Prints each number under the source, or the alias, of the metric and "{instance}".
  const char* command;
  std::string_view sources;  // what those of the metrics in question begin with
  std::size_t at_least;      // channels compared on any Linux host
  std::uint64_t slack = 0;   // by which a counter of the kernel may step back
  double share = 0;          // of a gauge that the tool itself adds to it while it runs

  friend void PrintTo(const Tool& tool, std::ostream* out) { *out << tool.name; }
};

// The kernel works out idle time and I/O wait anew for each reader, so both may step back.
constexpr std::uint64_t kIdleSlack = 5;

const Tool kTools[] = {
    {"StatStates", "awk", "mawk", R"(awk '/^cpu/ {
         n = split("user nice system idle iowait irq softirq steal guest guest_nice", state, " ")
         core = $1 == "cpu" ? "" : "{cpu=" substr($1, 4) "}"
         for (i = 1; i <= n; i++) print "/proc/stat cpu " state[i] core "\t" $(i + 1)
       }' /proc/stat)",
     "/proc/stat cpu ", 16, kIdleSlack},
    // How many tasks run is another number at each look, and at a tick there are more of them than
    // between ticks: every recorder of the host wakes at the same moment.
    {"StatTotals", "awk", "mawk",
     R"(awk '!/^(cpu|procs_)/ { print "/proc/stat " $1 "\t" $2 }' /proc/stat)", "/proc/stat ", 3},
    {"Meminfo", "awk", "mawk",
     R"(awk '{ sub(":", "", $1); print "/proc/meminfo " $1 "\t" $2 }' /proc/meminfo)",
     "/proc/meminfo ", 30, 0, 0.05},
    {"Vmstat", "awk", "mawk", R"(awk '{ print "/proc/vmstat " $1 "\t" $2 }' /proc/vmstat)",
     "/proc/vmstat ", 20, 0, 0.05},
    {"Softirqs", "awk", "mawk",
     R"(awk 'NR == 1 { for (i = 1; i <= NF; i++) core[i] = substr($i, 4) }
         NR > 1 { sub(":", "", $1)
                  for (i = 2; i <= NF; i++)
                    print "/proc/softirqs " $1 "{cpu=" core[i - 1] "}\t" $i }' /proc/softirqs)",
     "/proc/softirqs ", 8},
    {"Interrupts", "awk", "mawk",
     R"(awk 'NR == 1 { cores = NF; for (i = 1; i <= NF; i++) core[i] = substr($i, 4) }
         NR > 1 && $1 !~ /^[0-9]/ && NF > cores { sub(":", "", $1)
                  for (i = 1; i <= cores; i++)
                    print "/proc/interrupts " $1 "{cpu=" core[i] "}\t" $(i + 1) }' /proc/interrupts)",
     "/proc/interrupts ", 2},
    {"Schedstat", "awk", "mawk", R"(awk '/^cpu/ {
         for (i = 2; i <= NF; i++)
           print "/proc/schedstat cpu field " (i - 1) "{cpu=" substr($1, 4) "}\t" $i
       }' /proc/schedstat)",
     "/proc/schedstat ", 4},
    {"Diskstats", "awk", "mawk",
     R"(awk '{ for (i = 4; i <= NF; i++)
                print "/proc/diskstats field " i "{dev=" $3 "}\t" $i }' /proc/diskstats)",
     "/proc/diskstats ", 11},
    {"Pressure", "sed", "sed", R"(for file in /proc/pressure/*; do
         sed -n "s|^\([a-z]*\) .*total=\([0-9]*\)$|$file \1\t\2|p" "$file" 2>/dev/null; done)",
     "/proc/pressure/", 5},
    {"NetDev", "ip", "iproute2", R"(ip -s link | awk '
         /^[0-9]+:/ { nic = $2; sub(":.*", "", nic); sub("@.*", "", nic) }
         way { print "/proc/net/dev " way " bytes{dev=" nic "}\t" $1
               print "/proc/net/dev " way " packets{dev=" nic "}\t" $2
               print "/proc/net/dev " way " errs{dev=" nic "}\t" $3; way = "" }
         $1 == "RX:" { way = "receive" }
         $1 == "TX:" { way = "transmit" }')",
     "/proc/net/dev ", 6},
    {"Snmp", "nstat", "iproute2", R"(nstat -asz | awk '{ print $1 "\t" $2 }')", "/proc/net/snmp ",
     20},
    {"Netstat", "nstat", "iproute2",
     R"(nstat -asz | awk '{ sub("^(Tcp|Ip)Ext", "", $1); print $1 "\t" $2 }')",
     "/proc/net/netstat ", 20},
    {"SocketSums", "ss", "iproute2", R"(ss -s | tr -d '(),' | awk '
         $1 == "Total:" { print "/proc/net/sockstat sockets used\t" $2 }
         $1 == "TCP:" { print "/proc/net/sockstat TCP orphan\t" $8
                        print "/proc/net/sockstat TCP tw\t" $10 }')",
     "/proc/net/sockstat ", 3, 0, 0.1},  // other tests open and close sockets meanwhile
    {"Sockets", "ss", "iproute2",
     R"(printf 'sock_diag state ESTABLISHED\t%s\n' $(ss -tnH state established | wc -l))",
     "sock_diag state ", 1},
    {"NetLink", "cat", "coreutils", R"sh(for nic in /sys/class/net/*; do
         for file in mtu tx_queue_len carrier_changes statistics/rx_missed_errors \
                     statistics/rx_crc_errors statistics/rx_nohandler; do
           printf '/sys/class/net/*/%s{dev=%s}\t%s\n' $file ${nic##*/} "$(cat $nic/$file)"
         done
       done)sh",
     "/sys/class/net/", 2},
    // Long ids of containers are cut in the names of channels, as they are in everybody's.
    {"CgroupMemory", "find", "findutils", R"sh(
       cd /sys/fs/cgroup/memory || cd /sys/fs/cgroup || exit
       find . -mindepth 2 -name memory.current -o -mindepth 2 -name memory.usage_in_bytes |
         while read -r file; do
           group=$(dirname "${file#.}" | sed -E 's/([0-9a-f]{12})[0-9a-f]{20,52}/\1/g')
           printf 'memory.current{cg=%s}\t%s\n' "$group" "$(cat "$file")"
         done)sh",
     "/sys/fs/cgroup/**/{memory.current", 1, 0, 0.05},
};

constexpr int kTicks = 8;

// What a channel was in each tick, and what the tool said around it.
struct Compared {
  model::Kind kind = model::Kind::kGauge;
  std::vector<std::array<std::uint64_t, 3>> ticks{};  // the tool before, ours, the tool after
};

// Returns the collectors of such sources.
std::vector<const CollectorDescriptor*> collectors_of(std::string_view sources) {
  std::vector<const CollectorDescriptor*> out;
  for (const auto& descriptor : registry()) {
    const auto metrics = descriptor.metrics();
    const bool has = std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) {
      return metric.source.starts_with(sources);
    });
    if (has) out.push_back(&descriptor);
  }
  return out;
}

std::optional<std::uint64_t> answer(const Answers& answers, const model::ChannelTable& channels,
                                    ChannelId id) {
  const auto& metric = channels.metric(id);
  const auto& instance = channels.channel(id).instance;
  for (const auto key : {metric.source, metric.alias}) {
    const auto it =
        answers.find(instance.empty() ? std::string(key) : fmt::format("{}{{{}}}", key, instance));
    if (it != answers.end()) return it->second;
  }
  return std::nullopt;
}

class Agreement : public ::testing::TestWithParam<Tool> {
 protected:
  // Lets both look in turn. REQUIRES: the tool says something here.
  void watch() {
    std::vector<std::string_view> names;
    for (const auto* collector : collectors_of(GetParam().sources)) {
      names.push_back(collector->name);
      in_background_ = in_background_ || collector->may_block;
    }
    asked_.push_back(ask(GetParam().command));
    if (asked_.front().empty()) return;
    const auto sampler = sampler_of(names);
    for (int tick = 0; tick < kTicks; ++tick) {
      const auto frame = sampler->next();
      ASSERT_TRUE(frame && *frame != nullptr);
      asked_.push_back(ask(GetParam().command));
      take(sampler->channels(), **frame);
    }
  }
  bool says_nothing() const { return asked_.front().empty(); }
  const std::map<std::string, Compared>& compared() const { return compared_; }

 private:
  void take(const model::ChannelTable& channels, const model::Frame& frame) {
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      const ChannelId id(i);
      const auto& metric = channels.metric(id);
      if (!frame.was_read(id) || metric.repr != model::Repr::kU64) continue;
      if (!metric.source.starts_with(GetParam().sources)) continue;
      // What is read on another thread is from some moment since the first answer.
      const auto& asked_before = in_background_ ? asked_.front() : asked_[asked_.size() - 2];
      const auto before = answer(asked_before, channels, id);
      const auto after = answer(asked_.back(), channels, id);
      if (!before || !after) continue;
      auto& channel = compared_[channels.name(id)];
      channel.kind = metric.kind;
      channel.ticks.push_back({*before, frame.bits[i], *after});
    }
  }

  bool in_background_ = false;
  std::vector<Answers> asked_;
  std::map<std::string, Compared> compared_;
};

bool lies_between(const std::array<std::uint64_t, 3>& tick, std::uint64_t slack) {
  const auto [before, ours, after] = tick;
  return ours + slack >= std::min(before, after) && ours <= std::max(before, after) + slack;
}

void expect_agreement(const std::string& name, const Compared& channel, const Tool& tool) {
  const auto& ticks = channel.ticks;
  const bool counts = channel.kind == model::Kind::kCounter || channel.kind == model::Kind::kEvent;
  const auto agrees = [&](const auto& tick) {
    const double own = tool.share * static_cast<double>(tick.back());
    return lies_between(tick, counts ? tool.slack : static_cast<std::uint64_t>(own));
  };
  const bool sound = counts ? std::all_of(ticks.begin(), ticks.end(), agrees)
                            : std::any_of(ticks.begin(), ticks.end(), agrees);
  if (sound) return;
  std::string shown;
  for (const auto& [before, ours, after] : ticks) {
    shown += fmt::format("\n  {} | {} | {}", before, ours, after);
  }
  ADD_FAILURE() << name << ": the tool before, ours, the tool after" << shown;
}

TEST_P(Agreement, OfEveryNumber) {
  const Tool& tool = GetParam();
  if (!has_program(tool.program)) {
    GTEST_SKIP() << tool.program << " is not installed; the package " << tool.package << " has it";
  }
  const Traffic traffic;
  ASSERT_NO_FATAL_FAILURE(watch());
  if (says_nothing()) GTEST_SKIP() << "this host has nothing of the kind";
  EXPECT_GE(compared().size(), tool.at_least);
  for (const auto& [name, channel] : compared()) expect_agreement(name, channel, tool);
}

INSTANTIATE_TEST_SUITE_P(With, Agreement, ::testing::ValuesIn(kTools),
                         [](const auto& tool) { return std::string(tool.param.name); });

// Agreement over counters that stand still would say little.
TEST(AgreementTraffic, MovesWhatIsCompared) {
  const Traffic traffic;
  const auto sampler = sampler_of({"stat", "net_dev", "snmp", "netstat"});
  constexpr std::string_view kMoving[] = {
      "network_received_bytes_total{dev=lo}", "network_sent_packets_total{dev=lo}",
      "network_tcp_received_segments_total", "network_tcp_delivered_segments_total",
      "cpu_context_switches_total"};
  std::map<std::string_view, std::vector<std::uint64_t>> seen;
  for (int tick = 0; tick < kTicks; ++tick) {
    const auto frame = sampler->next();
    ASSERT_TRUE(frame);
    for (const auto name : kMoving) {
      const auto id = sampler->channels().find_channel(name);
      ASSERT_TRUE(id) << name;
      if ((*frame)->was_read(*id)) seen[name].push_back((*frame)->bits[id->index()]);
    }
  }
  for (const auto name : kMoving) {
    ASSERT_FALSE(seen[name].empty()) << name;
    EXPECT_GT(seen[name].back(), seen[name].front()) << name;
  }
}

}  // namespace
}  // namespace reveal::collect
