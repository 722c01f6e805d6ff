// Reads /proc/net/snmp and /proc/net/netstat: pairs of lines, the first naming the columns and the
// second holding their values, both behind the same section name:
//
//   Udp: InDatagrams NoPorts InErrors
//   Udp: 26 0 0
//
// https://docs.kernel.org/networking/snmp_counter.html
//
// Kernels insert columns at any place, so a column is only ever found by its name. The header lines
// are remembered byte for byte with the columns wanted of them, and learned again when one differs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class PairedLayout {
 public:
  // `keys` are the wanted ones as "Section Name". REQUIRES: their text outlives the layout.
  explicit PairedLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}

  std::size_t size() const { return keys_.size(); }

  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values);

 private:
  static constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);

  struct Section {
    std::string header;
    std::size_t name_size = 0;               // of "Udp:", with the colon
    std::vector<std::size_t> key_of_column;  // up to the last wanted one
  };

  Section& section_for(std::size_t number, std::string_view header);
  Section learn(std::string_view header) const;

  std::vector<std::string_view> keys_;
  std::vector<Section> sections_;  // in the order of the file
};

}  // namespace reveal::procfs
