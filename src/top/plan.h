// How the lines and columns of a terminal are shared out.
#pragma once

#include <cstddef>

#include "top/screen.h"

namespace reveal::top {

inline constexpr Size kSmallest{10, 40};

struct Plan {
  bool axis = false;  // the times below the strips
  bool findings_header = false;
  std::size_t findings = 1;       // that are shown; 1 line is for there being none
  std::size_t finding_lines = 1;  // each
  std::size_t details = 0;        // lines below the first: its evidence, and what to try
  bool channels_header = false;
  std::size_t channels = 0;
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  bool usual = false;     // is there room for the usual value?
  std::size_t curve = 0;  // columns; 0: no room
};

bool too_small(Size size);

// Returns the plan for a screen with that many strips and findings to show, and as many details of
// the first finding. REQUIRES: !too_small(size); as many strips as there are subsystems at most.
Plan plan_of(Size size, std::size_t strips, std::size_t findings, std::size_t details);

}  // namespace reveal::top
