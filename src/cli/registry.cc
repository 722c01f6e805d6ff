#include <array>

#include "cli/command.h"

namespace reveal::cli {
namespace {

constexpr auto kCommands = std::to_array<Command>({
    {"run", "watch this host while CMD runs (or until Ctrl-C), then report what was unusual", true,
     declare_run},
    {"top", "show the state of this host, or of a recording, in a terminal", false, declare_top},
    {"record", "record this host", true, declare_record},
    {"analyze", "find and explain what was unusual in a recording", false, declare_analyze},
    {"explain", "show how a finding came about, from the samples to the sentence", false,
     declare_explain},
    {"compare",
     "hosts that do the same job against one another: which is different, in what, since when",
     false, declare_compare},
    {"report", "make the page of what an analysis found, of one host or several", false,
     declare_report},
    {"info", "say what is in a recording, whether it is whole, and what costs most", false,
     declare_info},
    {"repair", "copy what is sound of a damaged recording into a new one", false, declare_repair},
    {"export", "write a recording as text that other programs read", false, declare_export},
    {"import", "make a recording of other programs' telemetry", false, declare_import},
    {"dataset", "write recordings as a data set for others to study", false, declare_dataset},
    {"sql", "ask recordings, their windows, scores and findings in SQL", false, declare_sql},
    {"features", "compute the features of every window and channel", false, declare_features},
    {"scores", "score every window by every detector", false, declare_scores},
    {"baseline", "keep what is usual in a run, and compare others with it", false,
     declare_baseline},
    {"downsample", "keep less of what is old: a frame a second, a frame a minute, nothing", false,
     declare_downsample},
    {"metrics", "list the metrics that this host offers, or why it does not", false,
     declare_metrics},
    {"doctor", "say what this host lacks for a full picture, and the change that gives it", false,
     declare_doctor},
    {"gpu-reader", "read the GPUs for a recorder", false, declare_gpu_reader, true},
});

}  // namespace

std::span<const Command> registry() {
  return kCommands;
}

}  // namespace reveal::cli
