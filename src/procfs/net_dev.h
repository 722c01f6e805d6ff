// /proc/net/dev: what every network interface received and sent.
// https://docs.kernel.org/networking/statistics.html
//
// The second header line names the columns, those of the receiving side between the two bars and
// those of the sending side behind the second. Columns are found by these names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

enum class NetField : std::uint8_t {
  kRxBytes,
  kRxPackets,
  kRxErrors,
  kRxDrops,
  kRxFifo,
  kRxFrame,
  kRxMulticast,
  kTxBytes,
  kTxPackets,
  kTxErrors,
  kTxDrops,
  kTxFifo,
  kTxCollisions,
  kTxCarrier,
};
inline constexpr std::size_t kNetFieldCount = 14;

struct InterfaceStats {
  std::string_view name;
  std::array<Value, kNetFieldCount> fields;

  Value operator[](NetField field) const { return fields[static_cast<std::size_t>(field)]; }
};

class NetDevReader {
 public:
  // Overwrites `out` with the interfaces in the order of the file. Names point into the text.
  void read(std::string_view text, std::vector<InterfaceStats>& out);

 private:
  static constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);

  void learn(std::string_view header);
  bool read_line(std::string_view line, InterfaceStats& out) const;

  std::string header_;
  std::vector<std::size_t> field_of_column_;
};

}  // namespace reveal::procfs
