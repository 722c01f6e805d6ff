#include "manual/documents.h"

#include <algorithm>

namespace reveal::manual {
namespace {

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/';
}

// Returns the name of a document that begins at `at`; empty if none does.
std::string_view document_at(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("docs/")) return {};
  if (at > 0 && (is_of_name(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '-')) return {};
  const auto rest = text.substr(at);
  const auto size = static_cast<std::size_t>(
      std::find_if_not(rest.begin(), rest.end(), is_of_name) - rest.begin());
  return rest.substr(size).starts_with(".md") ? rest.substr(0, size + 3) : std::string_view();
}

}  // namespace

std::string with_documents(std::string_view text, const std::filesystem::path& folder,
                           const std::function<bool(const std::filesystem::path&)>& is_there) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto name = document_at(text, at);
    if (name.empty()) {
      out += text[at++];
      continue;
    }
    const auto path = folder / name;
    out += is_there(path) ? path.string() : std::string(name);
    at += name.size();
  }
  return out;
}

}  // namespace reveal::manual
