#include "exchange/prometheus_json.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/channel_name.h"
#include "exchange/json_characters.h"
#include "exchange/prometheus_names.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using nlohmann::json;

constexpr const char* kRemedy =
    "save the answer of /api/v1/query_range as it comes, for example with curl";

// Receives the parser's calls. Each returns whether to go on.
class Handler : public json::json_sax_t {
 public:
  Handler(std::string where, std::string_view stem, const ImportOptions& options, Gathering& out)
      : where_(std::move(where)), options_(options), out_(out), names_(stem) {}

  const std::optional<base::Error>& failure() const { return failure_; }
  bool saw_result() const { return saw_result_; }

  bool start_object(std::size_t) override {
    places_.push_back(place_of_object());
    if (places_.back() == Place::kSeries) begin_series();
    return true;
  }
  bool end_object() override {
    const bool series = places_.back() == Place::kSeries;
    places_.pop_back();
    return !series || end_series();
  }
  bool start_array(std::size_t) override {
    places_.push_back(place_of_array());
    if (places_.back() == Place::kResults) saw_result_ = true;
    if (places_.back() == Place::kPair) element_ = 0;
    return true;
  }
  bool end_array() override {
    const bool pair = places_.back() == Place::kPair;
    places_.pop_back();
    if (!pair || element_ == 2) return true;
    return fail(fmt::format("sample {} is not a pair of a time and a value", samples_.size() + 1));
  }
  bool key(std::string& name) override {
    key_ = name;
    return true;
  }
  bool string(std::string& text) override {
    if (here() == Place::kPair) return take(text);
    if (here() == Place::kMetric) labels_.emplace_back(key_, text);
    if (here() == Place::kRoot && key_ == "error") error_ = text;
    if (here() == Place::kRoot && key_ == "status" && text != "success") status_ = text;
    const bool scalar = text == "scalar" || text == "string";
    if (key_ == "resultType" && here() != Place::kMetric && scalar) {
      return fail(fmt::format("its result is a {}, not a matrix", text));
    }
    return true;
  }
  bool number_integer(std::int64_t value) override { return take(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return take(std::to_string(value)); }
  bool number_float(double, const std::string& text) override { return take(text); }
  bool null() override { return take("null"); }
  bool boolean(bool value) override { return take(value ? "true" : "false"); }
  bool binary(json::binary_t&) override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    failure_ = base::Error{ErrorKind::kCorrupt, "is no whole JSON",
                           fmt::format("{}, byte {}", where_, position), kRemedy};
    return false;
  }

  // Fails if the server said that the query failed.
  Result<void> check_status() const {
    if (status_.empty()) return {};
    return base::fail(ErrorKind::kCorrupt,
                      fmt::format("is an answer of status {}: {}", status_, error_), where_,
                      "correct the query and ask again");
  }

 private:
  enum class Place { kOther, kRoot, kResults, kSeries, kMetric, kValues, kPair };
  struct Sample {
    std::int64_t time_ns;
    text::Number value;
  };

  Place here() const { return places_.empty() ? Place::kOther : places_.back(); }

  Place place_of_object() const {
    if (places_.empty()) return Place::kRoot;
    if (here() == Place::kRoot && key_ == "data") return Place::kRoot;
    if (here() == Place::kResults) return Place::kSeries;
    if (here() == Place::kSeries && key_ == "metric") return Place::kMetric;
    return Place::kOther;
  }
  Place place_of_array() const {
    if (places_.empty()) return Place::kResults;  // the bare result, as promtool prints it
    if (here() == Place::kRoot && key_ == "result") return Place::kResults;
    if (here() == Place::kSeries && key_ == "values") return Place::kValues;
    if (here() == Place::kSeries && key_ == "value") return Place::kPair;
    return here() == Place::kValues ? Place::kPair : Place::kOther;
  }

  bool fail(std::string what) {
    failure_ = base::Error{ErrorKind::kCorrupt, std::move(what),
                           fmt::format("{}, series {}", where_, series_count_), kRemedy};
    return false;
  }

  void begin_series() {
    ++series_count_;
    labels_.clear();
    samples_.clear();
  }

  // Takes a part of a pair; what is elsewhere is of no interest.
  bool take(const std::string& text) {
    if (here() != Place::kPair) return true;
    if (element_++ == 0) {
      const auto time = text::parse_decimal_time(text, text::TimeUnit::kS);
      if (!time)
        return fail(fmt::format("sample {}: \"{}\" is not a time", samples_.size() + 1, text));
      time_ns_ = *time;
      return true;
    }
    const auto value = text::parse_number(text);
    if (!value) {
      return fail(fmt::format("sample {}: \"{}\" is not a number", samples_.size() + 1, text));
    }
    samples_.push_back({time_ns_, *value});
    return true;
  }

  bool end_series() {
    const auto labeled = names_.of(labels_);
    if (options_.mapping.rule_of(labeled.name).skip.value_or(false)) return true;
    const auto id = out_.series(labeled.channel, labeled.name, labeled.host);
    for (const auto& sample : samples_) {
      if (!std::isnan(sample.value.real)) out_.add(id, sample.time_ns, sample.value);
    }
    return true;
  }

  std::string where_;
  const ImportOptions& options_;
  Gathering& out_;
  PrometheusNames names_;
  std::optional<base::Error> failure_;
  std::vector<Place> places_;
  std::string key_;
  std::string status_;
  std::string error_;
  bool saw_result_ = false;
  std::size_t series_count_ = 0;
  Labels labels_;
  std::vector<Sample> samples_;
  int element_ = 0;
  std::int64_t time_ns_ = 0;
};

}  // namespace

Result<void> gather_prometheus_text(TextInput input, std::string_view stem,
                                    const ImportOptions& options, Gathering& out) {
  Characters characters(input);
  Handler handler(input.where(), stem, options, out);
  json::sax_parse(CharacterIterator(characters), CharacterIterator(), &handler);
  if (characters.failure()) return base::Unexpected(*characters.failure());
  if (handler.failure()) return base::Unexpected(*handler.failure());
  if (auto done = handler.check_status(); !done) return done;
  if (handler.saw_result()) return {};
  return base::fail(ErrorKind::kCorrupt, "is not the result of a query", input.where(), kRemedy);
}

Result<void> gather_prometheus(const std::filesystem::path& path, const ImportOptions& options,
                               Gathering& out) {
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  return gather_prometheus_text(std::move(*input), path.stem().string(), options, out);
}

}  // namespace reveal::exchange
