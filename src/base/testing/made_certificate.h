// A certificate that signs itself, for tests of TLS.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace reveal::base {

template <auto free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using TlsContext = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using TlsPointer = std::unique_ptr<SSL, Freed<SSL_free>>;

inline Key made_key() {
  return Key(EVP_EC_gen("P-256"));
}

// Returns a certificate for these names ("DNS:localhost,IP:127.0.0.1"), valid until `end_s` from
// now.
inline Certificate made_certificate(EVP_PKEY* key, const char* names, long end_s = 7200) {
  Certificate out(X509_new());
  X509_set_version(out.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(out.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(out.get()), -7200);
  X509_gmtime_adj(X509_getm_notAfter(out.get()), end_s);
  X509_set_pubkey(out.get(), key);
  X509_NAME* name = X509_get_subject_name(out.get());
  const auto* text = reinterpret_cast<const unsigned char*>("a test");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(out.get(), name);
  const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> alternative(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names));
  X509_add_ext(out.get(), alternative.get(), -1);
  X509_sign(out.get(), key, EVP_sha256());
  return out;
}

template <typename Write>
std::string pem_by(Write write) {
  const std::unique_ptr<BIO, Freed<BIO_free>> memory(BIO_new(BIO_s_mem()));
  write(memory.get());
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

inline std::string pem_of(X509* certificate) {
  return pem_by([&](BIO* memory) { PEM_write_bio_X509(memory, certificate); });
}

inline std::string pem_of(EVP_PKEY* key) {
  return pem_by([&](BIO* memory) {
    PEM_write_bio_PrivateKey(memory, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

}  // namespace reveal::base
