#include "alert/options.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::alert {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

AlertOptions sound() {
  AlertOptions out;
  out.labels = {{"cluster", "a"}};
  ReceiverOptions manager;
  manager.url = "http://am:9093";
  ReceiverOptions hook;
  hook.kind = ReceiverKind::kWebhook;
  hook.url = "https://hooks.example.org/T0/secret";
  hook.ca_file = "/etc/reveal/ca.pem";
  hook.secret_file = "/etc/reveal/hook.secret";
  ReceiverOptions command;
  command.kind = ReceiverKind::kCommand;
  command.command = {"/usr/local/bin/page", "--team", "net"};
  ReceiverOptions journal;
  journal.kind = ReceiverKind::kJournal;
  out.receivers = {manager, hook, command, journal};
  return out;
}

constexpr std::size_t kManager = 0;
constexpr std::size_t kHook = 1;
constexpr std::size_t kCommand = 2;
constexpr std::size_t kJournal = 3;

void expect_refused(const std::function<void(AlertOptions&)>& spoil, const std::string& where,
                    const std::string& what) {
  auto options = sound();
  spoil(options);
  const auto checked = check(options);
  ASSERT_FALSE(checked) << where;
  EXPECT_EQ(checked.error().kind, base::ErrorKind::kUsage);
  EXPECT_EQ(checked.error().where, where);
  EXPECT_THAT(checked.error().what, HasSubstr(what));
  EXPECT_NE(checked.error().remedy, "");
}

TEST(Check, AcceptsWhatIsSound) {
  const auto checked = check(sound());
  EXPECT_TRUE(checked) << checked.error().message();
  EXPECT_TRUE(check(AlertOptions{}));
}

TEST(Check, SaysWhatIsWrongAndWhere) {
  using O = AlertOptions;
  expect_refused([](O& o) { o.resend = milliseconds(10); }, "alerts.resend", "out of range");
  expect_refused([](O& o) { o.hold = milliseconds(-1); }, "alerts.hold", "out of range");
  expect_refused([](O& o) { o.labels["a-b"] = "c"; }, "alerts.labels.a-b", "no name of a label");
  expect_refused([](O& o) { o.labels["1a"] = "c"; }, "alerts.labels.1a", "no name of a label");
  expect_refused([](O& o) { o.labels["a"] = ""; }, "alerts.labels.a", "is empty");
  expect_refused([](O& o) { o.labels["severity"] = "info"; }, "alerts.labels.severity", "free");
  expect_refused([](O& o) { o.receivers[kManager].url = ""; }, "alerts.alertmanager[0].url",
                 "missing");
  expect_refused([](O& o) { o.receivers[kHook].url = "hooks"; }, "alerts.webhook[0].url",
                 "begins neither");
  expect_refused([](O& o) { o.receivers[kManager].ca_file = "ca"; },
                 "alerts.alertmanager[0].ca_file", "https alone");
  expect_refused([](O& o) { o.receivers[kManager].secret_file = "s"; },
                 "alerts.alertmanager[0].secret_file", "webhook alone");
  expect_refused([](O& o) { o.receivers[kHook].timeout = milliseconds(60'000); },
                 "alerts.webhook[0].timeout", "out of range");
  expect_refused([](O& o) { o.receivers[kHook].command = {"a"}; }, "alerts.webhook[0].command",
                 "kind");
  expect_refused([](O& o) { o.receivers[kCommand].command = {}; }, "alerts.command[0].command",
                 "program");
  expect_refused([](O& o) { o.receivers[kCommand].command.emplace_back(1, '\0'); },
                 "alerts.command[0].command", "NUL");
  expect_refused([](O& o) { o.receivers[kCommand].url = "http://a"; }, "alerts.command[0]", "url");
  expect_refused([](O& o) { o.receivers[kJournal].command = {"a"}; }, "alerts.journal[0].command",
                 "kind");
  expect_refused([](O& o) { o.receivers[kJournal].timeout = milliseconds(0); },
                 "alerts.journal[0].timeout", "out of range");
  expect_refused([](O& o) { o.receivers.push_back(o.receivers[kHook]); }, "alerts.webhook[1]",
                 "two receivers");
  expect_refused([](O& o) { o.receivers[kHook].name = std::string(201, 'x'); },
                 "alerts.webhook[0].name", "too long");
}

TEST(DefaultName, TellsReceiversApartWithoutTheirSecrets) {
  const auto receivers = named(sound().receivers);
  EXPECT_THAT(receivers[kHook].name, HasSubstr("webhook hooks.example.org "));
  EXPECT_THAT(receivers[kHook].name, Not(HasSubstr("secret")));
  EXPECT_EQ(receivers[kJournal].name, "journal");
  auto other = receivers[kHook];
  other.url += "2";
  EXPECT_NE(default_name(other), receivers[kHook].name);
  EXPECT_EQ(default_name(receivers[kHook]), receivers[kHook].name);
}

TEST(CheckFiles, NamesWhatCannotBeRead) {
  const base::TempDir scratch;
  auto options = sound();
  options.receivers[kHook].secret_file = scratch.path() / "secret";
  options.receivers[kHook].ca_file = scratch.path() / "ca.pem";
  options.receivers[kCommand].command = {(scratch.path() / "page").string()};
  auto errors = check_files(options);
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_THAT(errors[0].message(), HasSubstr("alerts.webhook[0].secret_file: "));
  EXPECT_THAT(errors[1].message(), HasSubstr("alerts.webhook[0].ca_file: "));
  EXPECT_THAT(errors[2].message(), HasSubstr("alerts.command[0].command: "));
  ASSERT_TRUE(base::write_new_file(options.receivers[kHook].secret_file, "s\n"));
  ASSERT_TRUE(base::write_new_file(options.receivers[kHook].ca_file, "c\n"));
  options.receivers[kCommand].command = {"/bin/sh"};
  EXPECT_TRUE(check_files(options).empty());
}

}  // namespace
}  // namespace reveal::alert
