#include "top/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "attribute/severity.h"
#include "text/ascii.h"
#include "text/quantity.h"
#include "text/safe_text.h"
#include "text/sparkline.h"
#include "text/time_text.h"
#include "top/plan.h"

namespace reveal::top {
namespace {

constexpr std::size_t kStripName = 8;
constexpr std::size_t kDeviationWidth = 6;
constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> kAsciiBlocks{"_", ",", "-", "=", "+", "*", "#", "@"};

class Painter {
 public:
  Painter(const View& view, Size size, bool utf8)
      : view_(view),
        size_(size),
        utf8_(utf8),
        plan_(plan_of(size, shown_strips(view), view.findings.size(), detail_count(view))) {}

  Screen paint() {
    title();
    if (view_.controls.help) {
      help();
    } else {
      strips();
      findings();
      channels();
    }
    while (out_.size() + 1 < size_.rows) out_.push_back(line());
    footer();
    return std::move(out_);
  }

 private:
  Line line() const { return Line(size_.columns); }
  std::string safe(std::string_view text) const {
    auto out = text::safe_text(text, true);
    return utf8_ ? out : text::to_ascii(out);
  }

  void title() {
    Line out = line();
    out.add(safe(view_.host), Style::kBold);
    if (view_.shown_ns != 0) {
      out.add(fmt::format("  {} to {} {}", text::span_text(view_.shown_ns - view_.begin_ns),
                          view_.clock.time(view_.shown_ns), view_.clock.name()));
    }
    const auto [text, style] = state();
    if (text::columns_of(text) + 1 > out.left()) {
      out = line();
      out.add(text::cut(safe(view_.host),
                        size_.columns - std::min(size_.columns, text::columns_of(text) + 1)),
              Style::kBold);
    }
    out.add_right(text, style);
    out_.push_back(std::move(out));
  }

  struct State {
    std::string text;
    Style style;
  };

  State state() const {
    if (!view_.findings.empty()) {
      return {
          fmt::format("{} finding{}", view_.findings.size(), view_.findings.size() == 1 ? "" : "s"),
          Style::kAlarm};
    }
    if (view_.shown_ns == 0) return {"no window yet", Style::kDim};
    if (!view_.learning.empty()) return {"learning, " + view_.learning, Style::kBold};
    if (view_.judged == 0 || view_.not_judged) return {"not judged", Style::kBold};
    return {"No anomaly", Style::kBold};
  }

  void strips() {
    const std::size_t width = size_.columns - kStripName;
    // The same windows share a cell from one refresh to the next.
    const std::size_t count = view_.window_ids.size();
    const std::size_t each = std::max<std::size_t>(1, (count + width - 1) / width);
    for (const auto& strip : view_.strips) {
      if (is_shown(strip)) strip_line(strip, width, each);
    }
    if (plan_.axis) axis(width, each);
  }

  struct Cell {
    bool any = false;
    StripWindow window;
  };

  std::vector<Cell> cells_of(const Strip& strip, std::size_t width, std::size_t each) const {
    std::vector<Cell> cells(width);
    if (view_.window_ids.empty()) return cells;
    const std::uint64_t last = view_.window_ids.back() / each;
    for (std::size_t i = 0; i < strip.windows.size(); ++i) {
      const std::uint64_t back = last - view_.window_ids[i] / each;
      if (back >= width) continue;
      auto& cell = cells[width - 1 - back];
      cell.any = true;
      cell.window.judged = cell.window.judged || strip.windows[i].judged;
      cell.window.marked = cell.window.marked || strip.windows[i].marked;
      cell.window.height = std::max(cell.window.height, strip.windows[i].height);
    }
    return cells;
  }

  void strip_line(const Strip& strip, std::size_t width, std::size_t each) {
    Line out = line();
    out.add(text::padded(model::to_string(strip.subsystem), kStripName),
            strip.seen ? Style::kPlain : Style::kDim);
    if (!strip.seen) {
      out.add("none of its signals is there", Style::kDim);
      out_.push_back(std::move(out));
      return;
    }
    for (const Cell& cell : cells_of(strip, width, each)) {
      if (!cell.any) {
        out.add(" ");
      } else if (cell.window.marked) {
        out.add("!", Style::kAlarm);
      } else if (!cell.window.judged) {
        out.add(utf8_ ? "·" : ".", Style::kDim);
      } else {
        out.add(block(cell.window.height));
      }
    }
    out_.push_back(std::move(out));
  }

  std::string_view block(double height) const {
    const auto index = static_cast<std::size_t>(std::lround(height * (kBlocks.size() - 1)));
    return utf8_ ? kBlocks[index] : kAsciiBlocks[index];
  }

