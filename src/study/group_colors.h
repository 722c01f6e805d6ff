// How pictures tell groups apart: by eight colors in turn, and every second turn by shape.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::study {

// Returns the place of a name, which is added if it is new.
std::size_t index_in(std::vector<std::string>& names, const std::string& name);

// Returns the class of a group's color, p0 to p7.
std::string color_class(std::size_t group);

// Returns whether the eight colors stand for other groups already.
bool is_second_turn(std::size_t group);

// Returns a name beside its mark: `shape` is the class dot or square, `style` that of its color.
std::string legend_entry(std::string_view shape, std::string_view style, std::string_view name);

// Returns the same of a group, by its own color and shape.
std::string legend_entry(std::size_t group, std::string_view name);

}  // namespace reveal::study
