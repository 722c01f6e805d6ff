#include "analyser/explained_incident.h"

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/question.h"

namespace reveal::analyser {
namespace {

using ::testing::HasSubstr;

const std::string kCause = "abcdefghijklmnopqrstuvwxyz";
const std::string kWaits = "zyxwvutsrqponmlkjihgfedcba";

peers::SlowHost slow_host(const std::string& id, const std::string& name, peers::Part part,
                          const std::string& finding) {
  peers::SlowHost out;
  out.id = id;
  out.name = name;
  out.part = part;
  out.finding = finding;
  return out;
}

peers::Incident made_incident() {
  peers::Incident out;
  out.id = "5d0c7f0a5c3e9b12";
  out.group = "role=train";
  out.group_size = 4;
  out.hosts = {slow_host(kWaits, "n03", peers::Part::kVictim, "01A"),
               slow_host(kCause, "n07", peers::Part::kCause, "01B")};
  return out;
}

// Answers as a host does.
class Host : public bus::Requester {
 public:
  int status = 200;
  std::string body = "1  The samples of cpu_busy_ratio\n";
  std::string subject;
  std::string target;

  base::Result<void> ask(const std::string& at, base::ByteView request, std::chrono::milliseconds,
                         const Taker& take) override {
    subject = at;
    target = wire::read_question(request).value().target;
    if (status == 0) return base::fail(base::ErrorKind::kAbsent, "nobody listens there", at);
    base::Bytes message;
    wire::put_answer_part(message,
                          {.head = wire::AnswerHead{.status = static_cast<std::uint16_t>(status),
                                                    .type = "text/plain",
                                                    .body_bytes = body.size()},
                           .bytes = body});
    const auto more = take(message);
    return more ? base::Result<void>() : base::pass(more);
  }
};

TEST(ExplainedIncident, IsTheExplanationOfTheCause) {
  Host host;
  EXPECT_EQ(explained_incident(made_incident(), "", host).value(), host.body);
  EXPECT_EQ(host.subject, "rv1.rpc." + kCause + ".get");
  EXPECT_EQ(host.target, "/api/v1/findings/01B/explanation");
  EXPECT_TRUE(explained_incident(made_incident(), "n03", host));
  EXPECT_EQ(host.target, "/api/v1/findings/01A/explanation");
  EXPECT_TRUE(explained_incident(made_incident(), kWaits, host));
  EXPECT_EQ(host.subject, "rv1.rpc." + kWaits + ".get");
}

TEST(ExplainedIncident, SaysWhyThereIsNone) {
  Host host;
  auto incident = made_incident();
  EXPECT_THAT(explained_incident(incident, "n08", host).error().message(),
              HasSubstr("the incident has no host n08 (its hosts are n03, n07)"));
  incident.hosts[1].finding.clear();
  const auto none = explained_incident(incident, "", host);
  EXPECT_EQ(none.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_THAT(none.error().message(), HasSubstr("n07 has no finding of its own"));
  EXPECT_THAT(none.error().message(), HasSubstr("of its hosts these have one: n03 (--host)"));
  incident.is_of_all = true;
  EXPECT_THAT(explained_incident(incident, "", host).error().message(),
              HasSubstr("of all hosts of its group"));
  EXPECT_EQ(host.subject, "") << "nobody was asked";
}

TEST(ExplainedIncident, SaysWhatTheHostSays) {
  Host host;
  host.status = 0;
  const auto away = explained_incident(made_incident(), "", host);
  EXPECT_EQ(away.error().kind, base::ErrorKind::kAway);
  EXPECT_THAT(away.error().message(), HasSubstr("n07"));
  EXPECT_THAT(away.error().message(), HasSubstr("the host is not there now"));
  host.status = 404;
  host.body = R"json({"status":404,"error":"this host has no such finding (any more)"})json";
  const auto gone = explained_incident(made_incident(), "", host);
  EXPECT_EQ(gone.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(gone.error().message(),
              HasSubstr("n07: the host says: this host has no such finding (any more)"));
  host.body = "<html>";
  EXPECT_THAT(explained_incident(made_incident(), "", host).error().message(),
              HasSubstr("status 404"));
}

}  // namespace
}  // namespace reveal::analyser
