#include "exchange/json_text.h"

#include <nlohmann/json.hpp>

namespace reveal::exchange {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace reveal::exchange