  void axis(std::size_t width, std::size_t each) {
    Line out = line();
    out.add(std::string(kStripName, ' '));
    if (view_.shown_ns != 0 && view_.stride_ns > 0) {
      const auto cell_ns = static_cast<std::int64_t>(each) * view_.stride_ns;
      out.add(view_.clock.time(view_.shown_ns - static_cast<std::int64_t>(width) * cell_ns),
              Style::kDim);
      const auto legend = fmt::format("   a cell is {}, ! is an anomaly", text::span_text(cell_ns));
      const auto now = view_.clock.time(view_.shown_ns);
      if (text::columns_of(legend + now) < out.left()) out.add(legend, Style::kDim);
      out.add_right(view_.clock.time(view_.shown_ns), Style::kDim);
    }
    out_.push_back(std::move(out));
  }

  void findings() {
    if (plan_.findings_header) {
      Line out = line();
      out.add("Findings", Style::kBold);
      if (view_.findings.size() > plan_.findings) {
        out.add(fmt::format("  {} of {}: what goes on, then the gravest", plan_.findings,
                            view_.findings.size()));
      }
      if (view_.not_judged && !view_.findings.empty()) {
        out.add("  not judged " + since(*view_.not_judged), Style::kAlarm);
      } else if (!view_.work.empty()) {
        out.add("  " + safe(view_.work), Style::kDim);
      }
      out_.push_back(std::move(out));
    }
    if (view_.findings.empty()) {
      Line out = line();
      out.add(safe(nothing_found()));
      out_.push_back(std::move(out));
    }
    for (std::size_t i = 0; i < std::min(plan_.findings, view_.findings.size()); ++i) {
      finding(view_.findings[i]);
      if (i == 0 && plan_.details > 0) details(view_.findings[i]);
    }
  }

  std::string since(const live::NotJudged& stretch) const {
    return fmt::format("since {} {}: {}", view_.clock.time(stretch.since_ns), view_.clock.name(),
                       safe(stretch.why));
  }

  std::string nothing_found() const {
    if (view_.shown_ns == 0) return "Waiting for the first window.";
    if (view_.not_judged) return "Not judged " + since(*view_.not_judged);
    const auto learned = view_.learned_ns == 0
                             ? std::string()
                             : fmt::format("; what is usual was learned at {} {}",
                                           view_.clock.time(view_.learned_ns), view_.clock.name());
    return fmt::format("No anomaly in {} window{}{}.", view_.judged, view_.judged == 1 ? "" : "s",
                       learned);
  }

  void finding(const FindingView& finding) {
    const bool going_on = finding.end_ns >= view_.shown_ns;
    const auto since = view_.clock.time(finding.begin_ns);
    auto says = fmt::format("{} of {} votes", finding.agreement, view_.votes);
    if (finding.severity) {
      says +=
          fmt::format(", {} ({:.1f} s)", attribute::word_of(finding.severity), *finding.severity);
    }
    Line out = line();
    out.add("! ", Style::kAlarm);
    out.add(model::heading_of(finding.subsystem), Style::kBold);
    if (plan_.finding_lines == 1) {
      out.add(
          fmt::format(" {} {}/{} {}", since, finding.agreement, view_.votes, safe(finding.claim)));
      out_.push_back(std::move(out));
      return;
    }
    out.add(
        fmt::format(" since {}, {}{}, {}", since,
                    text::span_text(std::min(finding.end_ns, view_.shown_ns) - finding.begin_ns),
                    going_on ? " so far" : "", says));
    out_.push_back(std::move(out));
    add_claim(safe(finding.claim), plan_.finding_lines - 1);
  }

  // As much of each as a line holds.
  void details(const FindingView& finding) {
    for (const auto& sentence : finding.harm) add_claim(safe(sentence), 1);
    if (!finding.evidence.empty()) add_claim("Evidence: " + safe(finding.evidence), 1);
    if (!finding.remedy.empty()) add_claim("Try: " + safe(finding.remedy), 1);
  }

  // Fills that many lines.
  void add_claim(std::string_view words, std::size_t lines) {
    const std::size_t width = size_.columns - 2;
    for (std::size_t i = 0; i < lines; ++i) {
      std::string text = i + 1 == lines ? with_ellipsis(words, width) : first_words(words, width);
      words.remove_prefix(std::min(words.size(), text.size()));
      if (words.starts_with(' ')) words.remove_prefix(1);
      Line out = line();
      out.add("  " + text);
      out_.push_back(std::move(out));
    }
  }

  // Returns as many whole words as fit; a longer one is not broken unless it is the first.
  static std::string first_words(std::string_view words, std::size_t columns) {
    std::string out = text::cut(words, columns);
    if (out.size() == words.size() || words[out.size()] == ' ') return out;
    const auto space = out.rfind(' ');
    return space == std::string::npos ? out : out.substr(0, space);
  }

  std::string with_ellipsis(std::string_view words, std::size_t columns) const {
    if (text::columns_of(words) <= columns) return std::string(words);
    return text::cut(words, columns - 1) + (utf8_ ? "…" : "~");
  }

