#include "attribute/families.h"

namespace reveal::attribute {

model::Subsystem family_of(model::Subsystem subsystem) {
  return subsystem == model::Subsystem::kMemory ? model::Subsystem::kStorage : subsystem;
}

std::vector<std::size_t> rows_told_by(model::Subsystem subsystem,
                                      const std::vector<std::size_t>& rows,
                                      const std::vector<Families>& families) {
  if (families.empty()) return rows;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (has(families[i], subsystem)) out.push_back(rows[i]);
  }
  return out;
}

}  // namespace reveal::attribute
