// The bounds of docs/wire_format.md. A decoder refuses what exceeds them before it allocates.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reveal::wire {

inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::size_t kHeadBytes = 24;

inline constexpr std::size_t kMaxQuantities = 16'384;
inline constexpr std::size_t kMaxPlainBytes = 2'097'152;  // of what is packed
inline constexpr std::size_t kMaxPackedBytes = 524'288;
// A broker's usual limit is 1 MiB a message.
inline constexpr std::size_t kMaxMessageBytes = kHeadBytes + 4 + kMaxPackedBytes;

inline constexpr std::size_t kMaxName = 256;  // bytes of most texts
inline constexpr std::size_t kMaxUnit = 64;
inline constexpr std::size_t kMaxFindingId = 64;
inline constexpr std::size_t kMaxClaim = 2048;
inline constexpr std::size_t kMaxPattern = 128;
inline constexpr std::size_t kMaxDetail = 12'288;
inline constexpr std::size_t kMaxLabelName = 64;
inline constexpr std::size_t kMaxFactText = 1024;

inline constexpr std::size_t kMaxLabels = 64;
inline constexpr std::size_t kMaxGroups = 16;
inline constexpr std::size_t kMaxFacts = 4096;
inline constexpr std::uint32_t kMaxProcessors = 65'536;

// Of questions and answers.
inline constexpr std::size_t kMaxTarget = 2048;
inline constexpr std::size_t kMaxEventId = 64;
inline constexpr std::size_t kMaxMediaType = 128;
inline constexpr std::uint64_t kLeastStatus = 200;
inline constexpr std::uint64_t kMostStatus = 599;
inline constexpr std::uint64_t kMostRetry_s = 3600;
// Of a part's body: small, so that what is large is not long in the way of what is small.
inline constexpr std::size_t kMostPartBytes = 262'144;
inline constexpr std::uint64_t kMostAnswerBytes = 16'777'216;

inline constexpr std::int64_t kShortestBucket_ns = 1'000'000;
inline constexpr std::int64_t kLongestBucket_ns = 3'600'000'000'000;

inline constexpr std::uint32_t kUnknownClockError = 0xFFFFFFFFU;

}  // namespace reveal::wire
