#include "procfs/kernel_parameters.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

std::string told(std::string_view text) {
  std::string out = "left from before";
  tell_kernel_parameters(text, out);
  return out;
}

TEST(KernelParameters, ValuesAreToldOnlyOfThoseThatBearOnSpeed) {
  EXPECT_EQ(told(""), "");
  EXPECT_EQ(told("mitigations=off"), "");  // cut: the kernel ends the line
  EXPECT_EQ(told("\n"), "");
  EXPECT_EQ(told("ro quiet nosmt\n"), "ro quiet nosmt");
  EXPECT_EQ(told("root=UUID=0a1b ip=10.0.0.7 mitigations=off\n"),
            "root=... ip=... mitigations=off");
  EXPECT_EQ(told("isolcpus=2-47 password=x=y rcu_nocbs=2-47\n"),
            "isolcpus=2-47 password=... rcu_nocbs=2-47");
  EXPECT_EQ(told("iommu=pt -- --token abc\n"), "iommu=pt");
}

const ParserCase kFuzzed("proc/cmdline", [](std::string_view text) {
  std::string told;
  tell_kernel_parameters(text, told);
  require(told.find('\n') == std::string::npos);
});

}  // namespace
}  // namespace reveal::procfs
