// One setting of many cores as a fact: "performance", or if cores differ "performance on 0-47;
// powersave on 48-95".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "procfs/cpu_set.h"

namespace reveal::collect {

class ValuesByCore {
 public:
  void clear();
  void add(std::uint32_t cpu, std::string_view value);

  // Returns on how many cores the setting has that value.
  std::size_t count(std::string_view value) const;
  bool empty() const { return used_ == 0; }

  // Returns the fact, valid until the next call; "" if there is no core.
  const std::string& text();

 private:
  struct Group {
    std::string value;
    procfs::CpuSet cores;
  };
  std::vector<Group> groups_;  // the first used_ count; the others keep their memory
  std::size_t used_ = 0;
  std::string text_;
};

}  // namespace reveal::collect
