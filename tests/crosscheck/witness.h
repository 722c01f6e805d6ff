// What the tests of agreement share: another tool that is asked for the same numbers, a recorder of
// a few collectors whose ticks the test takes one by one, and traffic for both to see. Only tests
// include this.
//
// No tolerance is needed for the race between the two: the tool is asked before and after each
// tick, so a counter of ours lies between its two answers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "collect/registry.h"
#include "collect/sampler.h"
#include "connection.h"

namespace reveal::collect {

inline bool has_program(std::string_view name) {
  return std::system(fmt::format("command -v {} >/dev/null 2>&1", name).c_str()) == 0;
}

inline std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string out;
  std::array<char, 4096> part;
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe.get())) {
    out.append(part.data(), size);
  }
  return out;
}

inline std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find(at);
    out.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

// Returns every number behind `key`, where that begins a word: not those of "minrtt:" for "rtt:".
inline std::vector<double> numbers_after(const std::string& text, const std::string& key) {
  std::vector<double> out;
  for (auto at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const bool begins_a_word = at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1]));
    const char* number = text.c_str() + at + key.size();
    if (begins_a_word && std::isdigit(static_cast<unsigned char>(*number))) {
      out.push_back(std::strtod(number, nullptr));
    }
  }
  return out;
}

// Returns the value that half of them do not exceed. REQUIRES: not empty.
inline double middle_of(const std::vector<double>& sorted) {
  return sorted.at((sorted.size() + 1) / 2 - 1);
}

using Answers = std::map<std::string, std::uint64_t, std::less<>>;

// Runs a command that prints a line a number: its name, a tab, the number. Others are left out.
inline Answers ask(const std::string& command) {
  const std::string text = output_of("{ " + command + "\n} </dev/null 2>/dev/null");
  Answers out;
  for (const auto line : split(text, '\n')) {
    const auto fields = split(line, '\t');
    if (fields.size() != 2) continue;
    std::uint64_t number = 0;
    const auto* end = fields[1].data() + fields[1].size();
    const auto parsed = std::from_chars(fields[1].data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) out.emplace(fields[0], number);
  }
  return out;
}

// Opens these collectors on this host, each read at every tick however costly.
inline std::unique_ptr<Sampler> sampler_of(const std::vector<std::string_view>& names) {
  SamplerOptions options;
  options.poll_plan.budget_ratio = 1e9;
  for (const auto name : names) {
    options.poll_plan.choices.emplace(std::string(name), PollChoice::kFast);
  }
  auto sources = planned_sources(options.poll_plan);
  if (!sources) throw std::runtime_error(sources.error().message());
  std::erase_if(*sources, [&](const SourceSpec& source) {
    return std::find(names.begin(), names.end(), source.name) == names.end();
  });
  auto sampler = Sampler::open(std::move(options), std::move(*sources));
  if (!sampler) throw std::runtime_error(sampler.error().message());
  return std::move(*sampler);
}

// Some MB a second over the loopback interface, until it is destroyed.
class Traffic {
 public:
  Traffic() {
    thread_ = std::thread([this] {
      while (!stop_) {
        connection_.exchange(32UL * 1024);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  ~Traffic() {
    stop_ = true;
    thread_.join();
  }
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

 private:
  Connection connection_ = Listener(AF_INET).connect();
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace reveal::collect
