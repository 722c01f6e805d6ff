#include "select/selection_file.h"

#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "base/whole_file.h"

namespace reveal::select {
namespace {

using base::ErrorKind;
using nlohmann::json;

constexpr const char* kSchema = "reveal.selection";
constexpr const char* kRemedy = "make a new plan with reveal analyze";

// Takes a parsed file apart; every member's place is named in the error.
class Reader {
 public:
  explicit Reader(std::string where) : where_(std::move(where)) {}

  base::Result<SelectionPlan> plan(const json& root) {
    if (auto ok = header(root); !ok) return base::pass(ok);
    SelectionPlan out;
    const auto threshold = number(root, "threshold", "threshold");
    if (!threshold) return base::pass(threshold);
    out.threshold = *threshold;
    if (out.threshold < 0.0 || out.threshold > 1.0) return wrong("threshold", "from 0 to 1");
    if (auto ok = clusters(root, out); !ok) return base::pass(ok);
    if (auto ok = names(root, "constant", out.constant); !ok) return base::pass(ok);
    if (!root.contains("left_out")) return out;
    if (auto ok = names(root, "left_out", out.left_out); !ok) return base::pass(ok);
    return out;
  }

 private:
  base::Unexpected wrong(const std::string& place, std::string_view expected) const {
    return base::fail(ErrorKind::kCorrupt, fmt::format("\"{}\" is not {}", place, expected), where_,
                      kRemedy);
  }

  base::Result<void> header(const json& root) const {
    if (!root.is_object() || root.value("schema", json()) != kSchema) {
      return base::fail(ErrorKind::kCorrupt, "not a selection plan of Reveal", where_, kRemedy);
    }
    const auto version = root.value("version", json());
    if (!version.is_number_integer()) return wrong("version", "a whole number");
    if (version != kSelectionVersion) {
      return base::fail(ErrorKind::kCorrupt,
                        fmt::format("selection plan of version {}, this Reveal reads version {}",
                                    version.dump(), kSelectionVersion),
                        where_, kRemedy);
    }
    return {};
  }

  base::Result<double> number(const json& object, const char* key, const std::string& place) const {
    const auto value = object.is_object() ? object.value(key, json()) : json();
    if (!value.is_number()) return wrong(place, "a number");
    return value.get<double>();
  }

  // Names are the plan's keys: each may appear once.
  base::Result<std::string> channel(const json& value, const std::string& place) {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      return wrong(place, "the name of a channel");
    }
    auto name = value.get<std::string>();
    if (!seen_.insert(name).second) {
      return base::fail(ErrorKind::kCorrupt, fmt::format("\"{}\" repeats {}", place, name), where_,
                        kRemedy);
    }
    return name;
  }

  base::Result<void> clusters(const json& root, SelectionPlan& out) {
    const auto list = root.value("clusters", json());
    if (!list.is_array()) return wrong("clusters", "a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto read = cluster(list[i], fmt::format("clusters[{}]", i));
      if (!read) return base::pass(read);
      out.clusters.push_back(std::move(*read));
    }
    return {};
  }

  base::Result<Cluster> cluster(const json& value, const std::string& place) {
    if (!value.is_object()) return wrong(place, "an object");
    auto name = channel(value.value("representative", json()), place + ".representative");
    if (!name) return base::pass(name);
    Cluster out{std::move(*name), {}};
    const auto list = value.value("members", json());
    if (!list.is_array()) return wrong(place + ".members", "a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto read = member(list[i], fmt::format("{}.members[{}]", place, i));
      if (!read) return base::pass(read);
      out.members.push_back(std::move(*read));
    }
    return out;
  }

  base::Result<Member> member(const json& value, const std::string& place) {
    if (!value.is_object()) return wrong(place, "an object");
    auto name = channel(value.value("channel", json()), place + ".channel");
    if (!name) return base::pass(name);
    const auto r = number(value, "r", place + ".r");
    if (!r) return base::pass(r);
    if (std::abs(*r) > 1.0) return wrong(place + ".r", "from -1 to 1");
    return Member{std::move(*name), *r};
  }

  base::Result<void> names(const json& root, const char* key, std::vector<std::string>& out) {
    const auto list = root.value(key, json());
    if (!list.is_array()) return wrong(key, "a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto name = channel(list[i], fmt::format("{}[{}]", key, i));
      if (!name) return base::pass(name);
      out.push_back(std::move(*name));
    }
    return {};
  }

  std::string where_;
  std::set<std::string> seen_;
};

}  // namespace

std::string to_json(const SelectionPlan& plan) {
  nlohmann::ordered_json root{{"schema", kSchema},
                              {"version", kSelectionVersion},
                              {"threshold", plan.threshold},
                              {"clusters", nlohmann::ordered_json::array()},
                              {"constant", plan.constant}};
  for (const auto& cluster : plan.clusters) {
    auto members = nlohmann::ordered_json::array();
    for (const auto& member : cluster.members) {
      members.push_back({{"channel", member.channel}, {"r", member.r}});
    }
    root["clusters"].push_back(
        {{"representative", cluster.representative}, {"members", std::move(members)}});
  }
  if (!plan.left_out.empty()) root["left_out"] = plan.left_out;
  // Names come from the kernel and need not be UTF-8: what is not is replaced, never thrown over.
  return root.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

base::Result<SelectionPlan> from_json(std::string_view text, const std::string& where) {
  try {
    return Reader(where).plan(json::parse(text));
  } catch (const json::parse_error& error) {
    return base::fail(ErrorKind::kCorrupt, fmt::format("not JSON from byte {} on", error.byte),
                      where, kRemedy);
  } catch (const json::exception& error) {
    // A number beyond binary64, above all: 1e400 is JSON.
    return base::fail(ErrorKind::kCorrupt, fmt::format("not a readable plan ({})", error.what()),
                      where, kRemedy);
  }
}

base::Result<void> save(const SelectionPlan& plan, const std::string& path) {
  return base::write_new_file(path, to_json(plan));
}

base::Result<SelectionPlan> load(const std::string& path) {
  const auto text = base::read_whole_file(path, "selection plan");
  if (!text) return base::pass(text);
  return from_json(*text, path);
}

}  // namespace reveal::select
