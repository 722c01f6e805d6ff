#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/told_facts.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using IrqAffinityFacts = ToldFacts;

TEST_F(IrqAffinityFacts, OfInterrupts) {
  open(find_collector("irq_affinity")->make());
  const Facts first = news();
  // 0, 96, 97, 120, 140 and 141; 151 is nobody's.
  EXPECT_EQ(value("cpu_irq_confined_interrupts"), 6u);
  EXPECT_EQ(value("cpu_irq_serving_cores"), 5u);    // 0, 1, 2, 4, 7
  EXPECT_EQ(value("cpu_irq_most_interrupts"), 5u);  // core 0: 0, 96, 98, 130, 150
  EXPECT_EQ(first.at("interrupts of mlx5_comp@pci:0000:3b:00.0"), "2 on cores 0-1");
  EXPECT_EQ(first.at("interrupts of nvme0q"), "2 on cores 0,4");
  EXPECT_EQ(first.at("interrupts of nvme1q"), "2 on cores 7");
  EXPECT_EQ(first.at("interrupts of nvidia"), "1 on cores 0");
  EXPECT_THAT(news(), IsEmpty());
  write("proc/irq/97/effective_affinity_list", "0\n");
  EXPECT_THAT(news(),
              ElementsAre(Pair("interrupts of mlx5_comp@pci:0000:3b:00.0", "2 on cores 0")));
  EXPECT_EQ(value("cpu_irq_serving_cores"), 4u);
  fs::remove_all(path_ / "proc/irq/150");
  EXPECT_THAT(news(), ElementsAre(Pair("interrupts of nvidia", "")));
}

TEST_F(IrqAffinityFacts, OfSoManyInterruptsThatOneReadingIsNotEnough) {
  for (int irq = 1000; irq < 1600; ++irq) {
    const auto folder = path_ / "proc/irq" / std::to_string(irq);
    fs::create_directories(folder);
    std::ofstream(folder / "smp_affinity_list") << "3\n";
    std::ofstream(folder / "effective_affinity_list") << "3\n";
  }
  open(find_collector("irq_affinity")->make());
  news();
  EXPECT_EQ(value("cpu_irq_confined_interrupts"), 606u);
  EXPECT_EQ(value("cpu_irq_most_interrupts"), 600u);
  write("proc/irq/1599/smp_affinity_list", "0-7\n");
  for (int reading = 0; reading < 4; ++reading) news();
  EXPECT_EQ(value("cpu_irq_confined_interrupts"), 605u);
}

}  // namespace
}  // namespace reveal::collect
