// Segments that are lost between two hosts: the one that sends them waits and sends them again, and
// the one that they do not reach has others that come before them. Only the latter tells where:
// whatever is sent to it is lost, whoever sends.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "fleet/quantity.h"

namespace reveal::peers {

// Returns whether the quantity tells a sender that what it sends is lost or late on the way.
bool is_told_by_sender(const fleet::Quantity& quantity);

// Returns whether it counts the segments that come before earlier ones (TcpExt TCPOFOQueue), of the
// host as a whole.
bool is_told_by_receiver(const fleet::Quantity& quantity);

// A rise of the latter by less, in segments a second, says nothing.
inline constexpr double kFewestMissed = 2;
// The first among receivers misses so many times as much as the next.
inline constexpr double kClearly = 2;

// Returns the index of the receiver that segments do not reach, by how much each one's count rose
// (0: it did not); nothing if none or several of them come into question.
std::optional<std::size_t> receiver_of(std::span<const double> rises);

}  // namespace reveal::peers
