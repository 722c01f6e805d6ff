// How recorders say in events that a GPU is gone from the bus: XID 79 of NVIDIA's driver, and
// NVML's GPU_IS_LOST.
#pragma once

#include <string>
#include <string_view>

#include "model/frame.h"

namespace reveal::model {

inline constexpr std::string_view kFallenOffTheBus = "fallen off the bus";

inline bool tells_lost_gpu(const Note& note) {
  return note.kind == Note::Kind::kEvent && note.text.find(kFallenOffTheBus) != std::string::npos;
}

}  // namespace reveal::model
