// What is told to whom, as plain values; reading a configuration is the caller's.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alert/alert.h"
#include "base/result.h"

namespace reveal::alert {

enum class ReceiverKind : std::uint8_t {
  kAlertmanager,  // gets the present state again and again; the others get each event once
  kWebhook,
  kCommand,
  kJournal,
};

struct ReceiverOptions {
  ReceiverKind kind = ReceiverKind::kAlertmanager;
  // Unique. What a receiver was told is kept under its name, so one with a new name is told of all
  // that is open. Empty: default_name() gives it one.
  std::string name;
  std::string url;                          // of kAlertmanager (its root) and kWebhook
  std::filesystem::path ca_file;            // whom to trust instead of the system's authorities
  std::filesystem::path token_file;         // sent as "Authorization: Bearer"; read at each send
  std::filesystem::path secret_file;        // of kWebhook: what signs the body; read at each send
  std::chrono::milliseconds timeout{5000};  // of one send, or of the command
  std::vector<std::string> command;  // of kCommand: the program and its arguments, without a shell
  Severity least = Severity::kWarning;  // of lower severities it is told nothing
};

struct AlertOptions {
  std::chrono::milliseconds hold{0};  // board.h has the meaning of these three
  std::chrono::milliseconds keep_firing{30'000};
  std::chrono::milliseconds resend{30'000};
  // A receiver that failed is left alone for a random time of up to this, then twice this, and so
  // on.
  std::chrono::milliseconds retry{1000};
  Labels labels;  // added to each alert that has no such label
  std::vector<ReceiverOptions> receivers;
  std::filesystem::path
      state_file;  // in a folder that is there; empty: nothing is kept over a restart
};

// Returns the names of all kinds.
std::span<const std::string_view> receiver_kinds();
// Returns "alertmanager", "webhook", "command" or "journal".
std::string_view to_string(ReceiverKind kind);
// Returns the kind of that name; nothing if there is none.
std::optional<ReceiverKind> receiver_kind(std::string_view name);

// Returns a name made of what the receiver is: its kind, and where it is sent to without its path.
// Two receivers that differ in their address or command have different names.
std::string default_name(const ReceiverOptions& receiver);

// Returns the receivers, each with a name.
std::vector<ReceiverOptions> named(std::vector<ReceiverOptions> receivers);

// Checks all that can be known without the disk or the network. Fails with kUsage; the error's
// `where` names the receiver and the key.
base::Result<void> check(const AlertOptions& options);

// Returns what is wrong with the files and the programs that the options name, as they are now. A
// send reads them anew, so none of it need stop a start.
std::vector<base::Error> check_files(const AlertOptions& options);

}  // namespace reveal::alert
