#include "serve/channels_json.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "http/response.h"

namespace reveal::serve {
namespace {

using http::etag_of;

ChannelsJson::Names names_of(const std::vector<std::string>& all) {
  std::vector<ChannelName> out;
  for (const auto& one : all) out.push_back({.name = one, .metric = one, .unit = "ratio"});
  return std::make_shared<const std::vector<ChannelName>>(std::move(out));
}

TEST(ChannelsJson, ByHand) {
  ChannelsJson json;
  EXPECT_EQ(json.of(nullptr).body, "{\"channels\":[]}\n");
  const auto& text = json.of(names_of({"a"}));
  EXPECT_EQ(text.body,
            "{\"channels\":[{\"name\":\"a\",\"metric\":\"a\",\"instance\":\"\",\"label\":\"\","
            "\"subsystem\":\"\",\"unit\":\"ratio\"}]}\n");
  EXPECT_EQ(text.etag, etag_of(text.body));
}

// The text keeps its place in memory as long as it is not made anew.
TEST(ChannelsJson, IsKeptUntilThereAreOtherNames) {
  ChannelsJson json;
  const auto names = names_of({"a", "b"});
  const auto* bytes = json.of(names).body.data();
  EXPECT_EQ(json.of(names).body.data(), bytes);
  const auto tag = json.of(names).etag;
  EXPECT_NE(json.of(names_of({"a", "b", "c"})).etag, tag);
  EXPECT_EQ(nlohmann::json::parse(json.of(names).body).at("channels").size(), 2U);
  EXPECT_EQ(json.of(names).etag, tag);
  EXPECT_EQ(json.of(nullptr).body, "{\"channels\":[]}\n");
}

// Names that are gone leave their memory to others, which must not be taken for them.
TEST(ChannelsJson, ItsNamesAreHeld) {
  ChannelsJson json;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "channel " + std::to_string(i);
    EXPECT_NE(json.of(names_of({name})).body.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace reveal::serve
