#include "tables/survey_text.h"

#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "text/quantity.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::tables {
namespace {

using text::plural;

constexpr std::size_t kMaxPlaces = 10;

std::string bytes_text(double bytes) {
  return text::format_quantity(bytes, "bytes");
}

std::string count_text(std::uint64_t count) {
  return text::format_number(static_cast<double>(count));
}

const char* state_text(replay::RecordingSurvey::State state) {
  switch (state) {
    case replay::RecordingSurvey::State::kClosed:
      return "closed in order";
    case replay::RecordingSurvey::State::kGrowing:
      return "still being recorded";
    case replay::RecordingSurvey::State::kAbandoned:
      break;
  }
  return "not closed by its recorder, which was killed or met a full disk; all stored frames are "
         "here";
}

std::string why_text(std::uint8_t why) {
  std::string out;
  const auto add = [&out](const char* reason) {
    out += (out.empty() ? "" : ", ") + std::string(reason);
  };
  if ((why & model::kGapLate) != 0) add("the recorder was late or away");
  if ((why & model::kGapStorage) != 0) add("could not be stored");
  if ((why & model::kGapDamage) != 0) add("unreadable");
  return out.empty() ? "no reason recorded" : out;
}

// Says what of the run is not here because it was removed, or never came.
std::string begin_text(const replay::RecordingSurvey& it) {
  if (it.first_sequence == 0) return "";
  return fmt::format(
      "            the {} before that, since {}, are not kept\n",
      text::span_text(static_cast<std::int64_t>(it.first_sequence) * it.facts.interval_ns),
      text::iso_time(it.facts.start_wall_ns));
}

std::string gaps_text(const replay::RecordingSurvey& it) {
  const std::string end =
      it.lost_at_end == 0
          ? ""
          : fmt::format("  lost      {} at the end were not stored: there was no room for them\n",
                        plural(it.lost_at_end, "frame"));
  if (it.missing.empty()) return (end.empty() ? "  gaps      none\n" : "") + end;
  std::uint64_t ticks = 0;
  for (const auto& gap : it.missing) ticks += gap.ticks;
  std::string out = fmt::format("  gaps      {} missing in {}\n", plural(ticks, "tick"),
                                plural(it.missing.size(), "place"));
  for (std::size_t i = 0; i < it.missing.size() && i < kMaxPlaces; ++i) {
    const replay::MissingTicks& gap = it.missing[i];
    out += fmt::format("            {} before {}: {}\n", plural(gap.ticks, "tick"),
                       text::span_text(gap.after_ns), why_text(gap.why));
  }
  if (it.missing.size() > kMaxPlaces) {
    out +=
        fmt::format("            and {}\n", plural(it.missing.size() - kMaxPlaces, "more place"));
  }
  return out + end;
}

std::string damage_text(const replay::RecordingSurvey& it) {
  if (it.damage.empty()) return "";
  std::string out = fmt::format("  damage    {}; `reveal repair` keeps the rest\n",
                                plural(it.damage.size(), "unreadable place"));
  for (std::size_t i = 0; i < it.damage.size() && i < kMaxPlaces; ++i) {
    const auto& place = it.damage[i];
    out += fmt::format("            {}: {} bytes from offset {}: {}\n", place.file, place.bytes,
                       place.offset, place.what);
  }
  return out;
}

std::string size_text(const replay::RecordingSurvey& it) {
  std::string out =
      fmt::format("  size      {} in {}", bytes_text(static_cast<double>(it.segment_bytes)),
                  plural(it.segments, "segment"));
  if (it.journals > 0) {
    out += fmt::format(", {} in {}", bytes_text(static_cast<double>(it.journal_bytes)),
                       plural(it.journals, "journal"));
  }
  if (it.span_ns > 0 && it.samples > 0) {
    const auto bytes = static_cast<double>(it.bytes());
    out +=
        fmt::format(": {}, {:.3f} bytes a sample",
                    text::format_quantity(1e9 * bytes / static_cast<double>(it.span_ns), "bytes/s"),
                    bytes / static_cast<double>(it.samples));
  }
  return out + "\n";
}

std::string shares_text(const char* title, const std::vector<replay::Share>& shares,
                        std::size_t top, double whole) {
  std::string out = fmt::format("\n  {:<58} {:>10} {:>7}\n", title, "size", "share");
  for (std::size_t i = 0; i < shares.size() && i < top; ++i) {
    out += fmt::format("  {:<58} {:>10} {:>5.1f} %\n", shares[i].name, bytes_text(shares[i].bytes),
                       100 * shares[i].bytes / whole);
  }
  if (shares.size() > top) out += fmt::format("  and {} more\n", shares.size() - top);
  return out;
}

// What is in the segments besides channels.
std::vector<replay::Share> overheads(const replay::RecordingSurvey& it) {
  double channels = 0;
  for (const replay::Share& share : it.by_channel) channels += share.bytes;
  const auto blocks = static_cast<double>(it.usage.block_bytes);
  return {{"(times, validity, notes)", blocks - channels},
          {"(names of metrics and channels, run facts)",
           static_cast<double>(it.segment_bytes) - blocks}};
}

nlohmann::json to_json(const std::vector<replay::Share>& shares) {
  auto out = nlohmann::json::array();
  for (const replay::Share& share : shares)
    out.push_back({{"name", share.name}, {"bytes", share.bytes}});
  return out;
}

}  // namespace

