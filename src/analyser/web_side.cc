#include "analyser/web_side.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "bus/nats_requester.h"
#include "page/assets.h"

namespace reveal::analyser {
namespace {

using fleet_site::IncidentQuery;
using fleet_site::ShownIncident;
using fleet_site::ShownList;

constexpr std::int64_t kPublishEvery_ns = peers::kSecond_ns;
constexpr std::int64_t kRefreshEvery_ns = 5 * peers::kSecond_ns;
constexpr std::chrono::milliseconds kPatience{3'000};
// Of some answers of the largest size, at once.
constexpr std::size_t kMostUnsentBytes = std::size_t{16} << 20;

base::Unexpected no_time() {
  return base::fail(base::ErrorKind::kBusy, "the analyser has no time to answer");
}

base::Unexpected no_group() {
  return base::fail(base::ErrorKind::kAbsent, "there is no group with this key");
}

// Returns the name of a host that is in a group; else nothing.
std::string_view name_of(const fleet_site::FleetState& state, std::string_view id) {
  for (const auto& group : state.groups) {
    const auto& ids = group.hosts->ids;
    const auto at = std::ranges::lower_bound(ids, id);
    if (at == ids.end() || *at != id) continue;
    return group.hosts->names[static_cast<std::size_t>(at - ids.begin())];
  }
  return {};
}

}  // namespace

settings::WebSettings serves_nobody() {
  settings::WebSettings out;
  out.listen.clear();
  return out;
}

base::Result<void> check_web(const settings::WebSettings& web) {
  if (web.listen.empty()) return {};
  const auto guard = service::open_guard(web);
  if (!guard) return base::pass(guard);
  for (const auto& address : web.listen) {
    if (auto sound = service::check_address(address, web.insecure, *guard); !sound) return sound;
  }
  return {};
}

// For any thread. Opened when it is first asked, and again after a failure.
class WebSide::Past {
 public:
  explicit Past(std::string where) : where_(std::move(where)) {}

  base::Result<ShownList> ask(const ledger::IncidentChoice& choice) {
    const std::lock_guard lock(mutex_);
    if (const auto opened = open(); !opened) return base::pass(opened);
    const auto found = ledger::past_incidents(*database_, choice);
    if (!found) {
      database_.reset();
      return base::pass(found);
    }
    ShownList out;
    for (const auto& one : *found) {
      // One of a later version that cannot be read is left out.
      auto incident = fleet_site::shown(one.detail, one.is_open);
      if (incident) out.push_back(std::make_shared<const ShownIncident>(std::move(*incident)));
    }
    return out;
  }

 private:
  base::Result<void> open() {
    if (database_ != nullptr) return {};
    auto opened = ledger::open_database(where_, ledger::Access::kRead);
    if (!opened) return base::pass(opened);
    (*opened)->hurry();
    database_ = std::move(*opened);
    return {};
  }

