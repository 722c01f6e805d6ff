// How far all this can be trusted: what is missing, the settings, and what Reveal itself cost.
import { h } from "./dom";
import type { Host } from "./model";
import { clock, number, quantity, share, span } from "./text";

function pairs(rows: [string, string][]): HTMLElement {
  return h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function gaps(host: Host): string {
  const { index } = host;
  if (!index || index.gaps.length === 0) return "none";
  const seconds = index.bucket_ticks * host.tick;
  const all = index.gaps.map(([first, count]) => `${clock(host.timeOf(first * index.bucket_ticks), 0)} (${span(count * seconds)})`);
  return all.slice(0, 6).join(", ") + (all.length > 6 ? ` and ${all.length - 6} more` : "");
}

function settings(host: Host): [string, string][] {
  return Object.entries(host.report.configuration).map(([name, value]) => {
    const label = name.replace(/_ns$/, "").replace(/_/g, " ");
    if (name.endsWith("_ns")) return [label, span(Number(value) / 1e9)];
    return [label, Array.isArray(value) ? value.join(", ") : String(value)];
  });
}

function about(host: Host): HTMLElement {
  const { report, index } = host;
  const { late, storage, damage } = report.run.ticks_missed;
  const holes = (index?.channels ?? []).filter((one) => one.missing > 0.005 && one.missing < 1);
  const silent = (index?.channels ?? []).filter((one) => one.until !== undefined);
  const empty = (index?.channels ?? []).filter((one) => one.missing >= 1);
  const counts = report.analyzed;
  const lacks = report.run.not_seen;
  return h(
    "div",
    { class: "host" },
    h("h3", {}, host.name),
    h("p", { class: "hint" }, `Linux ${report.host.kernel}, ${report.host.machine}, ${report.host.cpus_online} CPUs; recorded by ${report.run.recorded_by}`),
    pairs([
      ["ticks missed", late + storage + damage === 0 ? "none" : `${late} late, ${storage} not stored, ${damage} damaged`],
      ["gaps", gaps(host)],
      ["windows", `${number(counts.windows ?? 0)} analyzed, ${number(counts.windows_skipped ?? 0)} skipped for missing ticks`],
      ["channels", `${counts.channels_recorded} recorded, ${counts.channels_derived} with derived ones, ${counts.channels_constant} never moved, ${counts.channels_analyzed} analyzed as ${counts.columns} metric-feature pairs`],
      ["channels with holes", holes.length === 0 ? "none" : `${holes.length}, the most: ${[...holes].sort((a, b) => b.missing - a.missing).slice(0, 4).map((one) => `${one.name} ${share(one.missing)}`).join(", ")}`],
      ["channels that fell silent", silent.length === 0 ? "none" : `${silent.length}, the first: ${[...silent].sort((a, b) => a.until! - b.until!).slice(0, 4).map((one) => `${one.name} ${clock(host.timeOf(one.until!), 0)}`).join(", ")}`],
      ["channels without a sample", String(empty.length)],
      ["Reveal's own cost", `${number(report.cost.cpu_seconds)} s of CPU in ${span(report.cost.wall_seconds)} (${share(report.cost.cpu_seconds / Math.max(report.cost.wall_seconds, 1e-9))} of a core), ${quantity(report.cost.max_rss_bytes, "bytes")} of memory, ${quantity(report.cost.bytes_written, "bytes")} written`],
    ]),
    h("details", {}, h("summary", {}, `What this host could not show (${lacks.length})`), ...lacks.map((one) => h("p", {}, h("b", {}, `${one.source} (${one.metrics} metrics): `), one.reason, one.remedy ? h("i", {}, ` ${one.remedy}`) : null))),
    h("details", {}, h("summary", {}, "Settings"), pairs(settings(host))),
    report.notes.length > 0
      ? h("details", {}, h("summary", {}, `Notes of the recorder (${report.notes.length + report.notes_left_out})`), ...report.notes.slice(0, 300).map((one) => h("p", {}, h("b", {}, `${clock(one.time.ns / 1e9)} ${one.source} ${one.subject} `), one.text)))
      : null,
  );
}

export function trust(hosts: Host[]): HTMLElement {
  return h("section", { id: "trust" }, h("h2", {}, "How far to trust this"), ...hosts.map(about));
}
