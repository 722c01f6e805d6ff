#include "attribute/families.h"

namespace reveal::attribute {

model::Subsystem family_of(model::Subsystem subsystem) {
  return subsystem == model::Subsystem::kMemory ? model::Subsystem::kStorage : subsystem;
}

}  // namespace reveal::attribute
