#include "http/server.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include <sys/socket.h>

#include "base/sigpipe.h"
#include "base/thread.h"
#include "http/guard.h"
#include "http/http_counts.h"
#include "http/ip_address.h"
#include "http/json_text.h"
#include "http/listener.h"
#include "http/poller.h"
#include "http/slow_work.h"

namespace reveal::http {
namespace {

using Clock = Connection::Clock;
using Phase = Connection::Phase;

constexpr int kMostAcceptedAtOnce = 32;
// Tells both ends that the connection is alive.
constexpr std::chrono::seconds kBetweenPings{15};
// The system has no descriptor or memory left: trying at once again would only keep a core busy.
constexpr std::chrono::milliseconds kAcceptPause{200};

Caller tcp_caller(int fd) {
  sockaddr_storage local{};
  socklen_t size = sizeof(local);
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&local), &size) != 0) return {};
  return {.local_address = address_text(local)};
}

// Source: unix(7), SO_PEERCRED.
Caller socket_caller(int fd) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return {};
  return {.over_socket = true, .user = peer.uid};
}

// The order in which connections go if there are too many: first what is over, or waits for the
// client, then what waits for its answer, and a stream never if there is anything else.
int worth(Phase phase) {
  switch (phase) {
    case Phase::kEnded:
    case Phase::kEnding:
      return 0;
    case Phase::kAgreeing:
    case Phase::kIdle:
    case Phase::kReading:
      return 1;
    case Phase::kWaiting:
    case Phase::kAnswering:
      return 2;
    case Phase::kStreaming:
      return 3;
  }
  return 0;
}

std::string ping_json() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const auto wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count();
  return one_line({{"time", text::iso_time(wall_ns)}});
}

}  // namespace

class Server::Loop {
 public:
  Loop(ServeOptions options, Site& site, Poller poller, std::vector<Listener> listeners)
      : options_(std::move(options)),
        site_(&site),
        poller_(std::move(poller)),
        listeners_(std::move(listeners)) {}

  base::Result<void> start();
  void stop();

 private:
  // A connection, and what the poller waits for at it.
  struct Client {
    Connection connection;
    Poller::Interest awaited = Poller::Interest::kRead;
  };
  using Clients = std::map<std::uint64_t, Client>;

  void run();
  void on_event(std::uint64_t id);
  void accept_some(const Listener& listener);
  bool accept_one(const Listener& listener);
  void admit(Wire wire, const Caller& caller);
  void serve(std::uint64_t id, Client& client);
  void follow(std::uint64_t id, Client& client, Phase before, Clock::time_point now);
  void await(std::uint64_t id, Client& client);
  Response respond(const Request& request, const Caller& caller);
  std::size_t streams() const;
  void begin_work(std::uint64_t id, Connection& connection, Clock::time_point now);
  bool begin_making(std::uint64_t id);
  void hand_over(std::uint64_t id, const Response& response);
  void tell(Connection& connection, Clock::time_point now);
  void tell_all();
  void make_room();
  void bound_unsent();
  void sweep();
  void pause_accepting();
  void resume_accepting();
  std::optional<std::chrono::milliseconds> time_to_sweep() const;
  void count(int status) { ++counts_.by_status[status_place(status)]; }

  ServeOptions options_;
  Site* site_;
  std::uint64_t call_ = 0;  // after each time that events are told
  Poller poller_;
  std::vector<Listener> listeners_;  // with the ids from 1 on
  Clients clients_;                  // with the ids that follow
  std::uint64_t next_id_ = 0;
  HttpCounts counts_;
  std::optional<Clock::time_point> accept_again_;
  Clock::time_point next_ping_ = Clock::now();  // counts while there are streams
  // Of the request that was answered last.
  std::string stream_after_;
  std::function<Response()> later_;

  // While the thread runs.
  std::optional<SlowWork> work_;
  std::optional<Guard> guard_;
  std::thread thread_;  // the last: it uses all of the above
};

