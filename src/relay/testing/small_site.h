// A site of a few addresses, and a host that answers by it, for tests.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "http/site.h"

namespace reveal::relay {

inline constexpr const char* kHost = "abcdefghijklmnopqrstuvwxyz";

class SmallSite final : public http::Site {
 public:
  using Answerer = std::function<http::Response(const http::Request&, const http::Asked&)>;

  std::map<std::string, Answerer> at;

  bool is_for_all(const http::Request&) const override { return false; }
  http::Response answer(const http::Request& request, const http::Asked& asked) override {
    const auto found = at.find(request.target.path);
    return found == at.end() ? http::error_response(404, "nothing") : found->second(request, asked);
  }
  http::EventBoard& events() override { return events_; }
  std::string host() const override { return "n017"; }

 private:
  http::EventBoard events_;
};

}  // namespace reveal::relay
