#include "access/gate.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace reveal::access {
namespace {

constexpr std::size_t kMostVerified = 64;

// All are compared, so that the time does not say which one it is.
std::optional<Who> holder_of(const std::string& token, const std::vector<TokenHolder>& holders) {
  const auto digest = sha256(token);
  std::optional<Who> out;
  for (const auto& one : holders) {
    if (is_same(one.digest, digest)) out = one.who;
  }
  return out;
}

}  // namespace

Gate::Gate(GateFiles files, base::FileWatch watch, std::shared_ptr<const Lists> lists)
    : files_(std::move(files)),
      watch_(std::move(watch)),
      lists_(std::move(lists)),
      verified_(kMostVerified) {}

base::Result<std::shared_ptr<const Gate::Lists>> Gate::read(const GateFiles& files) {
  auto out = std::make_shared<Lists>();
  if (!files.users.empty()) {
    const auto text = read_private(files.users, "users");
    if (!text) return base::pass(text);
    auto users = parse_users(*text, files.users.string());
    if (!users) return base::pass(users);
    out->users = std::move(*users);
  }
  if (!files.tokens.empty()) {
    const auto text = read_private(files.tokens, "tokens");
    if (!text) return base::pass(text);
    auto tokens = parse_tokens(*text, files.tokens.string());
    if (!tokens) return base::pass(tokens);
    out->tokens = std::move(*tokens);
  }
  return out;
}

base::Result<std::unique_ptr<Gate>> Gate::open(GateFiles files) {
  // Before they are read: a change from here on is one.
  base::FileWatch watch({files.users, files.tokens});
  auto lists = read(files);
  if (!lists) return base::pass(lists);
  return std::unique_ptr<Gate>(new Gate(std::move(files), std::move(watch), std::move(*lists)));
}

std::shared_ptr<const Gate::Lists> Gate::lists() const {
  const std::lock_guard lock(mutex_);
  return lists_;
}

Decision Gate::decide(std::string_view authorization, std::int64_t now_ns) {
  using Kind = Decision::Kind;
  auto credentials = parse_credentials(authorization);
  if (const auto* token = std::get_if<Token>(&credentials)) {
    const auto who = holder_of(token->secret, lists()->tokens);
    return who ? Decision{.kind = Kind::kKnown, .who = *who} : Decision{};
  }
  auto* password = std::get_if<Password>(&credentials);
  if (password == nullptr) return {};
  const auto sealed = sealer_.seal(password->name, password->secret);
  const std::lock_guard lock(mutex_);
  if (lists_->users.empty()) return {};
  if (const auto who = verified_.find(sealed)) return {.kind = Kind::kKnown, .who = *who};
  // It counts as wrong until it is known to be right, or many could be checked at once.
  if (!wrong_.take(now_ns)) return {.kind = Kind::kTooMany};
  return {.kind = Kind::kMustCheck, .password = std::move(*password)};
}

std::optional<Who> Gate::check(const Password& password) {
  const auto lists = this->lists();
  if (lists->users.empty()) return {};
  const auto found = std::find_if(lists->users.begin(), lists->users.end(),
                                  [&](const User& one) { return one.who.name == password.name; });
  const bool is_there = found != lists->users.end();
  const auto& user = is_there ? *found : lists->users.front();
  const bool fits = has_hash(password.secret, user.hash);
  const std::lock_guard lock(mutex_);
  if (!fits || !is_there) return {};
  wrong_.give_back();
  // Meanwhile the file may have become one in which it is wrong.
  if (lists == lists_) verified_.add(sealer_.seal(password.name, password.secret), user.who);
  return user.who;
}

std::string Gate::challenge() const {
  return lists()->users.empty() ? R"(Bearer realm="Reveal")"
                                : R"(Basic realm="Reveal", charset="UTF-8")";
}

base::Result<bool> Gate::refresh() {
  if (!watch_.has_changed()) return false;
  auto lists = read(files_);
  if (!lists) return base::pass(lists);
  const std::lock_guard lock(mutex_);
  lists_ = std::move(*lists);
  verified_.clear();
  return true;
}

}  // namespace reveal::access
