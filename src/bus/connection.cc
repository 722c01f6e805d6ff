#include "bus/connection.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "base/whole_file.h"
#include "bus/inbox.h"
#include "bus/library.h"

namespace reveal::bus {
namespace {

constexpr std::int64_t kPing_ms = 10'000;
constexpr int kMostPings = 2;
constexpr std::size_t kLongestPassword = 4096;
// As NATS' server says it.
constexpr std::string_view kForbidden = "Permissions Violation";
constexpr const char* kAllow =
    "allow it in the broker's configuration (docs/how_to/fleet.md, \"Who may do what\")";

using Settings = std::unique_ptr<natsOptions, decltype(&::natsOptions_Destroy)>;

// Errors are asked for; the library's own handler would write to stderr.
void ignore_error(natsConnection*, natsSubscription*, natsStatus, void*) {}

base::Result<std::string> read_password(const BrokerOptions& options) {
  auto text = base::read_whole_file(options.password_file, "password", kLongestPassword);
  if (!text) return text;
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  return text;
}

// Applies one setting after the other, until one fails.
class Setter {
 public:
  explicit Setter(natsOptions* options) : options_(options) {}

  template <typename Function, typename... Arguments>
  void operator()(Function function, Arguments... arguments) {
    if (status_ == NATS_OK) status_ = function(options_, arguments...);
  }
  natsStatus status() const { return status_; }

 private:
  natsOptions* options_;
  natsStatus status_ = NATS_OK;
};

const char* text_or_null(const std::filesystem::path& path) {
  return path.empty() ? nullptr : path.c_str();
}

void set_basics(const Api& api, const BrokerOptions& options, const ErrorHandler& handler,
                Setter& set) {
  const auto urls = urls_of(options.url);
  std::vector<const char*> servers;
  servers.reserve(urls.size());
  for (const auto& url : urls) servers.push_back(url.c_str());
  set(api.set_servers, servers.data(), static_cast<int>(servers.size()));
  set(api.set_name, options.name.c_str());
  set(api.set_timeout, std::int64_t{options.timeout.count()});
  set(api.set_write_deadline, std::int64_t{options.timeout.count()});
  set(api.set_allow_reconnect, false);
  set(api.set_ping_interval, kPing_ms);
  set(api.set_max_pings_out, kMostPings);
  set(api.set_error_handler, handler.function == nullptr ? &ignore_error : handler.function,
      handler.closure);
  set(api.set_inbox_prefix, inbox_prefix(options).c_str());
}

void set_tls(const Api& api, const BrokerOptions& options, Setter& set) {
  if (!options.uses_tls()) return;
  set(api.set_secure, true);
  if (!options.ca_file.empty()) set(api.load_ca, options.ca_file.c_str());
  if (!options.certificate_file.empty()) {
    set(api.load_certificates, options.certificate_file.c_str(), options.key_file.c_str());
  }
  if (!options.server_name.empty()) set(api.set_expected_hostname, options.server_name.c_str());
}

base::Result<void> set_identity(const Api& api, const BrokerOptions& options, Setter& set) {
  if (!options.user.empty()) {
    const auto password = read_password(options);
    if (!password) return base::pass(password);
    set(api.set_user_info, options.user.c_str(), password->c_str());
  }
  if (!options.nkey.empty()) {
    set(api.set_nkey_from_seed, options.nkey.c_str(), options.nkey_seed_file.c_str());
  }
  if (!options.credentials_file.empty()) {
    set(api.set_credentials, text_or_null(options.credentials_file), nullptr);
  }
  return {};
}

base::ErrorKind kind_of(natsStatus status) {
  const bool refused = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED;
  return refused ? base::ErrorKind::kPermission : base::ErrorKind::kIo;
}

}  // namespace

base::Unexpected nats_failure(const Api& api, natsStatus status, std::string what,
                              std::string where) {
  return base::fail(kind_of(status), std::move(what) + ": " + api.status_text(status),
                    std::move(where));
}

bool says_forbidden(std::string_view said) {
  return said.find(kForbidden) != said.npos;
}

base::Result<std::unique_ptr<Connection>> Connection::open(const BrokerOptions& options,
                                                           const ErrorHandler& handler) {
  if (const auto checked = check(options); !checked) return base::pass(checked);
  const auto loaded = load_nats();
  if (!loaded) return base::pass(loaded);
  const Api& api = **loaded;
  natsOptions* made = nullptr;
  if (const auto status = api.options_create(&made); status != NATS_OK) {
    return nats_failure(api, status, "no settings for a connection");
  }
  const Settings settings(made, api.options_destroy);
  Setter set(made);
  set_basics(api, options, handler, set);
  set_tls(api, options, set);
  if (const auto identity = set_identity(api, options, set); !identity) return base::pass(identity);
  if (set.status() != NATS_OK) {
    return nats_failure(api, set.status(), "the settings of the connection cannot be used",
                        options.url);
  }
  natsConnection* connection = nullptr;
  if (const auto status = api.connect(&connection, made); status != NATS_OK) {
    return nats_failure(api, status, "no connection to the broker", options.url);
  }
  return std::unique_ptr<Connection>(new Connection(api, connection));
}

Connection::~Connection() {
  api_->connection_destroy(connection_);
}

void Connection::close() const {
  api_->connection_close(connection_);
}

bool Connection::is_open() const {
  return api_->connection_status(connection_) == NATS_CONN_STATUS_CONNECTED;
}

std::string Connection::last_error() const {
  const char* text = nullptr;
  api_->connection_last_error(connection_, &text);
  return text == nullptr ? std::string() : std::string(text);
}

base::Unexpected Connection::failure(natsStatus status, std::string what, std::string where) const {
  if (const auto said = last_error(); says_forbidden(said)) {
    return base::fail(base::ErrorKind::kPermission, std::move(what) + ": " + said, std::move(where),
                      kAllow);
  }
  return nats_failure(*api_, status, std::move(what), std::move(where));
}

}  // namespace reveal::bus
