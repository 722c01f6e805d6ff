#include "exchange/channel_name.h"

#include <algorithm>
#include <array>
#include <optional>

#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// What a part of a name that ends in a number is of, and whether its word stays in the metric.
struct Numbered {
  std::string_view word;
  std::string_view key;
  bool stays;
};
constexpr Numbered kNumbered[] = {
    {"cpu", "cpu", true},   {"core", "cpu", true},  {"gpu", "gpu", true},
    {"numa", "node", true}, {"node", "node", true}, {"socket", "socket", true},
    {"eth", "dev", false},  {"ens", "dev", false},  {"eno", "dev", false},
    {"ib", "dev", false},   {"bond", "dev", false}, {"wlan", "dev", false},
};

// Disks are named by letters as well: sda, vdb, nvme0n1.
bool is_disk(std::string_view part) {
  const bool lettered = part.size() == 3 && (part.starts_with("sd") || part.starts_with("vd"));
  return (lettered && is_letter(part[2])) ||
         (part.starts_with("nvme") && part.size() > 4 && is_digit(part[4]));
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<std::string> parts_of(const std::string& metric) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= metric.size();) {
    const auto end = std::min(metric.find('_', begin), metric.size());
    if (end > begin) out.push_back(metric.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

struct Found {
  std::string instance;
  std::string stays;  // of the part, in the metric; may be empty
  std::size_t parts = 1;
};

// Returns what the part (and the one after it, for "gpu 0") numbers, if anything.
std::optional<Found> instance_at(const std::vector<std::string>& parts, std::size_t at) {
  const std::string part = lower(parts[at]);
  if (is_disk(part)) return Found{"dev=" + part, "", 1};
  for (const auto& row : kNumbered) {
    if (!part.starts_with(row.word)) continue;
    const std::string number = part.substr(row.word.size());
    const std::string stays = row.stays ? parts[at].substr(0, row.word.size()) : "";
    const std::string prefix =
        std::string(row.key) + "=" + (row.stays ? "" : std::string(row.word));
    if (all_digits(number)) return Found{prefix + number, stays, 1};
    const bool spaced = number.empty() && row.stays && at + 1 < parts.size();
    if (spaced && all_digits(parts[at + 1])) return Found{prefix + parts[at + 1], stays, 2};
  }
  return std::nullopt;
}

// Takes the part that names an instance out of a plain name; leaves a name with several alone.
ChannelName channel_of_plain(std::string_view name) {
  ChannelName out{metric_of_text(name), ""};
  const auto parts = parts_of(out.metric);
  std::optional<Found> found;
  std::size_t place = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto here = instance_at(parts, i);
    if (!here) continue;
    if (found) return out;
    found = std::move(here);
    place = i;
    i += found->parts - 1;
  }
  if (!found) return out;
  std::string metric;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool inside = i >= place && i < place + found->parts;
    const std::string& part = !inside ? parts[i] : found->stays;
    if (part.empty() || (inside && i > place)) continue;
    metric += (metric.empty() ? "" : "_") + part;
  }
  if (metric.empty()) return out;
  return {metric, found->instance};
}

// Reads `key="value",key=value` up to the closing brace. Returns nothing if it is not that.
std::optional<Labels> parse_labels(std::string_view text) {
  Labels out;
  while (!text.empty()) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const auto key = text::trimmed(text.substr(0, equals));
    text.remove_prefix(equals + 1);
    std::string value;
    if (text.starts_with('"')) {
      std::size_t i = 1;
      for (; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        value += text[i];
      }
      if (i >= text.size()) return std::nullopt;
      text.remove_prefix(i + 1);
    } else {
      value = text.substr(0, text.find(','));
      text.remove_prefix(value.size());
    }
    if (key.empty() || (!text.empty() && text.front() != ',')) return std::nullopt;
    if (!text.empty()) text.remove_prefix(1);
    out.emplace_back(key, std::move(value));
  }
  return out;
}

}  // namespace

std::string metric_of_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool kept = is_letter(c) || is_digit(c) || c == ':' || c == '_';
    if (kept) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (out.size() > 1 && out.back() == '_') out.pop_back();
  return out.empty() ? "value" : out;
}

ChannelName channel_of_labels(std::string_view metric, const Labels& labels,
                              const std::vector<std::string>& left_out) {
  ChannelName out{metric_of_text(metric), ""};
  for (const auto& [key, value] : labels) {
    if (key == "__name__") out.metric = metric_of_text(value);
    if (key == "__name__" || value.empty()) continue;
    if (std::find(left_out.begin(), left_out.end(), key) != left_out.end()) continue;
    out.instance.append(out.instance.empty() ? "" : ",").append(key).append("=").append(value);
  }
  return out;
}

ChannelName channel_of_name(std::string_view name) {
  name = text::trimmed(name);
  const auto brace = name.find('{');
  if (brace == std::string_view::npos || !name.ends_with('}')) return channel_of_plain(name);
  const auto inner = name.substr(brace + 1, name.size() - brace - 2);
  if (const auto labels = parse_labels(inner)) {
    return channel_of_labels(name.substr(0, brace), *labels, {});
  }
  return {metric_of_text(name.substr(0, brace)), std::string(inner)};
}

}  // namespace reveal::exchange
