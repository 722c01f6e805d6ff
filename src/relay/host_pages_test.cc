#include "relay/host_pages.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relay/testing/small_site.h"
#include "wire/question.h"

namespace reveal::relay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A host that answers whatever it is told to.
class OneAnswer : public bus::Requester {
 public:
  http::Response answer;
  wire::Question asked;
  bool is_away = false;

  base::Result<void> ask(const std::string& subject, base::ByteView request,
                         std::chrono::milliseconds, const Taker& take) override {
    if (is_away) return base::fail(base::ErrorKind::kAbsent, "nobody listens there", subject);
    asked = wire::read_question(request).value();
    base::Bytes message;
    wire::put_answer_part(
        message, {.head = wire::AnswerHead{.status = static_cast<std::uint16_t>(answer.status),
                                           .type = std::string(answer.type),
                                           .body_bytes = answer.body.size()},
                  .bytes = answer.body});
    const auto more = take(message);
    return more ? base::Result<void>() : base::pass(more);
  }
};

class Pages {
 public:
  OneAnswer host;
  HostPages pages{host, {.script = "let a;", .style = "a{}"}};

  http::Response get(const std::string& rest, const std::string& name = {}) {
    http::Request request;
    request.method = http::Method::kGet;
    request.target = http::parse_target("/hosts/" + rest).value();
    request.last_event_id = last_event;
    const auto path = request.target.path.substr(std::string("/hosts/").size());
    auto out = pages.answer(path, request, name);
    return out.later ? out.later() : out;
  }
  std::string last_event;
};

const std::string kAt = std::string(kHost) + "/";

TEST(HostPages, ThePageIsThisProgramsOwn) {
  Pages pages;
  const auto page = pages.get(kAt, "<n017>");
  EXPECT_EQ(page.type, http::kHtmlType);
  EXPECT_THAT(page.body, HasSubstr("<title>Reveal on &lt;n017&gt;</title>"));
  EXPECT_THAT(page.body, HasSubstr("<script src=\"live.js\" defer></script>"));
  EXPECT_THAT(page.body, Not(HasSubstr("\"/"))) << "all addresses are relative";
  EXPECT_THAT(pages.get(kAt).body, HasSubstr(std::string("Reveal on ") + kHost));
  EXPECT_EQ(pages.get(kAt + "live.js").body, "let a;");
  EXPECT_EQ(pages.get(kAt + "live.css").body, "a{}");
  EXPECT_EQ(pages.host.asked.target, "") << "no host was asked";
}

TEST(HostPages, DataIsTheHosts) {
  Pages pages;
  pages.host.answer = {.type = http::kJsonType, .body = "{}"};
  pages.last_event = "run-7";
  const auto answer = pages.get(kAt + "api/v1/findings/a%2Fb%20c/recording?q=1%262&after=");
  EXPECT_EQ(answer.body, "{}");
  EXPECT_EQ(answer.type, http::kJsonType);
  EXPECT_EQ(pages.host.asked.target, "/api/v1/findings/a/b%20c/recording?q=1%262&after=");
  EXPECT_EQ(pages.host.asked.last_event, "run-7");
  pages.host.answer = http::error_response(404, "there is no finding with this id");
  EXPECT_EQ(pages.get(kAt + "api/v1/findings/x").status, 404);
}

TEST(HostPages, WhatABrowserWouldRunIsNotPassedOn) {
  Pages pages;
  for (const auto type : {http::kHtmlType, http::kScriptType, http::kStyleType,
                          std::string_view("image/svg+xml"), std::string_view("")}) {
    pages.host.answer = {.type = type, .body = "alert(1)"};
    const auto answer = pages.get(kAt + "api/v1/status");
    EXPECT_EQ(answer.status, 500) << type;
    EXPECT_THAT(answer.body, Not(HasSubstr("alert")));
  }
  pages.host.answer = {.status = 299, .type = http::kTextType, .body = "a"};
  EXPECT_EQ(pages.get(kAt + "api/v1/status").status, 500) << "a status that no server here has";
}

TEST(HostPages, OtherAddressesAreNotAskedFor) {
  Pages pages;
  EXPECT_EQ(pages.get("").status, 404);
  EXPECT_EQ(pages.get("n017/").status, 404);
  EXPECT_EQ(pages.get("../../etc/").status, 404);
  EXPECT_EQ(pages.get(kHost).status, 404);
  EXPECT_EQ(pages.get(kAt + "-/reload").status, 404);
  EXPECT_EQ(pages.get(kAt + "metrics").status, 404);
  EXPECT_EQ(pages.host.asked.target, "");
}

TEST(HostPages, AHostThatIsAwayIsSaidToBe) {
  Pages pages;
  pages.host.is_away = true;
  const auto answer = pages.get(kAt + "api/v1/status");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.retry_after_s, 1);
  EXPECT_THAT(answer.body, HasSubstr("the host is not there now"));
}

TEST(HostPages, QuestionsAreCountedByWhatBecameOfThem) {
  Pages pages;
  pages.get(kAt);  // asks nobody
  pages.host.answer = {.type = http::kJsonType, .body = "{\"a\": 1}"};
  pages.get(kAt + "api/v1/status");
  pages.host.answer = http::error_response(404, "no");
  const auto refused = pages.get(kAt + "api/v1/findings/x");
  pages.host.answer = {.type = http::kHtmlType, .body = "alert(1)"};
  pages.get(kAt + "api/v1/status");
  pages.host.is_away = true;
  pages.get(kAt + "api/v1/status");
  const auto counts = pages.pages.counts();
  EXPECT_EQ(counts.answered, 2u) << "an error that the host tells is its answer";
  EXPECT_EQ(counts.away, 1u);
  EXPECT_EQ(counts.failed, 1u);
  EXPECT_EQ(counts.bytes, 8 + refused.body.size());
}

}  // namespace
}  // namespace reveal::relay
