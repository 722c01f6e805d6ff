#include "http/tls.h"

#include <array>
#include <utility>

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/whole_file.h"

namespace reveal::http {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kMostFileBytes = std::size_t{1} << 20;
// Of TLS 1.2 those with forward secrecy and authenticated encryption, as RFC 9325 wants it.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

struct NamedClientAuth {
  std::string_view name;
  ClientAuth auth;
};
constexpr NamedClientAuth kClientAuths[] = {
    {"NoClientCert", ClientAuth::kNoClientCert},
    {"RequestClientCert", ClientAuth::kRequestClientCert},
    {"RequireAnyClientCert", ClientAuth::kRequireAnyClientCert},
    {"VerifyClientCertIfGiven", ClientAuth::kVerifyClientCertIfGiven},
    {"RequireAndVerifyClientCert", ClientAuth::kRequireAndVerifyClientCert},
};

bool verifies(ClientAuth auth) {
  return auth == ClientAuth::kVerifyClientCertIfGiven ||
         auth == ClientAuth::kRequireAndVerifyClientCert;
}

bool requires_one(ClientAuth auth) {
  return auth == ClientAuth::kRequireAnyClientCert ||
         auth == ClientAuth::kRequireAndVerifyClientCert;
}

// Returns the reason of OpenSSL's latest error.
std::string tls_reason() {
  const char* reason = ::ERR_reason_error_string(::ERR_peek_last_error());
  return reason == nullptr ? "unknown reason" : reason;
}

base::Unexpected cannot(const std::string& what, const std::filesystem::path& file,
                        const char* remedy) {
  return base::fail(ErrorKind::kCorrupt, what + ": " + tls_reason(), file.string(), remedy);
}

// OpenSSL reads a pipe or a device as well, and waits for it.
Result<void> check_file(const std::filesystem::path& file, std::string_view what) {
  return base::read_whole_file(file, what, kMostFileBytes).map([](const std::string&) {});
}

Result<void> check_files(const TlsFiles& files) {
  if (files.certificate.empty() || files.key.empty()) {
    return base::fail(ErrorKind::kUsage, "a certificate and its key belong together", {},
                      "write both cert_file and key_file under [web.tls]");
  }
  if (files.client_authorities.empty() == verifies(files.client_auth)) {
    return base::fail(
        ErrorKind::kUsage,
        verifies(files.client_auth)
            ? "certificates of clients cannot be verified without an authority"
            : "client_ca_file has no effect with this client_auth_type",
        {}, "client_ca_file belongs to VerifyClientCertIfGiven and RequireAndVerifyClientCert");
  }
  if (auto sound = check_file(files.certificate, "certificate"); !sound) return sound;
  if (auto sound = check_file(files.key, "key of the certificate"); !sound) return sound;
  struct stat key {};
  if (::stat(files.key.c_str(), &key) == 0 && (key.st_mode & S_IRWXO) != 0) {
    return base::fail(ErrorKind::kPermission, "everybody can use the key of the certificate",
                      files.key.string(), "chmod o-rwx");
  }
  if (files.client_authorities.empty()) return {};
  return check_file(files.client_authorities, "authorities of clients");
}

int accept_any(int, X509_STORE_CTX*) {
  return 1;
}

// A key with a passphrase would have it asked for at a terminal.
int no_passphrase(char*, int, int, void*) {
  return 0;
}

Result<void> ask_clients(SSL_CTX* context, const TlsFiles& files) {
  if (files.client_auth == ClientAuth::kNoClientCert) return {};
  int mode = SSL_VERIFY_PEER;
  if (requires_one(files.client_auth)) mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  ::SSL_CTX_set_verify(context, mode, verifies(files.client_auth) ? nullptr : accept_any);
  if (!verifies(files.client_auth)) return {};
  const auto& file = files.client_authorities;
  auto* names = ::SSL_load_client_CA_file(file.c_str());
  if (names == nullptr || ::SSL_CTX_load_verify_locations(context, file.c_str(), nullptr) != 1) {
    ::sk_X509_NAME_pop_free(names, ::X509_NAME_free);
    return cannot("cannot read the authorities of clients", file,
                  "name a file of certificates in PEM format as client_ca_file");
  }
  ::SSL_CTX_set_client_CA_list(context, names);  // which has them from now on
  return {};
}

std::string address_of(const ASN1_OCTET_STRING* bytes) {
  std::array<char, INET6_ADDRSTRLEN> out{};
  const int size = ::ASN1_STRING_length(bytes);
  if (size != 4 && size != 16) return {};
  ::inet_ntop(size == 4 ? AF_INET : AF_INET6, ::ASN1_STRING_get0_data(bytes), out.data(),
              out.size());
  return out.data();
}

std::string name_of(const GENERAL_NAME& name) {
  if (name.type == GEN_IPADD) return address_of(name.d.iPAddress);
  if (name.type != GEN_DNS) return {};
  const auto* text = reinterpret_cast<const char*>(::ASN1_STRING_get0_data(name.d.dNSName));
  return {text, static_cast<std::size_t>(::ASN1_STRING_length(name.d.dNSName))};
}

std::vector<std::string> names_of(const X509* certificate) {
  std::vector<std::string> out;
  auto* names = static_cast<GENERAL_NAMES*>(
      ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < ::sk_GENERAL_NAME_num(names); ++i) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-cstyle-cast): in a macro of OpenSSL
    auto name = name_of(*sk_GENERAL_NAME_value(names, i));
    if (!name.empty()) out.push_back(std::move(name));
  }
  ::GENERAL_NAMES_free(names);
  return out;
}

}  // namespace

