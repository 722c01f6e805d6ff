// What one reader of a stream still has to get.
//
// Events are taken from the site's board as the client takes them, so little waits here. A client
// that stalls is cut once more than kMostStreamUnsent bytes of new events wait for it. Events that
// it asked for when it came back are allowed besides, until they are sent.
//
// For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "http/event_log.h"
#include "http/site.h"
#include "http/wire.h"

namespace reveal::http {

inline constexpr std::size_t kMostStreams = 32;  // of a server
inline constexpr std::size_t kMostStreamUnsent = std::size_t{256} << 10;

// Returns the text of a stream that ends with the newest event, for a reader to whom no more can be
// sent: it asks again a second later, as browsers do by themselves. `after` as
// EventStream::begin(). Its event "hello" says that more is to be asked for.
std::string events_so_far(std::string_view after, Site& site);

class EventStream {
 public:
  // `head` goes first: the answer's head.
  explicit EventStream(const std::string& head);

  // Begins after the event with the id `after`, which may be empty, of another run or anything
  // else.
  void begin(std::string_view after, Site& site);

  // Puts in an event that is for this reader only.
  void add(std::string_view kind, std::string_view json);

  // Takes events from the board. Returns false if the client is to be cut.
  bool take(const EventBoard& board);

  // Sends what the connection takes without waiting. Returns false if it is broken.
  bool send(Wire& wire);

  // Returns the bytes that wait here.
  std::size_t queued() const { return queued_; }
  // Returns whether the board may have more to take.
  bool has_more() const { return waiting_ > 0; }

 private:
  void push(EventText text);

  std::deque<EventText> queue_;
  std::size_t sent_ = 0;         // of the first
  std::size_t queued_ = 0;       // bytes
  std::size_t waiting_ = 0;      // bytes of events that were not taken yet
  std::uint64_t told_ = 0;       // the number of the last event that was taken
  std::size_t catching_up_ = 0;  // bytes that may wait besides
};

}  // namespace reveal::http
