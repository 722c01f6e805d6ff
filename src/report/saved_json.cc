#include "report/saved_json.h"

#include <utility>

#include <fmt/format.h>

#include "base/bounded_json.h"

namespace reveal::report {
namespace {

constexpr int kDeepest = 32;  // a report has 9 levels

const Json kNothing;
const Json kEmptyList = Json::array();

// Each returns a value. If the JSON has another type, it sets `wrong` to the message.
std::string text_of(const Json& json, const char*& wrong) {
  if (const auto* text = json.get_ptr<const std::string*>()) return *text;
  wrong = "is not a string";
  return {};
}

std::uint64_t count_of(const Json& json, const char*& wrong) {
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  wrong = "is not a whole number from 0 on";
  return 0;
}

// Margins of years can be added to what it returns.
std::int64_t integer_of(const Json& json, const char*& wrong) {
  constexpr std::int64_t kMax = std::int64_t{1} << 62;
  const bool fits = !json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{kMax};
  if (json.is_number_integer() && fits && json.get<std::int64_t>() >= -kMax) {
    return json.get<std::int64_t>();
  }
  wrong = "is not a whole number that can be a time";
  return 0;
}

std::optional<double> number_of(const Json& json, const char*& wrong) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_null()) wrong = "is neither a number nor null";
  return std::nullopt;
}

}  // namespace

Json saved_document(std::string_view text) {
  return base::parse_bounded<Json>(text, kDeepest);
}

void Problem::set(const std::string& path, std::string_view what) {
  if (text.empty()) text = fmt::format("{} {}", path.empty() ? "the document" : path, what);
}

SavedObject::SavedObject(const Json& json, std::string path, Problem& problem)
    : json_(&json), path_(std::move(path)), problem_(&problem) {
  if (!json.is_object()) problem.set(path_, "is not an object");
}

std::string SavedObject::path_of(const char* key) const {
  return path_.empty() ? key : fmt::format("{}.{}", path_, key);
}

const Json& SavedObject::member(const char* key) const {
  if (!json_->is_object()) return kNothing;
  const auto found = json_->find(key);
  if (found != json_->end()) return *found;
  problem_->set(path_of(key), "is missing");
  return kNothing;
}

const Json& SavedObject::list(const char* key) const {
  const Json& out = member(key);
  if (out.is_array()) return out;
  problem_->set(path_of(key), "is not a list");
  return kEmptyList;
}

template <typename T>
T SavedObject::one(const char* key, T (*read)(const Json&, const char*&)) const {
  const char* wrong = nullptr;
  T out = read(member(key), wrong);
  if (wrong != nullptr) problem_->set(path_of(key), wrong);
  return out;
}

template <typename T>
std::vector<T> SavedObject::each(const char* key, T (*read)(const Json&, const char*&)) const {
  const Json& items = list(key);
  std::vector<T> out;
  out.reserve(items.size());
  const char* wrong = nullptr;
  for (std::size_t i = 0; i < items.size() && wrong == nullptr; ++i) {
    out.push_back(read(items[i], wrong));
    if (wrong != nullptr) problem_->set(fmt::format("{}[{}]", path_of(key), i), wrong);
  }
  return out;
}

std::string SavedObject::text(const char* key) const {
  return one(key, text_of);
}

std::int64_t SavedObject::integer(const char* key) const {
  return one(key, integer_of);
}

std::uint64_t SavedObject::count(const char* key) const {
  return one(key, count_of);
}

std::optional<double> SavedObject::number(const char* key) const {
  return one(key, number_of);
}

std::int64_t SavedObject::time_ns(const char* key) const {
  return object(key).integer("ns");
}

SavedObject SavedObject::object(const char* key) const {
  return {member(key), path_of(key), *problem_};
}

std::vector<SavedObject> SavedObject::objects(const char* key) const {
  const Json& items = list(key);
  std::vector<SavedObject> out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.emplace_back(items[i], fmt::format("{}[{}]", path_of(key), i), *problem_);
  }
  return out;
}

std::vector<std::string> SavedObject::texts(const char* key) const {
  return each(key, text_of);
}

std::vector<std::uint64_t> SavedObject::counts(const char* key) const {
  return each(key, count_of);
}

std::vector<std::int64_t> SavedObject::integers(const char* key) const {
  return each(key, integer_of);
}

std::vector<std::optional<double>> SavedObject::numbers(const char* key) const {
  return each(key, number_of);
}

}  // namespace reveal::report
