#include "base/hmac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace reveal::base {

std::optional<HmacSha256> hmac_sha256(std::string_view key, std::string_view text) {
  HmacSha256 out{};
  unsigned int size = 0;
  const auto* made =
      ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), out.data(), &size);
  if (made == nullptr || size != out.size()) return std::nullopt;
  return out;
}

}  // namespace reveal::base
