// The contents of one screen, chosen from a history by the user's controls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/deviations.h"
#include "live/history.h"
#include "model/metric.h"
#include "text/time_text.h"
#include "top/controls.h"
#include "top/screen.h"

namespace reveal::top {

struct StripWindow {
  bool judged = false;
  double height = 0;    // 0 to 1, see kAlarmHeight
  bool marked = false;  // flagged, and this subsystem's
};

// Height of a window that is just unusual enough for an alarm, in the strip of the subsystem that
// has the largest share in that.
inline constexpr double kAlarmHeight = 0.75;

struct Strip {
  model::Subsystem subsystem = model::Subsystem::kCpu;
  bool seen = false;                 // the host has such channels
  std::vector<StripWindow> windows;  // as many as View::window_ids
};

struct ChannelView {
  std::string name;  // as it came: not safe for a terminal
  double now = 0;
  double usual = 0;
  std::string unit;
  double deviation = 0;
  std::vector<double> curve;  // oldest first, NaN where there is none
};

// A finding in words, from a live judge or a report; as they came: not safe for a terminal.
struct FindingView {
  std::string claim;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::size_t agreement = 0;
  std::optional<double> severity = {};  // in seconds; nothing if it is not known
  std::string evidence = {};  // the first that the claim does not speak of; empty: there is none
  std::string remedy = {};    // of the likeliest pattern; empty: it looks like none
  // Who did it, who suffered, and what it cost, as far as that is known.
  std::vector<std::string> harm = {};
};

struct View {
  std::string host;
  std::string doing;  // "live", "following DIR", "DIR"
  text::Clock clock;  // times are shown by it
  std::int64_t begin_ns = 0;
  std::int64_t shown_ns = 0;  // end of the window that is looked at; 0: there is none yet
  std::string learning;
  std::optional<live::NotJudged> not_judged;
  std::string work;  // how much the slowest job gets done, or why that is not known, in a few words
  std::int64_t learned_ns = 0;  // as the history's
  std::size_t judged = 0;       // windows
  std::int64_t stride_ns = 0;
  std::vector<std::uint64_t> window_ids;  // up to the one that is looked at
  std::array<Strip, model::kSubsystemCount> strips;
  // That had begun by then: those that went on first, then the gravest; the newer of equals.
  std::vector<FindingView> findings;
  int votes = 0;
  std::vector<ChannelView> channels;  // from the first one that is shown
  std::size_t first_channel = 0;      // how many come before it
  std::size_t channels_found = 0;     // that pass the filter
  std::size_t channels_known = 0;
  bool channels_gone = false;  // their values at that time are not kept any more
  Controls controls;
};

class ViewMaker {
 public:
  explicit ViewMaker(text::Clock clock = text::Clock()) : clock_(clock) {}

  // Returns what there is room for on a screen of that size.
  View make(const live::History& history, const std::string& doing, const Controls& controls,
            Size size);

 private:
  void add_channels(const live::History& history, std::uint64_t id, Size size, View& out);

  text::Clock clock_;
  live::Deviations deviations_;
};

// Returns whether a screen has the strip: that of channels whose subsystem is not known only if
// there are some.
bool is_shown(const Strip& strip);
std::size_t shown_strips(const View& view);

// Returns how many details there are of the first finding, which alone is shown with them.
std::size_t detail_count(const View& view);

// Returns what keys can move over.
Extent extent_of(const live::History& history, const View& view);

}  // namespace reveal::top