base::Result<void> Server::Loop::start() {
  next_id_ = listeners_.size() + 1;
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    auto added = poller_.add(listeners_[i].fd(), i + 1, Poller::Interest::kRead);
    if (!added) return base::pass(added);
  }
  work_.emplace(
      site_->most_made(), [this] { poller_.nudge(); }, site_->most_made());
  guard_.emplace(
      options_.gate, [this](const Request& request) { return site_->is_for_all(request); },
      [this](const Request& request, const Caller& caller) { return respond(request, caller); },
      [this] { poller_.nudge(); });
  auto thread = base::start_thread("what serves HTTP", [this] { run(); });
  if (!thread) return base::pass(thread);
  thread_ = std::move(*thread);
  call_ = site_->events().call_after_telling([this] { poller_.nudge(); });
  return {};
}

void Server::Loop::stop() {
  if (!thread_.joinable()) return;
  site_->events().call_no_more(call_);
  poller_.wake();
  thread_.join();
  work_.reset();
  guard_.reset();
  clients_.clear();
  listeners_.clear();
}

void Server::Loop::run() {
  const base::NoSigpipe quiet;
  while (poller_.wait(time_to_sweep(), [this](std::uint64_t id) { on_event(id); })) {
    while (const auto then = guard_->take()) then();
    while (const auto then = work_->take()) then();
    tell_all();
    sweep();
  }
}

void Server::Loop::on_event(std::uint64_t id) {
  if (id <= listeners_.size()) return accept_some(listeners_[id - 1]);
  const auto found = clients_.find(id);
  if (found != clients_.end()) serve(id, found->second);
}

// Lets the poller wait for what the connection waits for now.
void Server::Loop::await(std::uint64_t id, Client& client) {
  const auto interest = client.connection.interest();
  if (std::exchange(client.awaited, interest) == interest) return;
  poller_.change(client.connection.fd(), id, interest);
}

void Server::Loop::serve(std::uint64_t id, Client& client) {
  const auto now = Clock::now();
  auto& connection = client.connection;
  const auto before = connection.phase();
  if (before == Phase::kAnswering) {
    connection.on_writable(now);
  } else {
    connection.on_readable(
        [this](const Request& request, const Caller& caller) {
          return made([&] { return guard_->respond(request, caller); });
        },
        [this](int status) { count(status); }, now);
  }
  if (connection.phase() == Phase::kWaiting && before != Phase::kWaiting)
    begin_work(id, connection, now);
  follow(id, client, before, now);
}

// Does what a phase that a connection has come to asks for. The connection may go.
void Server::Loop::follow(std::uint64_t id, Client& client, Phase before, Clock::time_point now) {
  auto& connection = client.connection;
  if (connection.phase() == Phase::kStreaming) {
    if (before != Phase::kStreaming) connection.stream()->begin(stream_after_, *site_);
    tell(connection, now);
  }
  const auto after = connection.phase();
  if (after == Phase::kEnded) {
    clients_.erase(id);
    return;
  }
  await(id, client);
  if (after == Phase::kAnswering) bound_unsent();
}

void Server::Loop::begin_work(std::uint64_t id, Connection& connection, Clock::time_point now) {
  const bool must_check = guard_->must_check();
  const bool has_begun =
      must_check
          ? guard_->begin_check([this, id](const Response& response) { hand_over(id, response); })
          : begin_making(id);
  if (has_begun) return;
  const auto* what = must_check ? "too many passwords wait to be checked"
                                : "enough such requests are being answered";
  connection.answer(
      later_again(503, what), [this](int status) { count(status); }, now);
}

bool Server::Loop::begin_making(std::uint64_t id) {
  return work_->begin([this, id, make = std::exchange(later_, {})]() -> SlowWork::Then {
    return [this, id, response = made(make)] { hand_over(id, response); };
  });
}

