#include "exchange/note_json.h"

#include <string>

#include <nlohmann/json.hpp>

namespace reveal::exchange {
namespace {

bool read_text(const nlohmann::json& json, const char* key, std::string& out) {
  const auto member = json.find(key);
  if (member == json.end() || !member->is_string()) return false;
  out = member->get<std::string>();
  return true;
}

}  // namespace

nlohmann::ordered_json note_to_json(const model::Note& note) {
  return {{"kind", note.kind == model::Note::Kind::kFact ? "fact" : "event"},
          {"source", note.source},
          {"subject", note.subject},
          {"text", note.text}};
}

std::optional<model::Note> note_from_json(const nlohmann::json& json) {
  if (!json.is_object()) return std::nullopt;
  model::Note note;
  std::string kind;
  const bool sound = read_text(json, "kind", kind) && read_text(json, "source", note.source) &&
                     read_text(json, "subject", note.subject) && read_text(json, "text", note.text);
  if (!sound || (kind != "fact" && kind != "event")) return std::nullopt;
  note.kind = kind == "fact" ? model::Note::Kind::kFact : model::Note::Kind::kEvent;
  return note;
}

}  // namespace reveal::exchange
