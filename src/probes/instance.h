// Labels of samples of other programs, as the instance of a channel: key=value,key=value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reveal::probes {

using Labels = std::vector<std::pair<std::string, std::string>>;

inline constexpr std::size_t kMostLabels = 16;
inline constexpr std::size_t kLongestName = 200;      // of a metric
inline constexpr std::size_t kLongestInstance = 200;  // bytes

// Returns the instance of these labels, sorted by key, so that their order does not matter. A label
// without a value is none. In values, control characters, bytes that are not UTF-8, and the
// characters , = { } " are replaced by an underscore. Returns nothing if there are too many or they
// are too long.
std::optional<std::string> instance_of(Labels labels);

// Returns whether a text can be the name of a metric: letters, digits, _ and :, no digit first, not
// too long.
bool is_metric_name(std::string_view text);

}  // namespace reveal::probes
