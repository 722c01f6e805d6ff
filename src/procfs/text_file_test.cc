// Not fuzzed here: it reads files and parses no text.
#include "procfs/text_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "procfs/host_root.h"

namespace reveal::procfs {
namespace {

class TextFileTest : public ::testing::Test {
 protected:
  TextFileTest() : path_(::testing::TempDir() + "text_file_" + std::to_string(::getpid())) {}
  ~TextFileTest() override { std::filesystem::remove_all(path_); }
  void write(std::string_view text) { std::ofstream(path_, std::ios::trunc) << text; }
  // Replaces the file as an editor does: a new file takes the name.
  void replace(std::string_view text) {
    std::ofstream(path_ + ".new") << text;
    std::filesystem::rename(path_ + ".new", path_);
  }
  void remove() { std::filesystem::remove(path_); }

  std::string path_;
};

TEST_F(TextFileTest, AbsentFileIsAbsentUntilItComes) {
  TextFile file(path_);
  const auto absent = file.read();
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(absent.error().message(), ::testing::StartsWith(path_ + ": "));
  write("here\n");
  EXPECT_EQ(file.read().value(), "here\n");
}

TEST_F(TextFileTest, ReadsAgainFromTheStart) {
  write("one\n");
  TextFile file(path_);
  EXPECT_EQ(file.read().value(), "one\n");
  write("two, longer\n");
  EXPECT_EQ(file.read().value(), "two, longer\n");
  write("");
  EXPECT_EQ(file.read().value(), "");
}

TEST_F(TextFileTest, TextOfAnySizeIsWhole) {
  const std::string large(100'000, 'x');
  write(large);
  TextFile file(path_);
  EXPECT_EQ(file.read().value(), large);
  const std::string exact(4096, 'y');
  write(exact);
  EXPECT_EQ(file.read().value(), exact);
}

TEST_F(TextFileTest, FileThatVanishesFailsAndComesBack) {
  write("one\n");
  TextFile file(path_);
  ASSERT_TRUE(file.read());
  remove();
  EXPECT_FALSE(file.read());
  write("two\n");
  EXPECT_EQ(file.read().value(), "two\n");
  replace("three\n");
  EXPECT_EQ(file.read().value(), "three\n");
}

TEST_F(TextFileTest, DirectoryIsAnErrorNotText) {
  std::filesystem::create_directory(path_);
  TextFile file(path_);
  EXPECT_FALSE(file.read());
}

TEST_F(TextFileTest, KernelFileIsWholeAcrossShortReads) {
  // Several pages long on any kernel, so seq_file hands it out in parts; its last line is complete.
  TextFile file("/proc/kallsyms");
  const auto text = file.read();
  if (!text) GTEST_SKIP() << text.error().message();
  EXPECT_GT(text->size(), 100'000u);
  EXPECT_EQ(text->back(), '\n');
}

TEST(HostRoot, PathsStayBelowTheRoots) {
  const HostRoot root{"/host/proc", "/host/sys"};
  EXPECT_EQ(root.proc_path("net/dev"), "/host/proc/net/dev");
  EXPECT_EQ(root.sys_path("block"), "/host/sys/block");
  EXPECT_FALSE(root.is_live());
  EXPECT_TRUE(HostRoot{}.is_live());
}

// What the kernel says in one call is no less than what it says until the end.
TEST(TextFileOfTheKernel, AShortTextIsWhole) {
  for (const std::string path : {"/proc/net/snmp", "/proc/net/netstat", "/proc/version"}) {
    TextFile once(path, kOneRecord);
    TextFile until_end(path);
    const auto known = until_end.read();
    if (!known) continue;  // no network in this namespace
    const auto lines = [](std::string_view text) {
      return std::count(text.begin(), text.end(), '\n');
    };
    const auto wanted = lines(*known);
    EXPECT_EQ(lines(once.read().value()), wanted) << path;
    EXPECT_EQ(lines(once.read().value()), wanted) << path;
  }
}

// More mappings than fit the kernel's buffer, so it says them in parts.
TEST(TextFileOfTheKernel, ATextInPartsIsReadToItsEnd) {
  constexpr std::size_t kMappings = 200;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<void*> mappings;
  for (std::size_t i = 0; i < kMappings; ++i) {
    // Neighbors with the same rights would become one.
    const int rights = i % 2 == 0 ? PROT_READ : PROT_NONE;
    mappings.push_back(::mmap(nullptr, page, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(mappings.back(), MAP_FAILED);
  }
  TextFile file("/proc/self/maps", 1024);
  const auto text = file.read();
  ASSERT_TRUE(text);
  EXPECT_GE(std::count(text->begin(), text->end(), '\n'), static_cast<std::ptrdiff_t>(kMappings));
  EXPECT_THAT(std::string(*text), ::testing::HasSubstr("[stack]"));
  for (void* mapping : mappings) ::munmap(mapping, page);
}

}  // namespace
}  // namespace reveal::procfs
