// Tests only: a recording in memory, and a broker that takes its time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/result.h"
#include "bus/testing/fake_bus.h"
#include "model/frame.h"

namespace reveal::publish {

// What was recorded, in memory: each frame and some more like it, so that a part takes several
// rounds to read. Hands the frames that it is given on.
class Tape : public model::FrameSink {
 public:
  static constexpr std::int64_t kFramesASecond = 4;

  Tape(const model::RunFacts& facts, const model::ChannelTable& channels)
      : facts_(facts), channels_(channels) {}

  base::Result<void> begin(const model::RunFacts&) override { return {}; }
  base::Result<void> write(const model::ChannelTable& channels,
                           const model::Frame& frame) override {
    for (std::int64_t i = 0; i < kFramesASecond; ++i) {
      frames_.push_back(frame);
      frames_.back().wall_ns += i * kApart_ns;
      frames_.back().mono_ns += i * kApart_ns;
    }
    return to != nullptr ? to->write(channels, frame) : base::Result<void>();
  }
  base::Result<void> finish() override { return {}; }

  base::Result<std::unique_ptr<model::FrameSource>> open(std::int64_t from_ns, std::int64_t to_ns) {
    ++opened;
    if (is_broken) return base::fail(base::ErrorKind::kIo, "the disk is gone");
    return std::make_unique<Playing>(*this, from_ns, to_ns);
  }

  model::FrameSink* to = nullptr;
  bool is_broken = false;
  int opened = 0;

 private:
  static constexpr std::int64_t kApart_ns = 250'000'000;

  class Playing : public model::FrameSource {
   public:
    Playing(const Tape& tape, std::int64_t from_ns, std::int64_t to_ns)
        : tape_(tape), from_ns_(from_ns), to_ns_(to_ns) {}
    const model::RunFacts& facts() const override { return tape_.facts_; }
    const model::ChannelTable& channels() const override { return tape_.channels_; }
    base::Result<const model::Frame*> next() override {
      while (next_ < tape_.frames_.size()) {
        const auto& frame = tape_.frames_[next_++];
        if (frame.wall_ns >= from_ns_ && frame.wall_ns < to_ns_) return &frame;
      }
      return nullptr;
    }

   private:
    const Tape& tape_;
    std::int64_t from_ns_;
    std::int64_t to_ns_;
    std::size_t next_ = 0;
  };

  const model::RunFacts& facts_;
  const model::ChannelTable& channels_;
  std::deque<model::Frame> frames_;
};

// Its answers come with every fourth round only.
class SlowPublisher : public bus::FakePublisher {
 public:
  using bus::FakePublisher::FakePublisher;
  std::vector<bus::Outcome> take_outcomes() override {
    return ++asked_ % 4 == 0 ? bus::FakePublisher::take_outcomes() : std::vector<bus::Outcome>();
  }

 private:
  int asked_ = 0;
};

}  // namespace reveal::publish
