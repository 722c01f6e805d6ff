#include "alert/announcer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "alert/secret.h"
#include "alert/testing/http_server.h"
#include "alert/testing/made_alert.h"
#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/whole_file.h"

namespace reveal::alert {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using std::chrono::milliseconds;
using testing::answer;
using testing::at;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HttpServer;
using ::testing::IsEmpty;
using testing::made_alert;
using ::testing::SizeIs;

// Waits for what must happen sooner or later; only a hang lasts a minute.
bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

class AnnouncerTest : public ::testing::Test {
 protected:
  AnnouncerTest() {
    options_.state_file = scratch_.path() / "alerts.json";
    options_.retry = milliseconds(1);
  }

  ReceiverOptions& add(ReceiverKind kind, const std::string& url) {
    ReceiverOptions receiver;
    receiver.kind = kind;
    receiver.url = url;
    receiver.timeout = milliseconds(30'000);
    options_.receivers.push_back(receiver);
    return options_.receivers.back();
  }

  void start() {
    announcer_.reset();
    auto started = Announcer::start(options_);
    ASSERT_TRUE(started) << started.error().message();
    announcer_ = std::move(*started);
  }

  void update(const std::vector<Alert>& alerts, double second) {
    announcer_->update(alerts, at(second));
  }

  ReceiverStatus status() { return announcer_->status().front(); }

  static std::vector<std::string> kinds(const std::vector<testing::Request>& requests) {
    std::vector<std::string> out;
    out.reserve(requests.size());
    for (const auto& request : requests) out.push_back(Json::parse(request.body)["reveal"]["kind"]);
    return out;
  }

  const base::TempDir scratch_;
  AlertOptions options_;
  std::unique_ptr<Announcer> announcer_;
};

TEST_F(AnnouncerTest, TellsAWebhookOfEachEventOnce) {
  HttpServer server(HttpServer::answers(answer(200)));
  auto& hook = add(ReceiverKind::kWebhook, server.url() + "/hook");
  hook.secret_file = scratch_.path() / "secret";
  hook.token_file = scratch_.path() / "token";
  ASSERT_TRUE(base::write_new_file(hook.secret_file, "whsec_1\n"));
  ASSERT_TRUE(base::write_new_file(hook.token_file, "letmein\n"));
  start();
  update({made_alert("network", at(-2))}, 0);
  server.wait_for(1);
  update({made_alert("network", at(-2), "critical")}, 1);
  server.wait_for(2);
  update({}, 100);
  const auto requests = server.wait_for(3);
  EXPECT_THAT(kinds(requests), ElementsAre("open", "update", "close"));
  const auto& first = requests[0];
  const std::string signed_as = first.header("X-Reveal-Signature");
  const std::string time = signed_as.substr(2, signed_as.find(',') - 2);
  EXPECT_EQ(signed_as, "t=" + time + ",v1=" + hmac_sha256("whsec_1", time + "." + first.body));
  EXPECT_EQ(first.header("Authorization"), "Bearer letmein");
  EXPECT_EQ(first.header("X-Reveal-Event"), Json::parse(first.body)["reveal"]["event"]);
  EXPECT_TRUE(eventually([&] { return status().sent == 3; }));
  EXPECT_EQ(status().failed, 0u);
  EXPECT_TRUE(status().last_success_ns);
}

TEST_F(AnnouncerTest, SendsTheStateToAlertmanagerAgainAndAgain) {
  HttpServer server(HttpServer::answers(answer(200)));
  add(ReceiverKind::kAlertmanager, server.url() + "/");
  options_.labels = {{"cluster", "a"}};
  start();
  update({made_alert("network", at(-2))}, 0);
  server.wait_for(1);
  EXPECT_TRUE(eventually([&] { return status().sent == 1; }));
  update({made_alert("network", at(-2))}, 30);
  const auto requests = server.wait_for(2);
  EXPECT_THAT(requests[0].head, ::testing::StartsWith("POST /api/v2/alerts HTTP/1.1\r\n"));
  const Json body = Json::parse(requests[1].body);
  ASSERT_THAT(body, SizeIs(1));
  EXPECT_EQ(body[0]["startsAt"], "2026-09-21T14:13:18.000Z");
  EXPECT_EQ(body[0]["endsAt"], "2026-09-21T14:15:50.000Z");
  EXPECT_EQ(body[0]["labels"]["cluster"], "a");
}

// Neither delays update(), nor the one that works.
TEST_F(AnnouncerTest, AReceiverThatHangsHoldsUpNobody) {
  HttpServer hung(HttpServer::never_answers());
  HttpServer sound(HttpServer::answers(answer(200)));
  add(ReceiverKind::kWebhook, hung.url()).timeout = milliseconds(1000);
  add(ReceiverKind::kAlertmanager, hung.url()).timeout = milliseconds(1000);
  add(ReceiverKind::kWebhook, sound.url());
  start();
  for (int second = 0; second < 100; ++second) {
    update({made_alert("disk" + std::to_string(second), at(second))}, second);
  }
  sound.wait_for(100);
  EXPECT_TRUE(eventually([&] { return announcer_->status()[0].failed >= 1; }));
  EXPECT_THAT(announcer_->status()[0].last_error, HasSubstr("no answer in time"));
  EXPECT_GE(announcer_->status()[0].queue, 99u);
}

TEST_F(AnnouncerTest, AReceiverThatIsBackGetsThePresentState) {
  std::uint16_t port = 0;
  std::string url;
  {
    const HttpServer gone(HttpServer::never_answers());
    port = gone.port();
    url = gone.url();
  }
  add(ReceiverKind::kWebhook, url);
  start();
  for (int second = 0; second < 3600; ++second) {
    std::vector alerts = {made_alert("gpu", at(0))};
    if (second < 10) alerts.push_back(made_alert("network", at(0)));
    update(alerts, second);
  }
  EXPECT_TRUE(eventually([&] { return status().failed >= 3; }));
  EXPECT_THAT(status().last_error, HasSubstr("Connection refused"));
  HttpServer back(HttpServer::answers(answer(200)), port);
  back.wait_for(1);
  EXPECT_TRUE(eventually([&] { return status().queue == 0; }));
  const auto requests = back.requests();
  EXPECT_THAT(kinds(requests), ElementsAre("open"));
  EXPECT_EQ(Json::parse(requests[0].body)["alerts"][0]["labels"]["subsystem"], "gpu");
  EXPECT_EQ(status().dropped, 1u);  // the network's, which was over by then
  // An event counts as told before it is sent; the error goes when the answer is there.
  EXPECT_TRUE(eventually([&] { return status().last_error.empty(); }));
}

// An hour without it is no queue: what it gets is what is open, and what ended in the last minutes.
TEST_F(AnnouncerTest, AnAlertmanagerThatIsBackGetsThePresentState) {
  std::uint16_t port = 0;
  {
    const HttpServer gone(HttpServer::never_answers());
    port = gone.port();
    add(ReceiverKind::kAlertmanager, gone.url());
  }
  start();
  std::size_t longest_queue = 0;
  for (int second = 0; second < 3600; ++second) {
    std::vector alerts = {made_alert("gpu", at(0))};
    // Each minute another one that lasts for ten seconds.
    if (second % 60 < 10) {
      alerts.push_back(made_alert("disk" + std::to_string(second / 60), at(second - second % 60)));
    }
    update(alerts, second);
    longest_queue = std::max(longest_queue, status().queue);
  }
  EXPECT_LE(longest_queue, 7u) << "one is open, one ends, and five ended in five minutes";
  EXPECT_TRUE(eventually([&] { return status().failed >= 3; }));
  HttpServer back(HttpServer::answers(answer(200)), port);
  const auto posted = Json::parse(back.wait_for(1)[0].body);
  std::vector<std::string> firing;
  for (const auto& one : posted) {
    const auto ends = one["endsAt"].get<std::string>();
    if (ends > "2026-09-21T15:13:19.000Z") firing.push_back(one["labels"]["subsystem"]);
  }
  EXPECT_THAT(firing, ElementsAre("gpu"));
  EXPECT_LE(posted.size(), 7u);
  EXPECT_EQ(posted[0]["startsAt"], "2026-09-21T14:13:20.000Z");
  EXPECT_TRUE(eventually([&] { return status().queue == 0; }));
}

TEST_F(AnnouncerTest, SendsTheSameEventAgainIfNoAnswerCame) {
  HttpServer server([](HttpServer&, const base::UniqueFd&) {});
  add(ReceiverKind::kWebhook, server.url());
  start();
  update({made_alert("network", at(0))}, 0);
  server.wait_for(2);
  server.conduct(HttpServer::answers(answer(200)));
  EXPECT_TRUE(eventually([&] { return status().sent == 1; }));
  for (const auto& request : server.requests()) {
    EXPECT_EQ(request.header("X-Reveal-Event"), server.requests()[0].header("X-Reveal-Event"));
  }
}

TEST_F(AnnouncerTest, ARefusedEventIsNotSentAgain) {
  HttpServer server(HttpServer::answers(answer(400, "no such channel")));
  add(ReceiverKind::kWebhook, server.url());
  start();
  update({made_alert("network", at(0))}, 0);
  EXPECT_TRUE(eventually([&] { return status().failed == 1; }));
  EXPECT_EQ(status().dropped, 1u);
  EXPECT_EQ(status().last_error, "answers 400: no such channel");
  server.conduct(HttpServer::answers(answer(200)));
  update({made_alert("network", at(0)), made_alert("gpu", at(0))}, 1);
  EXPECT_TRUE(eventually([&] { return status().sent == 1; }));
  EXPECT_THAT(server.requests(), SizeIs(2));
}

TEST_F(AnnouncerTest, ARestartKeepsTheBeginAndTellsNobodyTwice) {
  HttpServer hook(HttpServer::answers(answer(200)));
  HttpServer manager(HttpServer::answers(answer(200)));
  add(ReceiverKind::kWebhook, hook.url());
  add(ReceiverKind::kAlertmanager, manager.url());
  start();
  update({made_alert("network", at(-2))}, 0);
  hook.wait_for(1);
  manager.wait_for(1);
  start();
  EXPECT_FALSE(announcer_->damage());
  announcer_->unknown(at(60));  // as while a baseline is learned
  update({made_alert("network", at(70))}, 70);
  const auto posted = manager.wait_for(2);
  EXPECT_EQ(Json::parse(posted[1].body)[0]["startsAt"], "2026-09-21T14:13:18.000Z");
  update({}, 200);
  EXPECT_THAT(kinds(hook.wait_for(2)), ElementsAre("open", "close"));
}

TEST_F(AnnouncerTest, ADamagedStateFileStopsNothing) {
  ASSERT_TRUE(base::write_new_file(options_.state_file, "not a state"));
  HttpServer server(HttpServer::answers(answer(200)));
  add(ReceiverKind::kWebhook, server.url());
  start();
  ASSERT_TRUE(announcer_->damage());
  EXPECT_THAT(announcer_->damage()->message(), HasSubstr("alerts.json.damaged"));
  update({made_alert("network", at(0))}, 0);
  EXPECT_THAT(server.wait_for(1), SizeIs(1));
  EXPECT_TRUE(eventually([&] { return fs::exists(options_.state_file); }));
}

TEST_F(AnnouncerTest, SendsAlsoIfTheStateCannotBeWritten) {
  HttpServer server(HttpServer::answers(answer(200)));
  add(ReceiverKind::kWebhook, server.url());
  options_.state_file = scratch_.path() / "no folder" / "alerts.json";
  start();
  update({made_alert("network", at(0))}, 0);
  EXPECT_THAT(server.wait_for(1), SizeIs(1));
  EXPECT_TRUE(eventually([&] { return announcer_->state_error().has_value(); }));
  EXPECT_THAT(announcer_->state_error()->message(), HasSubstr("alerts.json"));
}

TEST_F(AnnouncerTest, ASecretThatCannotBeReadIsNamed) {
  HttpServer server(HttpServer::answers(answer(200)));
  add(ReceiverKind::kWebhook, server.url()).secret_file = scratch_.path() / "secret";
  start();
  update({made_alert("network", at(0))}, 0);
  EXPECT_TRUE(eventually([&] { return status().failed >= 1; }));
  EXPECT_THAT(status().last_error, HasSubstr("cannot read the secret"));
  EXPECT_THAT(server.requests(), IsEmpty());
  ASSERT_TRUE(base::write_new_file(scratch_.path() / "secret", "whsec_2"));  // no restart is needed
  EXPECT_TRUE(eventually([&] { return status().sent == 1; }));
}

TEST_F(AnnouncerTest, RunsACommandForEachEvent) {
  const std::string file = (scratch_.path() / "told").string();
  auto& command = add(ReceiverKind::kCommand, "");
  command.command = {"/bin/sh", "-c", "cat >> " + file + "; echo >> " + file + "; echo noted"};
  start();
  update({made_alert("network", at(0))}, 0);
  EXPECT_TRUE(eventually([&] { return status().sent == 1; }));
  update({}, 100);
  EXPECT_TRUE(eventually([&] { return status().sent == 2; }));
  EXPECT_EQ(status().last_line, "noted");
  const auto text = base::read_whole_file(file, "file of the test");
  ASSERT_TRUE(text);
  EXPECT_EQ(Json::parse(text->substr(0, text->find('\n')))["reveal"]["kind"], "open");
}

TEST_F(AnnouncerTest, ACommandThatIsMissingIsTriedAgain) {
  const auto program = scratch_.path() / "page";
  add(ReceiverKind::kCommand, "").command = {program.string()};
  start();
  update({made_alert("network", at(0))}, 0);
  EXPECT_TRUE(eventually([&] { return status().failed >= 2; }));
  ASSERT_TRUE(base::write_new_file(program, "#!/bin/sh\nexit 0\n"));
  fs::permissions(program, fs::perms::owner_all);
  EXPECT_TRUE(eventually([&] { return status().sent == 1; }));
}

TEST_F(AnnouncerTest, RefusesWrongOptions) {
  add(ReceiverKind::kWebhook, "nowhere");
  EXPECT_FALSE(Announcer::start(options_));
}

}  // namespace
}  // namespace reveal::alert
