// The live pages of a fleet's hosts, through the broker: what the analyser has below "/hosts/".
//
// The page itself, its script and its style are this program's: a host brings only data, which the
// page shows as text. A host that somebody took over must not be able to run its script where the
// fleet's page is. So an answer of a host is passed on only if it is of a type that no browser
// runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "bus/requester.h"
#include "http/request.h"
#include "http/response.h"
#include "wire/question.h"

namespace reveal::relay {

struct PageFiles {
  std::string_view script = {};  // of the live page; empty if the program was built without it
  std::string_view style = {};
};

// What became of the questions so far.
struct AskedCounts {
  std::uint64_t answered = 0;
  std::uint64_t away = 0;    // the host was not there, or did not answer in time
  std::uint64_t failed = 0;  // there was no broker, or what came is not passed on
  std::uint64_t bytes = 0;   // of the answers
};

// For any thread.
class HostPages {
 public:
  // REQUIRES: `requester` outlives it, and the answers that are made later.
  HostPages(bus::Requester& requester, PageFiles page) : requester_(requester), page_(page) {}

  // Returns the answer to a GET of what is at `rest` below "/hosts/": "ID/" is the page of the host
  // with that id, and "ID/api/v1/..." what the host has there. `name` is the host's, if it is
  // known.
  http::Response answer(std::string_view rest, const http::Request& request,
                        std::string_view name = {}) const;

  AskedCounts counts() const;

 private:
  http::Response ask(const std::string& host, const wire::Question& question) const;

  bus::Requester& requester_;
  PageFiles page_;
  mutable std::atomic<std::uint64_t> answered_ = 0;
  mutable std::atomic<std::uint64_t> away_ = 0;
  mutable std::atomic<std::uint64_t> failed_ = 0;
  mutable std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace reveal::relay
