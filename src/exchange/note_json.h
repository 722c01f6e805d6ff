// Notes as JSON, for the metadata of a file and the frames of JSON lines.
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "model/frame.h"

namespace reveal::exchange {

// Returns {"kind", "source", "subject", "text"}.
nlohmann::ordered_json note_to_json(const model::Note& note);

// Returns nothing if the JSON is no such object.
std::optional<model::Note> note_from_json(const nlohmann::json& json);

}  // namespace reveal::exchange
