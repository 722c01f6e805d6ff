#include "cli/page_output.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/new_file.h"
#include "base/whole_file.h"
#include "cli/option_set.h"
#include "cli/page_remedy.h"
#include "cli/replayed.h"
#include "page/assets.h"
#include "page/host_part.h"
#include "page/page.h"
#include "replay/derived_source.h"
#include "store/segment_reader.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::Result;

constexpr const char* kPageName = "report.html";

base::Error not_built(const std::string& remedy) {
  return {base::ErrorKind::kAbsent, "this reveal was built without its page", kPageName, remedy};
}

Result<page::ReportText> report_of(const PageSource& source) {
  const auto text = base::read_whole_file(source.report, "report");
  if (text) return page::read_report(*text, source.report.string());
  base::Error error = text.error();
  if (error.kind == base::ErrorKind::kAbsent) {
    error.remedy = fmt::format("reveal analyze {} writes it", source.recording.string());
  }
  return base::Unexpected(std::move(error));
}

// Kinds as the recorder gave them: derived frames have rates, which are gauges.
std::vector<std::optional<model::Kind>> recorded_kinds(const model::ChannelTable& recorded,
                                                       const model::ChannelTable& derived) {
  std::vector<std::optional<model::Kind>> out;
  for (std::size_t i = 0; i < derived.channel_count(); ++i) {
    const auto metric = recorded.find_metric(derived.metric(model::ChannelId(i)).name);
    out.push_back(metric ? std::optional(recorded.metric(*metric).kind) : std::nullopt);
  }
  return out;
}

Result<void> begin(const model::RunFacts& facts, page::HostReplay& out) {
  if (auto begun = out.envelopes.begin(facts); !begun) return begun;
  return out.raw_spans.begin(facts);
}

Result<void> take(const model::ChannelTable& channels, const model::Frame& frame,
                  page::HostReplay& out) {
  if (auto taken = out.envelopes.write(channels, frame); !taken) return taken;
  return out.raw_spans.write(channels, frame);
}

Result<void> finish(page::HostReplay& out) {
  if (auto finished = out.envelopes.finish(); !finished) return finished;
  return out.raw_spans.finish();
}

// Takes all frames that can be read, and says of the others that they are not in the page.
Result<void> replay(replay::DerivedSource& source, page::HostReplay& out) {
  if (auto begun = begin(source.facts(), out); !begun) return begun;
  for (;;) {
    const auto frame = source.next();
    if (!frame) text::tell(frame.error().message() + "; the page ends there");
    if (!frame || *frame == nullptr) return finish(out);
    if (auto taken = take(source.channels(), **frame, out); !taken) return taken;
  }
}

Result<page::HostPart> part_of(const page::ReportText& report,
                               const std::filesystem::path& recording, const page::Budget& budget,
                               TellDamage telling) {
  page::HostReplay replayed{{}, page::RawSpans(report.evidence), nullptr, {}};
  auto reader = store::SegmentReader::open(recording);
  if (!reader) {
    text::tell(reader.error().message() + "; the page has only the report, without channels");
    return page::host_part(report, replayed, budget);
  }
  replay::DerivedSource derived(*reader);
  if (auto done = replay(derived, replayed); !done) return base::pass(done);
  if (telling == TellDamage::kYes) tell_damage(reader->damage());
  replayed.channels = &derived.channels();
  replayed.kinds = recorded_kinds(reader->channels(), derived.channels());
  return page::host_part(report, replayed, budget);
}

}  // namespace

Result<void> check_page() {
  if (page::is_built()) return {};
  return base::Unexpected(not_built(page_remedy()));
}

Result<void> render_page(const std::vector<PageSource>& sources,
                         const std::filesystem::path& output, TellDamage tell_damage) {
  if (auto built = check_page(); !built) return built;
  // What needs no time may fail first.
  std::vector<page::ReportText> reports;
  for (const auto& source : sources) {
    auto report = report_of(source);
    if (!report) return base::pass(report);
    reports.push_back(std::move(*report));
  }
  auto file = base::NewFile::create(output);
  if (!file) return base::pass(file);
  const auto budget = page::budget_of_each(sources.size());
  std::vector<page::HostPart> hosts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto part = part_of(reports[i], sources[i].recording, budget, tell_damage);
    if (!part) return base::pass(part);
    hosts.push_back(std::move(*part));
  }
  if (auto written = file->write(page::page_text(hosts)); !written) return written;
  return file->keep();
}

void PageOptions::declare(OptionSet& set) {
  auto& path = set.value("--html", html,
                         "file for the page of the report (default: report.html beside "
                         "report.json)")
                   .placeholder("FILE");
  set.flag("--no-html", no_html, "do not write report.html").excludes(path);
}

Result<void> PageOptions::check() const {
  if (html.empty()) return {};
  return check_page();
}

Result<void> PageOptions::write(const std::filesystem::path& report_directory,
                                const std::filesystem::path& recording) const {
  if (no_html) return {};
  if (!page::is_built()) {
    text::tell(not_built(page_remedy() + "; or --no-html").message());
    return {};
  }
  const auto output = html.empty() ? report_directory / kPageName : std::filesystem::path(html);
  return render_page({{report_directory / "report.json", recording}}, output, TellDamage::kNo);
}

}  // namespace reveal::cli