// Hands over what was made or, if that takes longer still, begins it. The connection may have gone
// meanwhile.
void Server::Loop::hand_over(std::uint64_t id, const Response& response) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  auto& connection = found->second.connection;
  if (connection.phase() != Phase::kWaiting) return;
  const auto now = Clock::now();
  if (response.later) {
    begin_work(id, connection, now);
  } else {
    connection.answer(
        response, [this](int status) { count(status); }, now);
  }
  follow(id, found->second, Phase::kWaiting, now);
}

// Sends a stream's client the events that wait for it, as far as its socket takes them.
void Server::Loop::tell(Connection& connection, Clock::time_point now) {
  do {
    if (!connection.stream()->take(site_->events())) {
      ++counts_.dropped;
      return connection.end(now);
    }
    connection.on_writable(now);
  } while (connection.phase() == Phase::kStreaming && connection.stream()->queued() == 0 &&
           connection.stream()->has_more());
}

void Server::Loop::tell_all() {
  const auto now = Clock::now();
  const bool pings = next_ping_ <= now;
  if (pings) next_ping_ = now + kBetweenPings;
  for (auto at = clients_.begin(); at != clients_.end();) {
    auto& connection = at->second.connection;
    if (connection.phase() != Phase::kStreaming) {
      ++at;
      continue;
    }
    if (pings) connection.stream()->add("ping", ping_json());
    tell(connection, now);
    await(at->first, at->second);
    at = connection.phase() == Phase::kEnded ? clients_.erase(at) : std::next(at);
  }
}

std::size_t Server::Loop::streams() const {
  return static_cast<std::size_t>(std::count_if(
      clients_.begin(), clients_.end(),
      [](const auto& one) { return one.second.connection.phase() == Phase::kStreaming; }));
}

Response Server::Loop::respond(const Request& request, const Caller& caller) {
  counts_.connections = clients_.size();
  counts_.streams = streams();
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const auto certificate_names = options_.tls ? options_.tls->names() : nullptr;
  auto out = site_->answer(
      request, {.caller = caller,
                .counts = counts_,
                .names = options_.names,
                .certificate_names = certificate_names ? std::span(*certificate_names)
                                                       : std::span<const std::string>(),
                .wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count()});
  stream_after_ = out.stream_after.value_or("");
  later_ = out.later;
  return out;
}

void Server::Loop::accept_some(const Listener& listener) {
  for (int i = 0; i < kMostAcceptedAtOnce; ++i) {
    if (!accept_one(listener)) return;
  }
}

// Returns whether there may be more.
bool Server::Loop::accept_one(const Listener& listener) {
  base::UniqueFd fd(::accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!fd.valid()) {
    const int failure = errno;
    if (failure == EMFILE || failure == ENFILE || failure == ENOBUFS || failure == ENOMEM) {
      pause_accepting();
    }
    return failure == ECONNABORTED || failure == EINTR;
  }
  auto caller = listener.is_socket_file() ? socket_caller(fd.get()) : tcp_caller(fd.get());
  caller.is_asked = options_.gate != nullptr && !caller.over_socket;
  const bool encrypts = options_.tls != nullptr && !listener.is_socket_file();
  auto tls = encrypts ? options_.tls->begin(fd.get()) : nullptr;
  if (encrypts && !tls) return true;  // without memory for it: as if it had not come
  admit(Wire(std::move(fd), std::move(tls)), caller);
  return true;
}

void Server::Loop::admit(Wire wire, const Caller& caller) {
  if (clients_.size() >= options_.most_connections) make_room();
  const auto id = next_id_++;
  if (!poller_.add(wire.fd(), id, Poller::Interest::kRead)) return;
  clients_.try_emplace(
      id, Client{Connection(std::move(wire), caller, options_.time_limits, Clock::now())});
}

void Server::Loop::make_room() {
  const auto goes =
      std::min_element(clients_.begin(), clients_.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const Connection& one) {
          return std::pair(worth(one.phase()), one.phase_began());
        };
        return rank(a.second.connection) < rank(b.second.connection);
      });
  ++counts_.dropped;
  clients_.erase(goes);
}

