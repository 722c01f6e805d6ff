#include "peers/lost_segments.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::optional<std::size_t> receiver(const std::vector<double>& rises) {
  return receiver_of(rises);
}

TEST(LostSegments, TheReceiverIsTheOneThatMissesClearlyMost) {
  EXPECT_EQ(receiver({0, 30, 0}), 1u);
  EXPECT_EQ(receiver({15, 30, 0}), 1u);
  EXPECT_EQ(receiver({16, 30, 0}), std::nullopt) << "two that miss alike";
  EXPECT_EQ(receiver({0, 1.9, 0}), std::nullopt) << "too few";
  EXPECT_EQ(receiver({}), std::nullopt);
}

constexpr std::size_t kMissed = kMadeQuantities;

wire::Dictionary with_missed() {
  auto out = made_dictionary();
  out.quantities.push_back(
      made_quantity("network_tcp_out_of_order_total", "TCP segments out of order", "segments/s",
                    model::Kind::kCounter, model::Subsystem::kNetwork, 0.5F, 1000));
  return out;
}

// Host 1 sends 4 % again; hosts miss so many segments a second, by host.
MadeFleet::Level lossy(const std::vector<float>& missed, float sent_again = 0.04F) {
  const auto sender = spliced({1}, kRetransmits, sent_again);
  return [=](std::size_t host, std::size_t quantity, std::size_t second) {
    if (quantity != kMissed) return sender(host, quantity, second);
    return second >= kFrom && second < kTo ? missed[host] : 0.0F;
  };
}

std::vector<std::string> parts(const Incident& incident) {
  std::vector<std::string> out;
  for (const auto& host : incident.hosts) {
    out.push_back(host.name + " " + std::string(to_string(host.part)));
  }
  return out;
}

std::vector<News> opened_of(const std::vector<float>& missed, float sent_again = 0.04F) {
  Lab lab(5, with_missed());
  lab.made.introduce();
  lab.run(0, 300, lossy(missed, sent_again));
  return lab.of(Told::kOpened);
}

// 30 a second are far fewer than the 1,000 at which a host is slow by them alone.
TEST(LostSegments, TheHostThatMissesThemIsTheCauseAndTheSenderWaits) {
  const auto opened = opened_of({0, 0, 0, 30, 0});
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_THAT(parts(opened[0].incident), testing::UnorderedElementsAre("n01 victim", "n03 cause"));
  EXPECT_EQ(opened[0].incident.main_evidence()->quantity.metric, "network_tcp_out_of_order_total");
}

TEST(LostSegments, TheSenderIsNamedIfNobodyIsSeenToMissThem) {
  const auto opened = opened_of({0, 0, 0, 0, 0});
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_THAT(parts(opened[0].incident), ElementsAre("n01 cause"));
}

TEST(LostSegments, TheSenderIsNamedIfSeveralMissThem) {
  const auto opened = opened_of({0, 0, 30, 30, 0});
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_THAT(parts(opened[0].incident), ElementsAre("n01 cause"));
}

TEST(LostSegments, NobodyIsSlowWhoOnlyMissesSome) {
  EXPECT_THAT(opened_of({0, 0, 0, 30, 0}, 0), IsEmpty());
}

}  // namespace
}  // namespace reveal::peers
