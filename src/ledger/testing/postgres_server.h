// A real PostgreSQL server for tests, with a data folder and a socket of its own and no port. It
// can be killed and started again, also as a standby. It refuses to run as root, and then runs as
// nobody.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::ledger {

class PostgresServer {
 public:
  // Returns the folder of its programs: where Debian installs them, else in PATH; empty if there
  // are none.
  static std::filesystem::path programs() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(std::string("/usr/lib/postgresql/15/bin:") +
                               (path == nullptr ? "" : path));
    std::error_code ignored;
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (std::filesystem::exists(folder + "/initdb", ignored)) return folder;
    }
    return {};
  }

  PostgresServer() {
    const auto folder = folder_.path();
    EXPECT_TRUE(base::write_new_file(folder / "log", ""));
    if (::geteuid() == 0) {
      const auto* nobody = ::getpwnam("nobody");
      user_ = nobody->pw_uid;
      group_ = nobody->pw_gid;
      EXPECT_EQ(::chown(folder.c_str(), user_, group_), 0);
      EXPECT_EQ(::chown((folder / "log").c_str(), user_, group_), 0);
    }
    const auto data = (folder / "data").string();
    const auto made = spawn(
        {"initdb", "-D", data, "-U", "reveal", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"});
    int status = 0;
    ::waitpid(made, &status, 0);
    EXPECT_EQ(status, 0) << log();
    start();
  }
  ~PostgresServer() { kill(); }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // Starts it, and waits until it takes connections. After a kill its processes may live on for a
  // moment, in which it refuses to start.
  void start() {
    const auto folder = folder_.path().string();
    for (int tries = 0; tries < 500; ++tries) {
      if (process_ < 0) {
        process_ = spawn({"postgres", "-D", folder + "/data", "-k", folder, "-c",
                          "listen_addresses=", "-c", "fsync=off"});
      }
      if (takes_connections()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      int status = 0;
      if (::waitpid(process_, &status, WNOHANG) == process_) process_ = -1;
    }
    FAIL() << "no PostgreSQL: " << log();
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  // It only reads from now on, as one that is to take over from another. (Of what that one writes
  // it learns nothing here.) It can be promoted.
  void become_standby() {
    kill();
    const auto file = folder_.path() / "data" / "standby.signal";
    EXPECT_TRUE(base::write_new_file(file, ""));
    if (::geteuid() == 0) {
      EXPECT_EQ(::chown(file.c_str(), user_, group_), 0);
    }
    start();
  }

  // Returns the folder of its socket, which is its host for libpq.
  std::string folder() const { return folder_.path().string(); }
  // Returns the URL of its one database; `more` is added to it.
  std::string url(const std::string& more = {}) const {
    return "postgresql:///postgres?host=" + folder() + "&user=reveal" + more;
  }

 private:
  pid_t spawn(const std::vector<std::string>& words) const {
    const auto folder = programs();
    const auto libraries = (folder / "../../../x86_64-linux-gnu").string();
    const auto log = (folder_.path() / "log").string();
    const auto child = ::fork();
    if (child != 0) return child;
    const int out = ::open(log.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(group_) != 0 ||
                             ::setuid(user_) != 0 || ::chdir("/") != 0)) {
      ::_exit(126);
    }
    // A package that was unpacked brings some of its libraries.
    if (!folder.string().starts_with("/usr/")) ::setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
    // It looks for its other programs by its own name: one without a folder may be another's in
    // PATH.
    const auto program = (folder / words.front()).string();
    std::vector<char*> arguments{const_cast<char*>(program.c_str())};
    for (std::size_t i = 1; i < words.size(); ++i) {
      arguments.push_back(const_cast<char*>(words[i].c_str()));
    }
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
  }
  // Its file says so once it is up.
  bool takes_connections() const {
    std::ifstream file(folder_.path() / "data" / "postmaster.pid");
    std::string line;
    std::string last;
    bool is_own = false;
    for (int number = 0; std::getline(file, line); ++number) {
      if (number == 0) is_own = line == std::to_string(process_);
      last = line;
    }
    return is_own && last.starts_with("ready");
  }
  std::string log() const {
    std::ifstream file(folder_.path() / "log");
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
  }

  base::TempDir folder_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  pid_t process_ = -1;
};

}  // namespace reveal::ledger
