// A fleet's broker, for a test that is no C++ program.
//
//   fleet_driver make URL                   makes the streams
//   fleet_driver read URL STREAM SUBJECT    prints what the stream has and gets: a line with the
//                                           subject and the message as hexadecimal digits, until it
//                                           is ended
//   fleet_driver ask URL HOST TARGET        asks a host, prints the status and the type of its
//                                           answer on stderr, and the body on stdout
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bus/nats_requester.h"
#include "bus/nats_subscriber.h"
#include "bus/streams.h"
#include "relay/asked_host.h"

namespace {

using namespace reveal;

constexpr std::chrono::milliseconds kLook{100};

bus::BrokerOptions broker_at(const std::string& url) {
  bus::BrokerOptions out;
  out.url = url;
  out.name = "a test";
  out.longest_pause = std::chrono::milliseconds(200);
  return out;
}

int failed(const base::Error& error) {
  fmt::print(stderr, "{}\n", error.message());
  return 1;
}

int make(const std::string& url) {
  const auto made = bus::make_streams(broker_at(url), 1, 1);
  return made ? 0 : failed(made.error());
}

int read(const std::string& url, const std::string& stream, const std::string& subject) {
  const auto reader =
      bus::NatsSubscriber::make(broker_at(url), {bus::stream_name(stream, 1), subject, {}});
  if (!reader) return failed(reader.error());
  while (std::ferror(stdout) == 0) {
    for (const auto& message : (*reader)->take(kLook)) {
      fmt::print("{} {:02x}\n", message.subject, fmt::join(message.payload, ""));
    }
    std::fflush(stdout);
  }
  return 0;
}

int ask(const std::string& url, const std::string& host, const std::string& target) {
  const auto requester = bus::NatsRequester::make(broker_at(url));
  if (!requester) return failed(requester.error());
  const auto answer = relay::ask_host(**requester, host, {.target = target, .last_event = {}});
  if (!answer) return failed(answer.error());
  fmt::print(stderr, "{} {}\n", answer->status, answer->type);
  const auto written = std::fwrite(answer->body.data(), 1, answer->body.size(), stdout);
  return written == answer->body.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word == "make" && argc == 3) return make(argv[2]);
  if (word == "read" && argc == 5) return read(argv[2], argv[3], argv[4]);
  if (word == "ask" && argc == 5) return ask(argv[2], argv[3], argv[4]);
  fmt::print(stderr,
             "usage: fleet_driver make URL | read URL STREAM SUBJECT | ask URL HOST TARGET\n");
  return 2;
}
