// What the library's answers mean: which will be the same for long, which say that the GPU is lost,
// and the number in a field.
#pragma once

#include <cstdint>
#include <optional>

#include "gpu/nvml_api.h"

namespace reveal::gpu {

inline constexpr std::int64_t kAskAgainNs = 60'000'000'000;

// Answers that will be the same for long; others are worth asking again at once.
inline bool is_lasting(int result) {
  return result == kNvmlNotSupported || result == kNvmlFunctionNotFound ||
         result == kNvmlInvalidArgument || result == kNvmlNoPermission || result == kNvmlNotFound;
}

inline bool means_lost(int result) {
  return result == kNvmlGpuIsLost || result == kNvmlResetRequired;
}

// The number of a field as its type says; nothing for a type that is not known.
inline std::optional<double> real_of(const NvmlFieldValue& field) {
  switch (field.type) {
    case kNvmlDouble:
      return field.value.real;
    case kNvmlU32:
      return field.value.u32;
    case kNvmlWord:
      return static_cast<double>(field.value.word);
    case kNvmlU64:
      return static_cast<double>(field.value.u64);
    case kNvmlS64:
      return static_cast<double>(field.value.s64);
    case kNvmlS32:
      return field.value.s32;
    case kNvmlU16:
      return field.value.u16;
    default:
      return std::nullopt;
  }
}

inline std::optional<std::uint64_t> whole_of(const NvmlFieldValue& field) {
  switch (field.type) {
    case kNvmlU32:
      return field.value.u32;
    case kNvmlWord:
      return field.value.word;
    case kNvmlU64:
      return field.value.u64;
    case kNvmlU16:
      return field.value.u16;
    default:
      break;
  }
  const auto real = real_of(field);
  if (!real || !(*real >= 0) || *real > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(*real);
}

}  // namespace reveal::gpu
