#include <array>

#include "cli/command.h"

namespace reveal::cli {
namespace {

// The headings of --help.
constexpr std::string_view kRecord = "Watch and record";
constexpr std::string_view kExplain = "Find out what was unusual";
constexpr std::string_view kData = "Work with recordings";
constexpr std::string_view kHost = "Know this host";
constexpr std::string_view kReveal = "About Reveal";
constexpr std::string_view kHidden;

constexpr auto kCommands = std::to_array<Command>({
    {"run", "watch this host while CMD runs (or until Ctrl-C), then report what was unusual",
     kRecord, true, declare_run},
    {"record", "record this host", kRecord, true, declare_record},
    {"top", "show the state of this host, or of a recording, in a terminal", kRecord, false,
     declare_top},
    {"analyze", "find and explain what was unusual in a recording", kExplain, false,
     declare_analyze},
    {"explain", "show how a finding came about, from the samples to the sentence", kExplain, false,
     declare_explain},
    {"compare",
     "hosts that do the same job against one another: which is different, in what, since when",
     kExplain, false, declare_compare},
    {"report", "make the page of what an analysis found, of one host or several", kExplain, false,
     declare_report},
    {"baseline", "keep what is usual in a run, and compare others with it", kExplain, false,
     declare_baseline},
    {"info", "say what is in a recording, whether it is whole, and what costs most", kData, false,
     declare_info},
    {"repair", "copy what is sound of a damaged recording into a new one", kData, false,
     declare_repair},
    {"downsample", "keep less of what is old: a frame a second, a frame a minute, nothing", kData,
     false, declare_downsample},
    {"export", "write a recording as text that other programs read", kData, false, declare_export},
    {"import", "make a recording of other programs' telemetry", kData, false, declare_import},
    {"dataset", "write recordings as a data set for others to study", kData, false,
     declare_dataset},
    {"sql", "ask recordings, their windows, scores and findings in SQL", kData, false, declare_sql},
    {"features", "compute the features of every window and channel", kData, false,
     declare_features},
    {"scores", "score every window by every detector", kData, false, declare_scores},
    {"metrics", "list the metrics that this host offers, or why it does not", kHost, false,
     declare_metrics},
    {"doctor", "say what this host lacks for a full picture, and the change that gives it", kHost,
     false, declare_doctor},
    {"settings", "list what can be set, and what is set by the configuration file", kHost, false,
     declare_settings},
    {"version", "print the version, the build, and which optional parts are here", kReveal, false,
     declare_version},
    {"completion", "print what makes a shell offer subcommands, options and their values", kReveal,
     false, declare_completion},
    {"man", "print the manual page of reveal, or of a subcommand", kReveal, false, declare_man},
    {"gpu-reader", "read the GPUs for a recorder", kHidden, false, declare_gpu_reader},
});

}  // namespace

std::span<const Command> registry() {
  return kCommands;
}

}  // namespace reveal::cli
