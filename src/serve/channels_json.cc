#include "serve/channels_json.h"

#include <utility>

#include "http/json_text.h"
#include "http/response.h"

namespace reveal::serve {
namespace {

using http::etag_of;
using http::Json;
using http::one_line;

std::string json_of(const std::vector<ChannelName>* names) {
  Json out = {{"channels", Json::array()}};
  if (names != nullptr) {
    for (const auto& one : *names) {
      out["channels"].push_back({{"name", one.name},
                                 {"metric", one.metric},
                                 {"instance", one.instance},
                                 {"label", one.label},
                                 {"subsystem", one.subsystem},
                                 {"unit", one.unit}});
    }
  }
  return one_line(out) + "\n";
}

}  // namespace

const ChannelsJson::Text& ChannelsJson::of(const Names& names) {
  if (!text_.body.empty() && names == names_) return text_;
  // First the text: if memory is refused, what is there goes on to fit the names.
  Text made{.body = json_of(names.get())};
  made.etag = etag_of(made.body);
  text_ = std::move(made);
  names_ = names;
  return text_;
}

}  // namespace reveal::serve
