// The answer first: what is wrong, or that nothing is.
import { h } from "./dom";
import type { Host, Incident } from "./model";
import { SHORT, votesOf } from "./model";
import { clock, date, share, span } from "./text";
import type { View } from "./view";

const FIRST = 8; // incidents that are shown before one asks for more

// The findings that chance is expected to make in such runs, if the calm windows of all hosts tell.
function byChance(hosts: Host[]): string {
  const known = hosts.map((host) => host.report.analyzed.findings_by_chance as number | null | undefined);
  const sum = known.reduce<number>((so, one) => so + (one ?? NaN), 0);
  if (Number.isNaN(sum)) return "";
  const length = span(hosts.reduce((so, host) => so + host.end - host.begin, 0));
  const run = hosts.length === 1 ? `A healthy run of this kind, ${length} long, has` : `Healthy runs of this kind, ${length} together, have`;
  return ` ${run} ${sum < 0.001 ? "fewer than 0.001" : sum.toPrecision(2)} findings by chance.`;
}

function verdict(hosts: Host[], incidents: Incident[]): HTMLElement {
  const windows = hosts.reduce((sum, host) => sum + (host.report.analyzed.windows ?? 0), 0);
  const count = incidents.length;
  const spent = incidents.reduce((sum, one) => sum + one.end - one.begin, 0);
  const whole = hosts.reduce((sum, host) => sum + host.end - host.begin, 0);
  const text =
    count === 0
      ? "No anomaly"
      : `${count} finding${count === 1 ? "" : "s"}, ${share(spent / Math.max(whole, 1e-9))} of the time`;
  const least = Math.min(...hosts.map((host) => host.report.configuration.min_agreement));
  const byWork = incidents.some((one) => one.finding.agreement < least);
  const why =
    count === 0
      ? `In ${windows} windows: at no time did the detectors reach ${least} votes while work was stalled.`
      : `Windows with ${least} or more votes of detectors${byWork ? " or a job that lost work" : ""}, the gravest first. Each detector looks at something else.`;
  return h(
    "div",
    { class: count === 0 ? "verdict healthy" : "verdict" },
    h("strong", {}, h("span", { class: "sign", "aria-hidden": "true" }, count === 0 ? "✓" : "!"), text),
    h("span", { class: "hint" }, why + byChance(hosts)),
  );
}

function run(host: Host): HTMLElement {
  const { report } = host;
  const { late, storage, damage } = report.run.ticks_missed;
  const missed = late + storage + damage;
  const command = report.run.command.join(" ");
  return h(
    "div",
    { class: "run" },
    h("b", {}, host.name),
    h("span", {}, `${date(host.begin)} ${clock(host.begin)} to ${clock(host.end)} UTC`),
    h("span", {}, `${span(host.end - host.begin)}, every ${span(host.tick)}`),
    command ? h("code", { title: command }, command.length > 90 ? command.slice(0, 89) + "…" : command) : null,
    missed > 0 ? h("span", { class: "warn" }, `${missed} ticks missed`) : null,
  );
}

function card(incident: Incident, several: boolean, view: View): HTMLElement {
  const { finding, host } = incident;
  const length = incident.end - incident.begin;
  const all = votesOf(host.report);
  const out = h(
    "button",
    { type: "button", class: `card ${finding.subsystem}`, click: () => view.choose(incident) },
    h("span", { class: "badge" }, SHORT[finding.subsystem]),
    h(
      "span",
      { class: "facts" },
      several ? h("b", {}, host.name) : null,
      finding.severity_word && finding.severity_word !== "unknown" ? h("b", {}, finding.severity_word) : null,
      h("b", {}, `${clock(incident.begin)} UTC`),
      h("span", {}, span(length)),
      h("span", {}, `${finding.agreement} of ${all} votes`),
      h("span", {}, `${share(length / Math.max(host.end - host.begin, 1e-9))} of the run`),
      finding.at_start ? h("span", { class: "warn" }, "begins with the run") : null,
    ),
    h("span", { class: "claim" }, finding.claim),
    finding.who ? h("span", { class: "harm" }, finding.who) : null,
    finding.who_process ? h("span", { class: "harm" }, finding.who_process) : null,
    finding.work ? h("span", { class: "harm" }, finding.work) : null,
    finding.stalled ? h("span", { class: "harm" }, finding.stalled) : null,
  );
  view.onChange(() => out.setAttribute("aria-pressed", String(view.chosen === incident)));
  return out;
}

// Entries that are not findings, because nothing was stalled.
function changes(hosts: Host[]): HTMLElement | null {
  const lines = hosts.flatMap((host) =>
    (host.report.changes ?? []).map((change) => {
      const begin = change.begin.ns / 1e9;
      const when = `${clock(begin)} UTC, ${span(change.end.ns / 1e9 - begin)}`;
      return h("li", {}, h("b", {}, hosts.length > 1 ? `${host.name}, ${when}` : when), ` ${change.claim}`);
    }),
  );
  if (lines.length === 0) return null;
  const title = `${lines.length} change${lines.length === 1 ? "" : "s"} of the workload, in which nothing was stalled`;
  return h("details", { class: "changes" }, h("summary", {}, title), h("ul", {}, ...lines.slice(0, 50)));
}

export function answer(hosts: Host[], incidents: Incident[], view: View): HTMLElement {
  const list = h("div", { class: "cards", role: "group", "aria-label": "Findings" });
  const fill = (count: number) => {
    for (const incident of incidents.slice(list.childElementCount, count)) {
      list.append(card(incident, hosts.length > 1, view));
    }
  };
  fill(FIRST);
  const rest = incidents.length - FIRST;
  const more = h("button", { type: "button", class: "more", hidden: rest <= 0 }, `${rest} more`);
  more.addEventListener("click", () => {
    fill(incidents.length);
    more.hidden = true;
  });
  return h(
    "section",
    { class: "answer", id: "what" },
    verdict(hosts, incidents),
    ...hosts.slice(0, 12).map(run),
    hosts.length > 12 ? h("div", { class: "run" }, `and ${hosts.length - 12} hosts more`) : null,
    list,
    more,
    changes(hosts),
  );
}
