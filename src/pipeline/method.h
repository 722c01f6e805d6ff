// The methods of analysis: settings that belong together, under one name.
#pragma once

#include <span>
#include <string_view>

#include "settings/method_names.h"
#include "settings/settings.h"

namespace reveal::pipeline {

struct Method {
  settings::MethodName name;
  settings::AnalysisSettings (*settings)() = nullptr;
};

// Returns all methods, in the order of settings::kMethodNames; the first is the default.
std::span<const Method> methods();

// Returns the method of that name, or nullptr.
const Method* find_method(std::string_view name);

}  // namespace reveal::pipeline
