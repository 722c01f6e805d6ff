#include "service/placed_error.h"

#include <utility>

namespace reveal::service {

base::Unexpected placed(const settings::Given& given, std::string_view section,
                        std::string_view key, base::Error error) {
  const auto place = given.place_of(section, key);
  error.kind = base::ErrorKind::kUsage;
  error.where = error.where.empty() ? place : place + ": " + error.where;
  return base::Unexpected(std::move(error));
}

}  // namespace reveal::service
