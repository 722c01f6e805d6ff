// The server's side of TLS: its certificate, and what it asks of clients.
//
// Sessions are not resumed: a client that comes back proves again what it has to prove, and a
// connection that stays open needs none. There is no renegotiation and no compression.
//
// Safe from any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <openssl/types.h>

#include "base/file_watch.h"
#include "base/result.h"

namespace reveal::http {

// The names of Prometheus' exporter-toolkit, which are those of Go's crypto/tls.
enum class ClientAuth : std::uint8_t {
  kNoClientCert,                // none is asked for
  kRequestClientCert,           // one is asked for; whatever comes, or nothing, is accepted
  kRequireAnyClientCert,        // one must come; whichever it is
  kVerifyClientCertIfGiven,     // if one comes, an authority of client_ca_file must have signed it
  kRequireAndVerifyClientCert,  // one must come, and be signed so
};

// Returns what a name stands for, such as "RequireAnyClientCert"; nothing if there is no such name.
std::optional<ClientAuth> client_auth_of(std::string_view name);

// All files are in PEM format.
struct TlsFiles {
  std::filesystem::path certificate = {};  // with those between it and its authority
  std::filesystem::path key = {};
  std::filesystem::path client_authorities = {};  // empty: none
  ClientAuth client_auth = ClientAuth::kNoClientCert;
  bool only_newest = false;  // TLS 1.3 alone; else 1.2, too
};

struct FreeTls {
  void operator()(SSL* tls) const;
};
using TlsSession = std::unique_ptr<SSL, FreeTls>;

class Tls {
 public:
  // Reads the files. Fails with kUsage if they do not fit together, with kPermission if everybody
  // may read the key, with kCorrupt if they are not what they should be, else as the system does.
  static base::Result<std::unique_ptr<Tls>> open(TlsFiles files);

  // Begins TLS on a socket that a client has connected to. Null if there is no memory.
  TlsSession begin(int fd) const;

  // Returns whether nobody gets further without a certificate that an authority has signed.
  bool verifies_all() const {
    return files_.client_auth == ClientAuth::kRequireAndVerifyClientCert;
  }

  // Returns the names and addresses that the certificate is for; "*.example.org" may be one.
  std::shared_ptr<const std::vector<std::string>> names() const;

  // Reads the files if they have changed, and returns whether it did: connections that begin from
  // then on have the new certificate. If they are wrong the old ones stay in force, and it fails,
  // once for each change. To be called every second or so, from one thread.
  base::Result<bool> refresh();

 private:
  struct FreeContext {
    void operator()(SSL_CTX* context) const;
  };
  struct Identity {
    std::unique_ptr<SSL_CTX, FreeContext> context;
    std::shared_ptr<const std::vector<std::string>> names;
  };

  Tls(TlsFiles files, base::FileWatch watch, Identity identity);
  static base::Result<Identity> read(const TlsFiles& files);

  const TlsFiles files_;
  base::FileWatch watch_;  // of refresh() alone

  mutable std::mutex mutex_;  // of what follows
  Identity identity_;
};

}  // namespace reveal::http
