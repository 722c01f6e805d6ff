// The methods of analysis: settings that belong together, under one name.
#pragma once

#include <span>
#include <string_view>

#include "pipeline/config.h"

namespace reveal::pipeline {

struct Method {
  std::string_view name;
  std::string_view help;  // a noun phrase
  PipelineConfig (*config)();
};

// Returns all methods; the first is the default.
std::span<const Method> methods();

// Returns the method of that name, or nullptr.
const Method* find_method(std::string_view name);

}  // namespace reveal::pipeline
