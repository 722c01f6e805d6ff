// Analysers that share a bucket of leases, a file and a fleet, in one process with a clock of its
// own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analyser/alert_desk.h"
#include "analyser/leases.h"
#include "analyser/loop.h"
#include "base/temp_dir.h"
#include "bus/testing/fake_bus.h"
#include "bus/testing/fake_lease_bucket.h"
#include "peers/json.h"
#include "peers/testing/made_fleet.h"

namespace reveal::analyser {

using peers::kSecond_ns;
using peers::MadeFleet;

inline const std::string kTrainGroup = "role=train";

struct SharedWorld {
  bus::FakeBroker facts;
  bus::FakeBroker events;
  bus::FakeBroker levels;
  bus::FakeLeases leases;
  base::TempDir folder;
  bool has_file = true;
  bool has_receivers = false;
  std::int64_t steady_ns = 77 * kSecond_ns;
};

class Analyser {
 public:
  Analyser(SharedWorld& world, const std::string& name, const std::string& file = "fleet.db")
      : world_(world) {
    auto bucket = std::make_unique<bus::FakeLeaseBucket>(world.leases);
    bucket_ = bucket.get();
    leases_ = std::make_unique<Leases>(std::move(bucket), name, [&] { return world_.steady_ns; });
    AnalyserOutput output;
    output.incident = [this](const peers::News& one) {
      news.push_back(one);
      return base::Result<void>();
    };
    output.notice = [this](std::string_view line) { notices.emplace_back(line); };
    std::optional<Keeper> keeper;
    std::vector<peers::Incident> open;
    if (world.has_file) {
      auto ledger = ledger::Ledger::open(world.folder.path() / file);
      EXPECT_TRUE(ledger) << ledger.error().message();
      const auto details = ledger->open_incidents();
      EXPECT_TRUE(details);
      for (const auto& detail : *details) open.push_back(*peers::read_incident(detail));
      keeper.emplace(std::move(*ledger), output.notice);
    }
    loop_ = std::make_unique<Loop>(
        Loop::Subscribers{std::make_unique<bus::FakeSubscriber>(world.facts),
                          std::make_unique<bus::FakeSubscriber>(world.events),
                          std::make_unique<bus::FakeSubscriber>(world.levels)},
        std::move(keeper), std::move(output), [&] { return world_.steady_ns; }, leases_.get(),
        world.has_receivers ? &desk : nullptr);
    loop_->resume(std::move(open));
  }
  void round() {
    leases_->round();
    ASSERT_TRUE(loop_->round());
    leases_->round();
  }
  // Judges without a word with the broker of leases: as in the moment in which it is stopped.
  void judge() { ASSERT_TRUE(loop_->round()); }
  void give_back() { leases_->give_back(); }
  bus::FakeLeaseBucket& bucket() { return *bucket_; }
  bool judges() const {
    const auto views = leases_->view();
    const auto found = views.find(kTrainGroup);
    return found != views.end() && world_.steady_ns < found->second.held_until_ns;
  }

  std::vector<peers::News> news;
  std::vector<std::string> notices;
  AlertDesk desk;

 private:
  SharedWorld& world_;
  bus::FakeLeaseBucket* bucket_ = nullptr;
  std::unique_ptr<Leases> leases_;
  std::unique_ptr<Loop> loop_;
};

class ManyAnalysers : public ::testing::Test {
 protected:
  using Those = std::vector<Analyser*>;

  explicit ManyAnalysers(std::size_t hosts = 4) : hosts_(hosts) {}

  // Makes seconds until then; `slow` are slow until `slow_to`.
  void run(std::size_t to, const Those& analysers) {
    for (; second < to; ++second) {
      made.send_second(second, [this](std::size_t host, std::size_t quantity, std::size_t s) {
        const bool is_it = slow.contains(host) && quantity == peers::kRetransmits &&
                           s >= slow[host] && s < slow_to;
        return is_it ? 0.04F : peers::usual_level(host, quantity, s);
      });
      world.steady_ns += kSecond_ns;
      world.leases.now_ns = world.steady_ns;
      for (auto* one : analysers) one->round();
    }
  }
  static std::vector<peers::News> all(const Those& analysers) {
    std::vector<peers::News> out;
    for (const auto* one : analysers) out.insert(out.end(), one->news.begin(), one->news.end());
    return out;
  }
  static void expect_told_once(const std::vector<peers::News>& told) {
    ASSERT_GE(told.size(), 2u);
    for (std::size_t i = 0; i < told.size(); ++i) {
      EXPECT_EQ(told[i].incident.id, told[0].incident.id);
      EXPECT_EQ(told[i].incident.revision, i + 1);
      EXPECT_EQ(told[i].told == peers::Told::kOpened, i == 0);
      EXPECT_EQ(told[i].told == peers::Told::kClosed, i + 1 == told.size());
    }
  }
  std::vector<ledger::Row> rows(const std::string& statement) const {
    const auto opened =
        ledger::open_database(world.folder.path() / "fleet.db", ledger::Access::kRead);
    EXPECT_TRUE(opened);
    auto out = (*opened)->query(statement);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : std::vector<ledger::Row>();
  }

  std::size_t hosts_;
  SharedWorld world;
  MadeFleet made{hosts_, peers::made_dictionary(),
                 [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                   auto& broker =
                       subject.find(".lvl.") != std::string::npos ? world.levels : world.facts;
                   broker.kept.push_back({subject, payload, broker.kept.size() + 1, stored_ns, 0});
                 }};
  std::size_t second = 0;
  std::map<std::size_t, std::size_t> slow{{2, 200}};  // hosts, and from when on
  std::size_t slow_to = 260;
};

}  // namespace reveal::analyser
