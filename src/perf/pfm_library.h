// libpfm4, loaded when the first event is asked for by its vendor's name: its tables of all
// processors take 2 MB of memory, which a host without such events need not pay, and a host on
// which it is not installed lacks those events only.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "perf/event_code.h"

namespace reveal::perf {

class PfmLibrary {
 public:
  static constexpr const char* kName = "libpfm.so.4";

  // Loads and starts the library, which stays loaded. Fails with kAbsent if there is none of that
  // name, or if it does not start.
  static base::Result<PfmLibrary> load(const char* name);

  // Returns the code of "skx::CYCLE_ACTIVITY:STALLS_L3_MISS" for all privilege levels. Fails with
  // kAbsent for an event that its tables do not have.
  base::Result<EventCode> encode(const std::string& event) const;

 private:
  struct Functions;
  explicit PfmLibrary(std::shared_ptr<const Functions> functions)
      : functions_(std::move(functions)) {}

  std::shared_ptr<const Functions> functions_;
};

}  // namespace reveal::perf
