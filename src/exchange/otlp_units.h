// Units of OpenTelemetry, which are those of the UCUM, as base units.
// Source: OpenTelemetry's semantic conventions for metrics, "Instrument units".
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "model/metric.h"

namespace reveal::exchange {

struct BaseUnit {
  std::string unit;  // empty for plain numbers
  double scale = 1.0;
};

// Returns nothing if the metric states none. "{requests}" are requests. A level in the unit 1 is a
// ratio.
inline std::optional<BaseUnit> base_unit(std::string_view ucum, model::Kind kind) {
  struct Row {
    std::string_view ucum;
    std::string_view unit;
    double scale;
  };
  static constexpr Row kRows[] = {{"By", "bytes", 1},
                                  {"kBy", "bytes", 1e3},
                                  {"MBy", "bytes", 1e6},
                                  {"GBy", "bytes", 1e9},
                                  {"KiBy", "bytes", 1024},
                                  {"MiBy", "bytes", 1048576},
                                  {"GiBy", "bytes", 1048576.0 * 1024},
                                  {"By/s", "bytes/s", 1},
                                  {"bit", "bits", 1},
                                  {"s", "seconds", 1},
                                  {"ms", "seconds", 1e-3},
                                  {"us", "seconds", 1e-6},
                                  {"ns", "seconds", 1e-9},
                                  {"min", "seconds", 60},
                                  {"h", "seconds", 3600},
                                  {"%", "ratio", 0.01},
                                  {"Cel", "celsius", 1},
                                  {"W", "watts", 1},
                                  {"mW", "watts", 1e-3},
                                  {"J", "joules", 1},
                                  {"V", "volts", 1},
                                  {"A", "amperes", 1},
                                  {"Hz", "hertz", 1},
                                  {"MHz", "hertz", 1e6},
                                  {"GHz", "hertz", 1e9}};
  if (ucum.empty()) return std::nullopt;
  const auto found = std::ranges::find(kRows, ucum, &Row::ucum);
  if (found != std::end(kRows)) return BaseUnit{std::string(found->unit), found->scale};
  if (ucum == "1") return BaseUnit{kind == model::Kind::kGauge ? "ratio" : ""};
  if (ucum.front() == '{' && ucum.back() == '}') ucum = ucum.substr(1, ucum.size() - 2);
  return BaseUnit{std::string(ucum)};
}

}  // namespace reveal::exchange
