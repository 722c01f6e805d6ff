// What `ss -ti` says of each TCP connection, against our summary over all of them. Connections that
// exchanged something and then rest keep their numbers, so the two must agree to the microsecond
// once nothing moves.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <gmock/gmock.h>

#include "witness.h"

namespace reveal::collect {
namespace {

// Returns that field of every connection: "rtt:" of "rtt:0.031/0.012" is 0.031.
std::vector<double> column(const std::string& text, const std::string& field) {
  auto out = numbers_after(text, field);
  std::sort(out.begin(), out.end());
  return out;
}

struct Field {
  const char* metric;
  const char* field;
  double factor;  // ours is theirs times that
};

// Both before the scale of the metric: microseconds, and ss has milliseconds.
constexpr Field kFields[] = {
    {"network_tcp_round_trip_median_seconds", "rtt:", 1000},
    {"network_tcp_round_trip_least_median_seconds", "minrtt:", 1000},
    {"network_tcp_window_median_segments", "cwnd:", 1},
};

bool are_same(const std::string& one, const std::string& other) {
  return std::all_of(std::begin(kFields), std::end(kFields), [&](const Field& field) {
    return column(one, field.field) == column(other, field.field);
  });
}

TEST(TcpAgreement, MediansAreThoseOfSs) {
  if (!has_program("ss")) GTEST_SKIP() << "ss is not installed; the package iproute2 has it";
  std::vector<Connection> connections;
  for (int i = 0; i < 5; ++i) {
    connections.push_back(Listener(AF_INET).connect());
    for (int turn = 0; turn < 4 * (i + 1); ++turn) connections.back().exchange(1024U << i);
  }
  const auto sampler = sampler_of({"tcp_sockets"});
  constexpr int kTries = 10;  // others of this host may open and use connections meanwhile
  for (int i = 0; i < kTries; ++i) {
    const std::string before = output_of("ss -tinOH state established");
    std::map<std::string, std::uint64_t> ours;
    for (int tick = 0; tick < 3; ++tick) {  // so that the last one was read after `before`
      const auto frame = sampler->next();
      ASSERT_TRUE(frame);
      for (const auto& field : kFields) {
        const auto id = sampler->channels().find_channel(field.metric);
        if (id && (*frame)->was_read(*id)) ours[field.metric] = (*frame)->bits[id->index()];
      }
    }
    if (!are_same(before, output_of("ss -tinOH state established"))) continue;
    ASSERT_GE(column(before, "rtt:").size(), 2 * connections.size());
    for (const auto& field : kFields) {
      ASSERT_TRUE(ours.contains(field.metric)) << field.metric;
      const double theirs = std::round(middle_of(column(before, field.field)) * field.factor);
      EXPECT_EQ(static_cast<double>(ours[field.metric]), theirs) << field.metric;
    }
    return;
  }
  GTEST_SKIP() << "this host's connections never rested";
}

}  // namespace
}  // namespace reveal::collect