std::string to_text(const replay::RecordingSurvey& it, std::string_view directory,
                    std::size_t top) {
  std::string out = fmt::format("Recording of host {} in {}\n", it.facts.host, directory);
  // Without a frame there is no time of one.
  out += fmt::format("  begins    {}, {} long, {} frames at every {}\n",
                     text::iso_time(it.frames > 0 ? it.begin_ns : it.facts.start_wall_ns),
                     text::span_text(it.span_ns), count_text(it.frames),
                     text::span_text(it.facts.interval_ns));
  out += begin_text(it);
  out += fmt::format("  state     {}\n", state_text(it.state));
  out += fmt::format("  channels  {} of {} metrics\n", count_text(it.channels), it.metrics);
  out += gaps_text(it) + damage_text(it) + size_text(it);
  if (it.usage.blocks == 0) return out;
  const auto whole = static_cast<double>(it.segment_bytes);
  return out + shares_text("source", it.by_source, top, whole) +
         shares_text("besides", overheads(it), top, whole) +
         shares_text("channel", it.by_channel, top, whole);
}

std::string to_json(const replay::RecordingSurvey& it) {
  static constexpr const char* kStates[] = {"closed", "growing", "abandoned"};
  nlohmann::json out{{"host", it.facts.host},
                     {"interval_ns", it.facts.interval_ns},
                     {"start_ns", it.facts.start_wall_ns},
                     {"first_sequence", it.first_sequence},
                     {"begin_ns", it.begin_ns},
                     {"end_ns", it.end_ns},
                     {"span_ns", it.span_ns},
                     {"state", kStates[static_cast<std::size_t>(it.state)]},
                     {"frames", it.frames},
                     {"samples", it.samples},
                     {"metrics", it.metrics},
                     {"channels", it.channels},
                     {"segments", it.segments},
                     {"segment_bytes", it.segment_bytes},
                     {"journals", it.journals},
                     {"journal_bytes", it.journal_bytes},
                     {"block_bytes", it.usage.block_bytes},
                     {"bytes_by_source", to_json(it.by_source)},
                     {"bytes_by_channel", to_json(it.by_channel)}};
  out["lost_at_end"] = it.lost_at_end;
  auto& gaps = out["gaps"] = nlohmann::json::array();
  for (const auto& gap : it.missing) {
    gaps.push_back({{"after_ns", gap.after_ns}, {"ticks", gap.ticks}, {"why", why_text(gap.why)}});
  }
  auto& damage = out["damage"] = nlohmann::json::array();
  for (const auto& place : it.damage) {
    damage.push_back({{"file", place.file},
                      {"offset", place.offset},
                      {"bytes", place.bytes},
                      {"what", place.what}});
  }
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::tables