  void channels() {
    if (plan_.channels_header) out_.push_back(channels_header());
    if (view_.channels_gone && plan_.channels > 0) {
      Line out = line();
      out.add("The values of this time are not kept any more.");
      out_.push_back(std::move(out));
    }
    const std::size_t room = size_.rows - 1 - out_.size();
    for (std::size_t i = 0; i < std::min(room, view_.channels.size()); ++i) {
      channel(view_.channels[i]);
    }
  }

  Line channels_header() const {
    Line out = line();
    const auto from = view_.channels.empty() ? 0 : view_.first_channel + 1;
    const auto which =
        fmt::format("Channel {}-{} of {}", from, view_.first_channel + view_.channels.size(),
                    view_.channels_found);
    row(out, which, "now", "usual", "dev", plan_.curve > 0 ? "trend" : "", Style::kBold);
    return out;
  }

  void channel(const ChannelView& channel) {
    Line out = line();
    const auto quantity = [&](double value) {
      return safe(text::format_quantity(value, channel.unit));
    };
    row(out, text::shortened(safe(channel.name), plan_.name_width, utf8_ ? "…" : "~"),
        quantity(channel.now), quantity(channel.usual), deviation(channel.deviation),
        curve(channel.curve), Style::kPlain);
    out_.push_back(std::move(out));
  }

  static std::string deviation(double value) {
    if (value >= live::kFarthestShown)
      return fmt::format(">{}", static_cast<int>(live::kFarthestShown) - 1);
    return fmt::format("{:.1f}", value);
  }

  void row(Line& out, std::string_view name, std::string_view now, std::string_view usual,
           std::string_view deviation, std::string_view curve, Style style) const {
    out.add(text::padded(name, plan_.name_width), style);
    out.add(" " + text::right_aligned(now, plan_.value_width), style);
    if (plan_.usual) out.add(" " + text::right_aligned(usual, plan_.value_width), style);
    out.add(" " + text::right_aligned(deviation, kDeviationWidth), style);
    if (plan_.curve > 0) out.add(" " + std::string(curve), style);
  }

  std::string curve(const std::vector<double>& values) const {
    std::string out = text::sparkline(values, std::max<std::size_t>(plan_.curve, 1));
    if (utf8_) return out;
    for (std::size_t i = 0; i < kBlocks.size(); ++i) {
      for (auto at = out.find(kBlocks[i]); at != std::string::npos; at = out.find(kBlocks[i], at)) {
        out.replace(at, kBlocks[i].size(), kAsciiBlocks[i]);
      }
    }
    return out;
  }

  void help() {
    const std::string arrows = utf8_ ? "←, →" : "left, right";
    const std::array<std::string, 13> text{
        "",
        "q            quit",
        "up, down     channels (also PgUp, PgDn)",
        "/            show only channels with this text; Enter keeps, Esc clears",
        "p, Space     pause, and go on",
        text::padded(arrows, 13) + "the window before, the one after it (pauses)",
        "Home, End    the oldest window; the newest, and go on",
        "?            this help; any key leaves it",
        "",
        "A block's height is how unusual the window was for that subsystem,",
        "! a window in which enough detectors agree, blamed on the subsystem.",
        "dev is how far a channel is from its median, in robust standard",
        "deviations: |x - median| / (1.4826 MAD).",
    };
    for (const auto& words : text) {
      if (out_.size() + 1 >= size_.rows) return;
      Line out = line();
      out.add(words);
      out_.push_back(std::move(out));
    }
  }

  void footer() {
    Line out = line();
    const auto& controls = view_.controls;
    if (controls.typing) {
      out.add("/" + safe(controls.filter) + "_", Style::kBold);
      out.add("  Enter keeps it, Esc clears it", Style::kDim);
    } else if (!controls.filter.empty()) {
      out.add("only: " + safe(controls.filter), Style::kBold);
      out.add("  / changes it, Esc clears it", Style::kDim);
    } else {
      out.add("q quit  / filter  p pause  ? help", Style::kDim);
    }
    const auto doing = controls.at ? std::string("PAUSED") : safe(view_.doing);
    if (text::columns_of(doing) + 1 <= out.left()) {
      out.add_right(doing, Style::kBold);
    } else if (out.left() > 12) {
      out.add_right(text::cut(doing, out.left() - 1), Style::kBold);
    }
    out_.push_back(std::move(out));
  }

  const View& view_;
  Size size_;
  bool utf8_;
  Plan plan_;
  Screen out_;
};

Screen says_too_small(Size size) {
  Screen out;
  if (size.rows == 0) return out;
  Line line(size.columns);
  line.add(fmt::format("reveal top needs {}x{}, this is {}x{}", kSmallest.columns, kSmallest.rows,
                       size.columns, size.rows));
  out.push_back(std::move(line));
  return out;
}

}  // namespace

Screen layout(const View& view, Size size, bool utf8) {
  if (too_small(size)) return says_too_small(size);
  return Painter(view, size, utf8).paint();
}

}  // namespace reveal::top
