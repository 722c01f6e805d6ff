#include <array>

#include "cli/command.h"

namespace reveal::cli {
namespace {

// The headings of --help.
constexpr std::string_view kRecord = "Watch and record";
constexpr std::string_view kExplain = "Find disturbances";
constexpr std::string_view kData = "Work with recordings";
constexpr std::string_view kHost = "This host";
constexpr std::string_view kReveal = "About Reveal";
constexpr std::string_view kHidden;

constexpr auto kCommands = std::to_array<Command>({
    {"run", "watch this host while CMD runs (or until Ctrl-C), then report what was unusual",
     kRecord, true, declare_run},
    {"demo", "see a fault found on this host: a job, a disturbance, and what the report says",
     kRecord, false, declare_demo},
    {"record", "record this host", kRecord, true, declare_record},
    {"agent", "watch this host as a service: record, judge, and keep what was found", kRecord,
     false, declare_agent},
    {"analyser",
     "watch a fleet: which of its hosts are slower than their peers, from when on, and by what",
     kRecord, false, declare_analyser},
    {"health", "ask this host's agent how it is, for monitors and schedulers", kRecord, false,
     declare_health},
    {"mark", "note an event in the recording of this host's agent: a deploy, the start of a job",
     kRecord, false, declare_mark},
    {"pin", "have this host's agent keep the last minutes of its recording", kRecord, false,
     declare_pin},
    {"top", "show the state of this host, or of a recording, in a terminal", kRecord, false,
     declare_top},
    {"analyze", "find and explain disturbances in a recording", kExplain, false, declare_analyze},
    {"explain", "show how a finding came about, from the samples to the sentence", kExplain, false,
     declare_explain},
    {"compare", "compare hosts that do the same job: which differs, in what, and since when",
     kExplain, false, declare_compare},
    {"report", "make the page of an analysis, of one host or several; or say what an agent saw",
     kExplain, false, declare_report},
    {"baseline", "save the usual values of good runs, and compare others with them", kExplain,
     false, declare_baseline},
    {"info", "show the contents of a recording, whether it is whole, and its largest parts", kData,
     false, declare_info},
    {"repair", "copy the readable part of a damaged recording into a new one", kData, false,
     declare_repair},
    {"downsample", "keep fewer old frames: one a second, one a minute, none", kData, false,
     declare_downsample},
    {"export", "write a recording as text that other programs read", kData, false, declare_export},
    {"import", "make a recording from other programs' telemetry", kData, false, declare_import},
    {"dataset", "write recordings as a data set for research", kData, false, declare_dataset},
    {"sql", "query recordings, their windows, scores and findings in SQL", kData, false,
     declare_sql},
    {"features", "compute the features of every window and channel", kData, false,
     declare_features},
    {"scores", "score every window by every detector", kData, false, declare_scores},
    {"select", "choose the channels that are worth recording, by runs of several workloads", kData,
     false, declare_select},
    {"study", "repeat a study of the paper on recordings", kData, false, declare_study},
    {"metrics", "list the metrics of this host, with the reason for each missing one", kHost, false,
     declare_metrics},
    {"doctor", "list the sources that this host lacks, and the change that adds each", kHost, false,
     declare_doctor},
    {"settings", "list all settings, and those of the configuration file", kHost, false,
     declare_settings},
    {"version", "print the version, the build, and which optional parts are here", kReveal, false,
     declare_version},
    {"completion", "print the completion script of a shell", kReveal, false, declare_completion},
    {"man", "print the manual page of reveal, or of a subcommand", kReveal, false, declare_man},
    {"demo-job", "work as the job of a demonstration", kHidden, false, declare_demo_job},
    {"gpu-reader", "read the GPUs for a recorder", kHidden, false, declare_gpu_reader},
    {"agent-recorder", "record for an agent", kHidden, false, declare_agent_recorder},
    {"agent-judge", "judge for an agent", kHidden, false, declare_agent_judge},
});

}  // namespace

std::span<const Command> registry() {
  return kCommands;
}

}  // namespace reveal::cli
