// The quantities that the hosts of a group have, a column each, and where each dictionary has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/quantity.h"
#include "peers/meaning.h"

namespace reveal::peers {

struct Column {
  fleet::Quantity quantity;
  float least_rise = 0;        // the median of what the hosts' dictionaries say; 0: none
  double pooled = 0;           // the median of the hosts' spreads
  std::int64_t alarm_ns = -1;  // the last second in which a host was above its peers
  std::int64_t brief_ns = -1;  // the last second after a brief rise of a host; -1: there was none
  bool is_missed = false;      // it counts segments that come before earlier ones
};

// By column, the place of the quantity in a dictionary; -1: it lacks it. May be shorter than there
// are columns.
using Places = std::vector<std::int32_t>;

inline std::int32_t place_in(const Places& places, std::size_t column) {
  return column < places.size() ? places[column] : -1;
}

class Columns {
 public:
  // Returns the places of a dictionary's quantities, which get columns if they have none: at most
  // kMaxColumns, more are left out. They change with compact(), and are forgotten once nobody has
  // them.
  std::shared_ptr<const Places> places_of(const std::shared_ptr<const Meaning>& meaning);

  // Returns the same columns, with places of their own and no alarms.
  Columns copy() const;

  // Removes the columns that no dictionary in use has. Returns which one each of those that stay
  // was; nothing if all stay.
  std::optional<std::vector<std::int32_t>> compact();

  std::size_t size() const { return columns_.size(); }
  Column& operator[](std::size_t column) { return columns_[column]; }
  const Column& operator[](std::size_t column) const { return columns_[column]; }
  // Returns the column of a quantity, by its key; nothing if there is none.
  std::optional<std::size_t> find(std::string_view key) const;

  static constexpr std::size_t kMaxColumns = 2 * wire::kMaxQuantities;

 private:
  std::shared_ptr<Places> make_places(const Meaning& meaning);
  void forget_unused();

  std::vector<Column> columns_;
  std::map<std::string, std::size_t, std::less<>> column_of_;  // by key of the quantity
  std::map<std::weak_ptr<const Meaning>, std::weak_ptr<Places>, std::owner_less<>> places_;
  std::size_t sweep_at_ = 64;  // when so many dictionaries are known, unused ones are looked for
};

}  // namespace reveal::peers
