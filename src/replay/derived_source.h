// The frames of a recording as analysis sees them: rates, increments, values and derived metrics in
// base units instead of raw samples. All are gauges here, so that they are not derived once more.
#pragma once

#include "base/result.h"
#include "derive/deriver.h"
#include "model/frame.h"

namespace reveal::replay {

class DerivedSource : public model::FrameSource {
 public:
  // `raw` must outlive this.
  explicit DerivedSource(model::FrameSource& raw) : raw_(raw) {}

  const model::RunFacts& facts() const override { return raw_.facts(); }
  const model::ChannelTable& channels() const override { return channels_; }
  base::Result<const model::Frame*> next() override;

 private:
  void grow();

  model::FrameSource& raw_;
  derive::Deriver deriver_;
  model::ChannelTable channels_;
  model::Frame frame_;
};

}  // namespace reveal::replay