  std::string where_;
  std::mutex mutex_;
  std::unique_ptr<ledger::Database> database_;
};

WebSide::WebSide(const AnalyserOptions& options, const std::string& host,
                 std::function<void(std::string_view)> notice)
    : past_(options.database.empty() ? nullptr : std::make_unique<Past>(options.database)),
      published_(host, options.database) {
  if (auto requester = bus::NatsRequester::make(options.broker)) {
    requester_ = std::move(*requester);
    host_pages_.emplace(
        *requester_, relay::PageFiles{.script = page::live_script(), .style = page::live_style()});
  }
  const fleet_site::PageFiles files{.script = page::fleet_script(), .style = page::fleet_style()};
  servers_.emplace(
      options.web, host,
      [&] { return std::make_unique<fleet_site::FleetSite>(board_, callbacks(), files); },
      [notice = std::move(notice)](service::Weight, std::string_view line) { notice(line); },
      kMostUnsentBytes);
}

WebSide::~WebSide() {
  questions_.close();
}

void WebSide::round(Loop& loop, const Receivers* receivers, std::int64_t steady_ns) {
  questions_.answer(loop.fleet());
  if (steady_ns - published_ns_ >= kPublishEvery_ns) {
    published_ns_ = steady_ns;
    Besides besides;
    if (receivers != nullptr) besides.receivers = receivers->status();
    if (host_pages_) besides.asked = host_pages_->counts();
    board_.publish(published_.state_of(loop, besides));
  }
  if (steady_ns - refreshed_ns_ >= kRefreshEvery_ns) {
    refreshed_ns_ = steady_ns;
    servers_->refresh();
  }
}

fleet_site::Callbacks WebSide::callbacks() {
  fleet_site::Callbacks out;
  out.host = [this](const std::string& id) { return host_of(id); };
  out.quantities = [this](const std::string& group) { return quantities_of(group); };
  out.levels = [this](const fleet_site::LevelQuery& query) { return levels_of(query); };
  if (host_pages_) {
    out.host_page = [this](std::string_view rest, const http::Request& request) {
      return host_page(rest, request);
    };
  }
  if (past_ == nullptr) return out;
  out.incidents = [this](const IncidentQuery& query) {
    ledger::IncidentChoice choice{.open = query.open,
                                  .group = query.group,
                                  .host = query.host,
                                  .since_ns = query.since_ns,
                                  .limit = query.limit};
    if (query.before) choice.before = {query.before->onset_ns, query.before->id};
    return past_->ask(choice);
  };
  out.incident =
      [this](const std::string& id) -> base::Result<std::shared_ptr<const ShownIncident>> {
    auto found = past_->ask({.id = id, .limit = 1});
    if (!found) return base::pass(found);
    return found->empty() ? nullptr : found->front();
  };
  return out;
}

http::Response WebSide::host_page(std::string_view rest, const http::Request& request) {
  const auto id = rest.substr(0, rest.find('/'));
  const auto state = board_.read().state;
  return host_pages_->answer(rest, request, name_of(*state, id));
}

base::Result<fleet_site::HostDetail> WebSide::host_of(const std::string& id) {
  const auto published = board_.read();
  const auto now_ns = published.state->wall_ns.value_or(0);
  std::optional<fleet_site::HostDetail> out;
  const auto is_answered =
      questions_.ask([&](peers::Fleet& fleet) { out = detail_of(fleet, id, now_ns); }, kPatience);
  if (!is_answered) return no_time();
  if (!out) return base::fail(base::ErrorKind::kAbsent, "there is no host with this id");
  for (const auto& one : *published.state->incidents) {
    if (std::ranges::find(one->hosts, id) != one->hosts.end()) out->incidents.push_back(one->id);
  }
  return std::move(*out);
}

base::Result<std::vector<peers::QuantityView>> WebSide::quantities_of(const std::string& group) {
  std::optional<std::vector<peers::QuantityView>> out;
  const auto is_answered = questions_.ask(
      [&](peers::Fleet& fleet) {
        const auto* found = fleet.find_group(group);
        if (found != nullptr) out = found->quantity_views();
      },
      kPatience);
  if (!is_answered) return no_time();
  if (!out) return no_group();
  return std::move(*out);
}

base::Result<fleet_site::KeptQuantity> WebSide::levels_of(const fleet_site::LevelQuery& query) {
  std::optional<fleet_site::KeptQuantity> out;
  bool has_group = false;
  const auto is_answered = questions_.ask(
      [&](peers::Fleet& fleet) {
        const auto* group = fleet.find_group(query.group);
        has_group = group != nullptr;
        if (!fleet.ask_levels(query.group, query.quantity)) return;
        out.emplace();
        if (auto one = group->quantity_view(query.quantity)) out->quantity = std::move(*one);
        out->table =
            group->levels_of(query.quantity, query.seconds, fleet_site::kMostCodes, query.after_ns);
      },
      kPatience);
  if (!is_answered) return no_time();
  if (!has_group) return no_group();
  if (!out) {
    return base::fail(base::ErrorKind::kAbsent, "the group has no such quantity", query.quantity);
  }
  return std::move(*out);
}

}  // namespace reveal::analyser
