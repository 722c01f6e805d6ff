// What an analyser keeps of its fleet: hosts, their facts and findings, and incidents, in a file of
// SQLite that other programs can read while it is written. All writes are idempotent: messages that
// come again change nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ledger/database.h"
#include "peers/incident.h"
#include "wire/event.h"
#include "wire/facts.h"

namespace reveal::ledger {

class Ledger {
 public:
  // Opens the file, makes it if it is not there, and brings it to this version. Fails as
  // Database::open() and migrate().
  static base::Result<Ledger> open(const std::filesystem::path& file);

  // Between the two, what is put is written at once or not at all.
  base::Result<void> begin();
  base::Result<void> commit();
  // Forgets what was put since begin().
  void roll_back();

  base::Result<void> put_facts(std::string_view host, std::string_view site, std::string_view group,
                               const wire::Facts& facts);
  // Says when a host told the facts again that are there.
  base::Result<void> put_told(std::string_view host, std::int64_t time_ns);
  base::Result<void> put_standing(std::string_view host, std::string_view standing);
  // An event of an older revision than what is there changes nothing.
  base::Result<void> put_event(std::string_view host, const wire::Event& event);
  // `detail` is the incident as JSON. An older revision than what is there changes nothing.
  base::Result<void> put_incident(const peers::Incident& incident, std::string_view detail);

  // Returns the details of the incidents that are open.
  base::Result<std::vector<std::string>> open_incidents();

  // Says of incidents that are open here, but not among those: they ended while nobody looked.
  // Returns how many there were.
  base::Result<std::size_t> close_others(const std::set<std::string>& open);

  Database& database() { return database_; }

 private:
  explicit Ledger(Database database) : database_(std::move(database)) {}

  base::Result<void> put(const std::string& statement, const std::vector<Value>& values);

  Database database_;
};

}  // namespace reveal::ledger
