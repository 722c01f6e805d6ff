// How many requests the server answered, by status. A row for each status that it can give, so the
// number of series is known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace reveal::http {

struct HttpStatus {
  int code = 0;
  const char* phrase = "";
};

// Source of the phrases: RFC 9110, section 15; 429 and 431: RFC 6585.
inline constexpr HttpStatus kStatuses[] = {
    {200, "OK"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

// Returns the place of a status in kStatuses. REQUIRES: it has one.
constexpr std::size_t status_place(int code) {
  std::size_t place = 0;
  while (kStatuses[place].code != code) ++place;
  return place;
}

struct HttpCounts {
  std::array<std::uint64_t, std::size(kStatuses)> by_status{};
  std::uint64_t connections = 0;  // open ones
  std::uint64_t streams = 0;      // of these
  std::uint64_t dropped = 0;      // closed to make room for others, or for being too slow
};

}  // namespace reveal::http
