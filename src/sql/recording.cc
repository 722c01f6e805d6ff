#include "sql/recording.h"

#include <utility>

#include "replay/copy_frames.h"
#include "store/segment_reader.h"

namespace reveal::sql {

// Tells the recording at its end what could not be read.
class Recording::Reader : public model::FrameSource {
 public:
  Reader(store::SegmentReader reader, Recording& owner)
      : reader_(std::move(reader)), owner_(owner) {}

  const model::RunFacts& facts() const override { return reader_.facts(); }
  const model::ChannelTable& channels() const override { return reader_.channels(); }
  base::Result<const model::Frame*> next() override {
    auto frame = reader_.next();
    if (frame && *frame == nullptr) owner_.keep(reader_.damage());
    return frame;
  }

 private:
  store::SegmentReader reader_;
  Recording& owner_;
};

base::Result<std::unique_ptr<Recording>> Recording::open(const std::filesystem::path& directory,
                                                         std::int64_t number,
                                                         pipeline::PipelineConfig config) {
  const auto reader = store::SegmentReader::open(directory);
  if (!reader) return base::pass(reader);
  return std::unique_ptr<Recording>(
      new Recording(directory, {number, reader->facts().host}, std::move(config)));
}

base::Result<std::unique_ptr<model::FrameSource>> Recording::frames() {
  auto reader = store::SegmentReader::open(directory_);
  if (!reader) return base::pass(reader);
  return std::make_unique<Reader>(std::move(*reader), *this);
}

base::Result<void> Recording::replay_into(pipeline::Pipeline& pipeline) {
  const auto source = frames();
  if (!source) return base::pass(source);
  return replay::copy_frames(**source, pipeline);
}

base::Result<const pipeline::Pipeline*> Recording::features() {
  const std::lock_guard lock(analysis_mutex_);
  if (!pipeline_) {
    pipeline_.emplace(config_);
    if (auto done = replay_into(*pipeline_); !done) {
      pipeline_.reset();
      return base::pass(done);
    }
  }
  return &*pipeline_;
}

base::Result<const report::Report*> Recording::report() {
  const std::lock_guard lock(analysis_mutex_);
  if (!report_) {
    auto config = config_;
    config.most_values = pipeline::kMostValues;  // as `reveal analyze` has it
    pipeline::Pipeline pipeline(std::move(config));
    if (auto done = replay_into(pipeline); !done) return base::pass(done);
    auto analyzed = pipeline.analyze();
    if (!analyzed) return base::pass(analyzed);
    report_ = std::move(*analyzed);
  }
  return &*report_;
}

void Recording::keep(const std::vector<store::Damage>& damage) {
  const std::lock_guard lock(damage_mutex_);
  damage_ = damage;
}

std::vector<store::Damage> Recording::damage() const {
  const std::lock_guard lock(damage_mutex_);
  return damage_;
}

}  // namespace reveal::sql
