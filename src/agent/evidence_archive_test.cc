#include "agent/evidence_archive.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/whole_file.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::int64_t kBegin_ns = 1'700'000'000'000'000'000;

class EvidenceArchive : public ::testing::Test {
 protected:
  EvidenceArchive() {
    LoggedFinding finding;
    finding.id = id_;
    finding.windows_begin_ns = finding.windows_end_ns = kBegin_ns;
    finding.fields = "{}";
    EXPECT_TRUE(save_finding(dir_.path(), finding));
    evidence_ = folder_of(dir_.path(), finding) / "evidence";
  }

  base::TempDir dir_;
  const std::string id_ = new_finding_id(kBegin_ns);
  fs::path evidence_;
};

TEST_F(EvidenceArchive, IsWhatTarUnpacks) {
  fs::create_directories(evidence_);
  const std::string odd(1000, 'x');
  const std::string even(1024, 'y');
  ASSERT_TRUE(base::write_new_file(evidence_ / "000001.rvs", odd));
  ASSERT_TRUE(base::write_new_file(evidence_ / "000002.rvs", even));
  ASSERT_TRUE(base::write_new_file(evidence_ / "empty", ""));
  const auto archive = evidence_archive(dir_.path(), id_);
  ASSERT_TRUE(archive) << archive.error().message();
  const auto file = dir_.path() / "archive.tar";
  ASSERT_TRUE(base::write_new_file(file, *archive));
  const auto command = "tar -xf " + file.string() + " -C " + dir_.path().string();
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c): a fixed command
  const auto unpacked = dir_.path() / id_;
  EXPECT_EQ(base::read_whole_file(unpacked / "000001.rvs", "file").value(), odd);
  EXPECT_EQ(base::read_whole_file(unpacked / "000002.rvs", "file").value(), even);
  EXPECT_EQ(base::read_whole_file(unpacked / "empty", "file").value(), "");
}

TEST_F(EvidenceArchive, OfWhatIsNotThereIsAnError) {
  const auto early = evidence_archive(dir_.path(), id_);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(early.error().message(), HasSubstr("not kept yet"));
  for (const std::string id : {"../../etc", "", "01ARYZ6S410000000000000000"}) {
    EXPECT_EQ(evidence_archive(dir_.path(), id).error().kind, base::ErrorKind::kAbsent) << id;
  }
}

}  // namespace
}  // namespace reveal::agent
