#include "model/fact_table.h"

namespace reveal::model {

bool FactTable::apply(const Note& note) {
  if (note.kind == Note::Kind::kEvent) return true;
  const std::pair key(note.source, note.subject);
  const auto it = text_by_subject_.find(key);
  if (note.text.empty()) {
    if (it == text_by_subject_.end()) return false;
    text_by_subject_.erase(it);
    return true;
  }
  if (it == text_by_subject_.end()) {
    text_by_subject_.emplace(key, note.text);
    return true;
  }
  if (it->second == note.text) return false;
  it->second = note.text;
  return true;
}

std::vector<Note> FactTable::notes() const {
  std::vector<Note> out;
  for (const auto& [key, text] : text_by_subject_) {
    out.push_back({Note::Kind::kFact, key.first, key.second, text});
  }
  return out;
}

}  // namespace reveal::model
