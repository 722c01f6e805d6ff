// What the kernel tells of one process: its line of /proc/PID/stat, its I/O and its control group.
// https://docs.kernel.org/filesystems/proc.html, tables 1-4 and "3.3 /proc/<pid>/io"; proc(5).
//
// Neither environment nor arguments are read, ever: the name is `comm`, at most 15 bytes of the
// program's choosing (kernel threads may have longer ones).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct ProcessStat {
  std::string_view name;           // any bytes: blanks, parentheses and line feeds too
  char state = '?';                // 'R' runs, 'S' sleeps, 'D' waits without a signal, ...
  std::uint64_t major_faults = 0;  // that needed a disk
  std::uint64_t cpu_ticks = 0;     // user and system time of all threads, in USER_HZ
  std::uint64_t start_ticks = 0;   // after boot, in USER_HZ: with the pid, whose process it is
  std::uint64_t resident_pages = 0;
};

// Returns what the line says, with a view into it; nothing if it is cut or no such line.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

// What storage was asked for in a process's name.
struct ProcessIo {
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
};

// Returns nothing if one of the two lines is missing.
std::optional<ProcessIo> parse_process_io(std::string_view text);

// Returns the path of the process's control group, below the mount: of version 2, or, if it is in
// one of version 1 that accounts for CPU time, of that. Empty if the text names none.
std::string_view parse_process_cgroup(std::string_view text);

// Returns the number of the namespace that a link of /proc/PID/ns leads to: 4026531840 for
// "net:[4026531840]". Nothing if the link is of another kind. See namespaces(7).
Value parse_namespace_link(std::string_view link, std::string_view kind);

}  // namespace reveal::procfs