void Server::Loop::bound_unsent() {
  const auto unsent = [this] {
    std::size_t sum = 0;
    for (const auto& [id, client] : clients_) sum += client.connection.unsent();
    return sum;
  };
  while (unsent() > options_.most_unsent_bytes && clients_.size() > 1) {
    auto goes = clients_.end();
    for (auto at = clients_.begin(); at != clients_.end(); ++at) {
      const auto& connection = at->second.connection;
      if (connection.unsent() == 0) continue;
      if (goes == clients_.end() ||
          connection.phase_began() < goes->second.connection.phase_began()) {
        goes = at;
      }
    }
    ++counts_.dropped;
    clients_.erase(goes);
  }
}

void Server::Loop::sweep() {
  const auto now = Clock::now();
  if (accept_again_ && *accept_again_ <= now) resume_accepting();
  for (auto at = clients_.begin(); at != clients_.end();) {
    auto& connection = at->second.connection;
    if (connection.deadline() <= now) {
      if (connection.phase() != Phase::kIdle && connection.phase() != Phase::kEnding) {
        ++counts_.dropped;
      }
      connection.on_deadline([this](int status) { count(status); }, now);
      await(at->first, at->second);
    }
    at = connection.phase() == Phase::kEnded ? clients_.erase(at) : std::next(at);
  }
}

void Server::Loop::pause_accepting() {
  accept_again_ = Clock::now() + kAcceptPause;
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    poller_.change(listeners_[i].fd(), i + 1, Poller::Interest::kNothing);
  }
}

void Server::Loop::resume_accepting() {
  accept_again_.reset();
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    poller_.change(listeners_[i].fd(), i + 1, Poller::Interest::kRead);
  }
}

// Returns how long nothing is due; nothing if nothing will be.
std::optional<std::chrono::milliseconds> Server::Loop::time_to_sweep() const {
  std::optional<Clock::time_point> first = accept_again_;
  if (streams() > 0 && (!first || next_ping_ < *first)) first = next_ping_;
  for (const auto& [id, client] : clients_) {
    const auto deadline = client.connection.deadline();
    if (deadline == Clock::time_point::max()) continue;
    if (!first || deadline < *first) first = deadline;
  }
  if (!first) return {};
  // Rounded up: a wait that ends just before the time would be repeated until it has come.
  return std::chrono::ceil<std::chrono::milliseconds>(*first - Clock::now());
}

Protection protection_of(const Tls* tls, const access::Gate* gate) {
  return {.encrypts = tls != nullptr,
          .asks = gate != nullptr || (tls != nullptr && tls->verifies_all())};
}

Server::Server() = default;
Server::~Server() {
  stop();
}

void Server::stop() {
  if (loop_) loop_->stop();
}

base::Result<std::unique_ptr<Server>> Server::start(ServeOptions options, Site& site) {
  assert(options.most_connections > 0);
  std::unique_ptr<Server> out(new Server());
  std::vector<Listener> listeners;
  const auto protection = protection_of(options.tls.get(), options.gate.get());
  for (const auto& text : options.listen) {
    const auto address = parse_listen_address(text);
    if (!address) return base::pass(address);
    const auto reach = options.insecure ? base::Result<void>() : check_reach(*address, protection);
    if (!reach) return base::pass(reach);
    auto listener = Listener::open(*address);
    if (!listener) return base::pass(listener);
    out->addresses_.push_back(listener->address().text());
    listeners.push_back(std::move(*listener));
  }
  auto poller = Poller::make();
  if (!poller) return base::pass(poller);
  out->loop_ =
      std::make_unique<Loop>(std::move(options), site, std::move(*poller), std::move(listeners));
  if (auto started = out->loop_->start(); !started) return base::pass(started);
  return out;
}

}  // namespace reveal::http
