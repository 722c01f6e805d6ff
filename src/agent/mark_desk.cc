#include "agent/mark_desk.h"

#include <utility>

#include "text/safe_text.h"

namespace reveal::agent {
namespace {

// What a note says, and of what.
struct Said {
  std::string subject;
  std::string text;
};

// "job-start ID" and "job-end ID" are about the job; everything else is a text.
Said said_in(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kJobs[] = {{"job-start ", "started"},
                                                                     {"job-end ", "ended"}};
  for (const auto& [word, what] : kJobs) {
    if (!text.starts_with(word)) continue;
    const auto id = text.substr(word.size());
    if (!id.empty() && id.find(' ') == std::string::npos) return {"job " + id, std::string(what)};
  }
  return {"mark", std::move(text)};
}

}  // namespace

base::Result<std::string> MarkDesk::take(std::string_view text, std::int64_t wall_ns,
                                         std::int64_t now_ns) {
  const auto said = said_in(text::inert(text));
  const std::lock_guard lock(mutex_);
  if (!allowance_.take(now_ns)) {
    return base::fail(base::ErrorKind::kBusy, "too many marks came at once", {},
                      "one each two seconds can be noted");
  }
  if (auto put = queue_.put(wall_ns, said.subject, said.text); !put) return base::pass(put);
  return said.subject == "mark" ? "noted" : said.subject + " " + said.text + ": noted";
}

}  // namespace reveal::agent
