#include "publish/event_detail.h"

#include <nlohmann/json.hpp>

#include "wire/limits.h"

namespace reveal::publish {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEvidence = "evidence";

std::string text_of(const Json& finding) {
  return finding.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string event_detail(std::string_view json) {
  auto finding = Json::parse(json, nullptr, false);
  if (!finding.is_object()) return {};
  finding.erase("windows");
  auto out = text_of(finding);
  while (out.size() > wire::kMaxDetail) {
    const auto evidence = finding.find(kEvidence);
    if (evidence == finding.end() || !evidence->is_array() || evidence->empty()) return {};
    evidence->erase(evidence->size() - 1);
    out = text_of(finding);
  }
  return out;
}

}  // namespace reveal::publish
