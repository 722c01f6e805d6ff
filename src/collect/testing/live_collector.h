// One collector on this machine, read once. Only tests include this.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "collect/collector.h"

namespace reveal::collect {

struct LiveCollector {
  explicit LiveCollector(std::unique_ptr<Collector> collector) {
    const auto opened = collector->open({}, channels);
    EXPECT_TRUE(opened) << opened.error().message();
    FrameWriter writer(channels, frame, "test");
    collector->collect(writer);
  }
  std::optional<double> real(std::string_view channel) const {
    const auto id = channels.find_channel(channel);
    if (!id || !frame.was_read(*id)) return std::nullopt;
    return std::bit_cast<double>(frame.bits[id->index()]);
  }
  std::optional<std::uint64_t> whole(std::string_view channel) const {
    const auto id = channels.find_channel(channel);
    if (!id || !frame.was_read(*id)) return std::nullopt;
    return frame.bits[id->index()];
  }
  model::ChannelTable channels;
  model::Frame frame;
};

}  // namespace reveal::collect
