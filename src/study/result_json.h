// The result of a study as JSON, for programs (docs/how_to/study.md):
//
//   {"schema": "reveal.study", "version": 1, "study": "pruning",
//    "runs": [{"recording": "r1", "host": "node7", "begin": {...}, "end": {...}}],
//    "tables": {"thresholds": [{"threshold": 0.1, "kept": 7, ...}]},
//    "notes": ["..."]}
//
// A row of a table is an object with its columns' names; what is unknown or undefined is null.
#pragma once

#include <string>

#include "study/result.h"

namespace reveal::study {

inline constexpr int kStudyVersion = 1;

std::string to_json(const Result& result);

}  // namespace reveal::study
