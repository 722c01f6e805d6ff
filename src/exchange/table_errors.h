// What is wrong with a row of a table, for the readers of known layouts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/result.h"

namespace reveal::exchange {

inline base::Unexpected wrong_width(std::size_t has, std::size_t asked, const std::string& where,
                                    std::string_view remedy) {
  return base::fail(base::ErrorKind::kCorrupt,
                    fmt::format("has {} cells, but the header has {}", has, asked), where,
                    std::string(remedy));
}

inline base::Unexpected not_a_number(std::string_view column, std::string_view cell,
                                     const std::string& where, std::string_view remedy) {
  return base::fail(base::ErrorKind::kCorrupt,
                    fmt::format("column {}: \"{}\" is not a number", column, cell), where,
                    std::string(remedy));
}

inline base::Unexpected not_a_time(std::string_view column, std::string_view cell,
                                   const std::string& where, std::string_view remedy) {
  return base::fail(base::ErrorKind::kCorrupt,
                    fmt::format("column {}: \"{}\" is not a time", column, cell), where,
                    std::string(remedy));
}

}  // namespace reveal::exchange
