// Reads JSON from an untrusted source member by member. The first member that is missing or has
// another type is remembered with its path, and reads as nothing. So a reader states once, in
// order, what it expects, and checks at the end whether all of it was there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/json_parts.h"

namespace reveal::report {

// Returns the document, discarded if it is not JSON or is nested deeper than any report.
Json saved_document(std::string_view text);

// The first problem of a document; empty as long as there is none.
struct Problem {
  std::string text;
  void set(const std::string& path, std::string_view what);
};

// An object of the document, which must outlive it, as must the problem.
class SavedObject {
 public:
  SavedObject(const Json& json, std::string path, Problem& problem);

  // Returns whether there is such a member, for those that a report may lack.
  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  std::string text(const char* key) const;
  std::int64_t integer(const char* key) const;
  std::uint64_t count(const char* key) const;
  std::optional<double> number(const char* key) const;  // null: nothing
  std::int64_t time_ns(const char* key) const;          // of {"ns": …}
  SavedObject object(const char* key) const;
  std::vector<SavedObject> objects(const char* key) const;
  std::vector<std::string> texts(const char* key) const;
  std::vector<std::uint64_t> counts(const char* key) const;
  std::vector<std::int64_t> integers(const char* key) const;
  std::vector<std::optional<double>> numbers(const char* key) const;

  std::string path_of(const char* key) const;

 private:
  const Json& member(const char* key) const;  // null if there is none
  const Json& list(const char* key) const;    // an empty one if there is none
  template <typename T>
  T one(const char* key, T (*read)(const Json&, const char*& wrong)) const;
  template <typename T>
  std::vector<T> each(const char* key, T (*read)(const Json&, const char*& wrong)) const;

  const Json* json_;
  std::string path_;
  Problem* problem_;
};

}  // namespace reveal::report
