#include "ledger/past_incidents.h"

#include <string_view>

#include <fmt/format.h>

namespace reveal::ledger {
namespace {

// Collects conditions with their values.
class Where {
 public:
  // "$" in the condition stands for the next value's number.
  template <typename... Values>
  void add(std::string_view condition, Values... values) {
    text_ += values_.empty() && text_.empty() ? " WHERE " : " AND ";
    std::size_t number = values_.size();
    for (const char letter : condition) {
      text_ += letter;
      if (letter == '$') text_ += std::to_string(++number);
    }
    (values_.emplace_back(values), ...);
  }
  const std::string& text() const { return text_; }
  std::vector<Value>& values() { return values_; }

 private:
  std::string text_;
  std::vector<Value> values_;
};

}  // namespace

base::Result<std::vector<PastIncident>> past_incidents(Database& database,
                                                       const IncidentChoice& choice) {
  Where where;
  if (choice.open) where.add(*choice.open ? "state = 'open'" : "state <> 'open'");
  if (!choice.id.empty()) where.add("id = $", std::string_view(choice.id));
  if (!choice.group.empty()) where.add("group_key = $", std::string_view(choice.group));
  if (!choice.host.empty()) {
    where.add("id IN (SELECT incident FROM incident_hosts WHERE host = $)",
              std::string_view(choice.host));
  }
  if (choice.since_ns) where.add("(state = 'open' OR end_ns >= $)", *choice.since_ns);
  if (choice.before) {
    where.add("(onset_ns, id) < ($, $)", choice.before->onset_ns,
              std::string_view(choice.before->id));
  }
  where.values().emplace_back(static_cast<std::int64_t>(choice.limit));
  const auto rows = database.query(
      fmt::format("SELECT detail, state FROM incidents{} ORDER BY onset_ns DESC, id DESC LIMIT ${}",
                  where.text(), where.values().size()),
      where.values());
  if (!rows) return base::pass(rows);
  std::vector<PastIncident> out;
  out.reserve(rows->size());
  for (const auto& row : *rows) out.push_back({row.at(0), row.at(1) == "open"});
  return out;
}

}  // namespace reveal::ledger
