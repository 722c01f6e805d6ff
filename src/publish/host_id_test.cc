#include "publish/host_id.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "wire/subject.h"

namespace reveal::publish {
namespace {

using testing::HasSubstr;

class HostId : public testing::Test {
 protected:
  HostId() { write(machine, "0123456789abcdef0123456789abcdef\n"); }
  static void write(const std::filesystem::path& file, const std::string& text) {
    ASSERT_TRUE(base::write_new_file(file, text));
  }
  std::string refused() const {
    const auto id = host_id(file, machine);
    return id ? *id : id.error().message();
  }

  base::TempDir dir;
  const std::filesystem::path file = dir.path() / "identity";
  const std::filesystem::path machine = dir.path() / "machine-id";
};

TEST_F(HostId, IsMadeOnceAndKept) {
  const auto first = host_id(file, machine);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_TRUE(wire::is_host_id(*first));
  EXPECT_EQ(host_id(file, machine).value(), *first);
  EXPECT_NE(host_id(dir.path() / "other", machine).value(), *first);
}

TEST_F(HostId, OfAnotherMachineIsRefused) {
  ASSERT_TRUE(host_id(file, machine));
  write(machine, "fedcba9876543210fedcba9876543210\n");
  EXPECT_THAT(refused(), HasSubstr("was made on another machine"));
  EXPECT_THAT(refused(), HasSubstr("remove it"));
  std::filesystem::remove(file);
  EXPECT_TRUE(host_id(file, machine));
}

// In a container, which may have another host's file system around it each time.
TEST_F(HostId, WithoutAMachineIdIsTaken) {
  const auto first = host_id(file, machine);
  ASSERT_TRUE(first);
  std::filesystem::remove(machine);
  EXPECT_EQ(host_id(file, machine).value(), *first);
  const auto other = dir.path() / "other";
  const auto made = host_id(other, machine);
  ASSERT_TRUE(made);
  write(machine, "0123456789abcdef0123456789abcdef\n");
  EXPECT_EQ(host_id(other, machine).value(), *made);
}

TEST_F(HostId, ThatIsNoneIsRefusedAndLeftAsItIs) {
  const std::string id(26, 'a');
  for (const auto& text : {std::string(), std::string("\n"), id + "b\n", id.substr(1) + "\n",
                           "A" + id.substr(1) + "\n", id + "\nother\n"}) {
    write(file, text);
    EXPECT_THAT(refused(), HasSubstr("does not hold the id of a host")) << text;
  }
  write(file, id + "\n");
  EXPECT_EQ(refused(), id);
}

TEST_F(HostId, WithoutAFolderIsAnError) {
  EXPECT_FALSE(host_id(dir.path() / "none" / "identity", machine));
}

}  // namespace
}  // namespace reveal::publish
