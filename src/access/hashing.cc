#include "access/hashing.h"

#include <memory>

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/hmac.h"

namespace reveal::access {

Digest sha256(std::string_view text) {
  Digest out{};
  unsigned int size = 0;
  if (::EVP_Digest(text.data(), text.size(), out.data(), &size, ::EVP_sha256(), nullptr) != 1) {
    return {};
  }
  return out;
}

bool is_same(const Digest& a, const Digest& b) {
  return ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool has_hash(const std::string& password, const std::string& hash) {
  const auto scratch = std::make_unique<crypt_data>();  // 32 KB: not for a stack
  const char* made = ::crypt_r(password.c_str(), hash.c_str(), scratch.get());
  // A failure is a text that begins with a star, or none.
  const std::string_view text = made == nullptr ? "" : made;
  const bool fits = text.size() == hash.size() && !text.starts_with('*') &&
                    ::CRYPTO_memcmp(text.data(), hash.data(), hash.size()) == 0;
  ::OPENSSL_cleanse(scratch.get(), sizeof(crypt_data));
  return fits;
}

Sealer::Sealer() : has_key_(::RAND_bytes(key_.data(), static_cast<int>(key_.size())) == 1) {}

std::string Sealer::seal(std::string_view name, std::string_view password) const {
  // A name has no NUL, so no two pairs are one text.
  std::string text(name);
  text += '\0';
  text += password;
  const auto sealed =
      base::hmac_sha256({reinterpret_cast<const char*>(key_.data()), key_.size()}, text);
  ::OPENSSL_cleanse(text.data(), text.size());
  if (!has_key_ || !sealed) return {};
  return {reinterpret_cast<const char*>(sealed->data()), sealed->size()};
}

}  // namespace reveal::access
