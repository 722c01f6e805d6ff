#include <array>
#include <cstring>

#include <sys/prctl.h>

#include "cli/command.h"

namespace {

// A process that Reveal started as /proc/self/exe (record/own_process.cc) is "exe" in ps and top.
void take_name() {
  std::array<char, 16> name{};
  ::prctl(PR_GET_NAME, name.data());
  if (std::strcmp(name.data(), "exe") == 0) ::prctl(PR_SET_NAME, "reveal");
}

}  // namespace

int main(int argc, char** argv) {
  take_name();
  return reveal::cli::run_command_line(argc, argv);
}
