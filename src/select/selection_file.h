// The plan as a file, selection.json, so that one run's plan can be used on another:
//
//   {"schema": "reveal.selection", "version": 1, "threshold": 0.5,
//    "clusters": [{"representative": "NAME", "members": [{"channel": "NAME", "r": 0.93}]}],
//    "constant": ["NAME"], "left_out": ["NAME"]}
//
// "left_out" may be missing. Every channel stands in one place only. Members that this version does
// not know are ignored; a higher version is refused.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "select/selection_plan.h"

namespace reveal::select {

inline constexpr int kSelectionVersion = 1;

std::string to_json(const SelectionPlan& plan);

// Fails with kCorrupt, saying which member of `where` is wrong, for text that is not a valid plan.
base::Result<SelectionPlan> from_json(std::string_view text, const std::string& where);

// Writes the file whole or not at all.
base::Result<void> save(const SelectionPlan& plan, const std::string& path);
base::Result<SelectionPlan> load(const std::string& path);

}  // namespace reveal::select
