// What the user says about files of samples that other programs wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "exchange/mapping.h"

namespace reveal::exchange {

struct ImportOptions {
  std::string time_column;                  // empty: guessed
  std::string host;                         // empty: as the file says
  std::optional<std::int64_t> interval_ns;  // nothing: guessed
  Mapping mapping;
};

}  // namespace reveal::exchange
