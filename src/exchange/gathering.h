// Samples of other programs' files, gathered until all are there: only then are the interval, the
// kinds of the metrics and the order in time known. Takes some 16 bytes of memory a sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strong_id.h"
#include "exchange/channel_name.h"
#include "exchange/mapping.h"
#include "text/parse_number.h"

namespace reveal::exchange {

using SeriesId = base::StrongId<struct SeriesTag>;

// A sample whose number may stand for no value (blanks.h).
struct Doubtful {
  std::int64_t time_ns = 0;
  text::Number value;
};

// One channel, and its samples in the order in which they were read.
struct Series {
  std::string name;  // as its file has it
  std::string host;  // empty where the file does not say
  std::string metric;
  std::string instance;
  std::vector<std::int64_t> times_ns;  // since the epoch
  std::vector<std::uint64_t> bits;     // whole numbers, or real ones where `real`
  bool real = false;
  std::vector<Doubtful> doubtful;  // samples that are not among these yet
  // What its file or the vocabulary of its program says of it: before all guesses, behind the
  // user's mapping. `match` and `skip` are of no interest.
  MappingRule said;

  // Makes all samples real numbers.
  void make_real();
};

class Gathering {
 public:
  // Returns the series of that channel of that host, new if there was none. `name` is what its file
  // calls it; `host` is empty if the file does not say.
  SeriesId series(const ChannelName& channel, std::string_view name, std::string_view host = {});

  // Says what kind, unit, scale or subsystem a series has.
  void say(SeriesId id, MappingRule said) { series_[id.index()].said = std::move(said); }

  // Adds a sample. A series is of whole numbers until the first one that is not. A number by which
  // programs may say that they have none is kept apart, as doubtful.
  void add(SeriesId id, std::int64_t time_ns, const text::Number& value);

  // Says something that the user should know of how a file was read.
  void remark(std::string text) { remarks_.push_back(std::move(text)); }
  const std::vector<std::string>& remarks() const { return remarks_; }

  // Takes over a series of another gathering, behind the samples that are there of its channel.
  void absorb(Series series);
  void absorb_remarks(const Gathering& other);

  std::vector<Series>& all() { return series_; }
  const std::vector<Series>& all() const { return series_; }

 private:
  std::vector<Series> series_;
  std::map<std::tuple<std::string, std::string, std::string>, SeriesId> by_name_;
  std::vector<std::string> remarks_;
};

}  // namespace reveal::exchange