std::optional<ClientAuth> client_auth_of(std::string_view name) {
  for (const auto& one : kClientAuths) {
    if (one.name == name) return one.auth;
  }
  return {};
}

void FreeTls::operator()(SSL* tls) const {
  ::SSL_free(tls);
}

void Tls::FreeContext::operator()(SSL_CTX* context) const {
  ::SSL_CTX_free(context);
}

Result<Tls::Identity> Tls::read(const TlsFiles& files) {
  if (auto sound = check_files(files); !sound) return base::pass(sound);
  ::ERR_clear_error();
  Identity out;
  out.context.reset(::SSL_CTX_new(::TLS_server_method()));
  auto* context = out.context.get();
  if (context == nullptr) return base::fail(ErrorKind::kIo, "cannot begin TLS: " + tls_reason());
  ::SSL_CTX_set_min_proto_version(context, files.only_newest ? TLS1_3_VERSION : TLS1_2_VERSION);
  ::SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
  ::SSL_CTX_set_num_tickets(context, 0);
  ::SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
  // Else one call reads for as long as records come that hold no data, and a client may send those
  // without end.
  ::SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
  ::SSL_CTX_set_default_passwd_cb(context, no_passphrase);
  if (::SSL_CTX_set_cipher_list(context, kCiphers) != 1) {
    return base::fail(ErrorKind::kIo, "cannot begin TLS: " + tls_reason());
  }
  if (::SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
    return cannot("cannot read the certificate", files.certificate,
                  "name a certificate in PEM format as cert_file");
  }
  if (::SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      ::SSL_CTX_check_private_key(context) != 1) {
    return cannot("this is not the key of the certificate", files.key,
                  "name its key, in PEM format and without a passphrase, as key_file");
  }
  if (auto asked = ask_clients(context, files); !asked) return base::pass(asked);
  out.names = std::make_shared<const std::vector<std::string>>(
      names_of(::SSL_CTX_get0_certificate(context)));
  return out;
}

Tls::Tls(TlsFiles files, base::FileWatch watch, Identity identity)
    : files_(std::move(files)), watch_(std::move(watch)), identity_(std::move(identity)) {}

Result<std::unique_ptr<Tls>> Tls::open(TlsFiles files) {
  // Before they are read: a change from here on is one.
  base::FileWatch watch({files.certificate, files.key, files.client_authorities});
  auto identity = read(files);
  if (!identity) return base::pass(identity);
  return std::unique_ptr<Tls>(new Tls(std::move(files), std::move(watch), std::move(*identity)));
}

TlsSession Tls::begin(int fd) const {
  const std::lock_guard lock(mutex_);
  // It keeps the context that it is made of.
  TlsSession out(::SSL_new(identity_.context.get()));
  if (!out || ::SSL_set_fd(out.get(), fd) != 1) return {};
  ::SSL_set_accept_state(out.get());
  return out;
}

std::shared_ptr<const std::vector<std::string>> Tls::names() const {
  const std::lock_guard lock(mutex_);
  return identity_.names;
}

Result<bool> Tls::refresh() {
  if (!watch_.has_changed()) return false;
  auto identity = read(files_);
  if (!identity) return base::pass(identity);
  const std::lock_guard lock(mutex_);
  identity_ = std::move(*identity);
  return true;
}

}  // namespace reveal::http
