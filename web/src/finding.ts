// Why: the claim, the subsystems' shares, the evidence, and the traces that it speaks of.
import { chart } from "./chart";
import { h } from "./dom";
import type { Evidence, Finding, Incident, Subsystem } from "./model";
import { advice, headingOf, SHORT, SUBSYSTEMS, votesOf } from "./model";
import { clock, exact, feature, quantity, share, span } from "./text";
import { traceAround, traceOf, usualOutside } from "./traces";
import type { View } from "./view";

const ROWS = 8; // pieces of evidence before one asks for more
const CHARTS = 4;

function label(incident: Incident, channel: string): string {
  const number = incident.host.find(channel);
  const known = number === undefined ? undefined : incident.host.index!.channels[number];
  if (!known) return channel;
  const instance = known.instance ? ` (${known.instance.replace(/=/g, " ")})` : "";
  return (known.label || known.metric) + instance;
}

// The detectors that flag it; of a finding without any, why it is one.
function voters({ finding, host }: Incident): string {
  if (finding.detectors.length === 0) return "a job's work rate alone tells";
  return finding.detectors.map((name) => host.report.detectors.find((one) => one.name === name)?.label ?? name).join(", ");
}

function shares(incident: Incident): HTMLElement {
  const partOf = (one: Subsystem): number => incident.finding.subsystem_shares[one] ?? 0;
  const parts = SUBSYSTEMS.filter((one) => partOf(one) >= 0.005).sort((a, b) => partOf(b) - partOf(a));
  return h(
    "div",
    { class: "shares", role: "img", "aria-label": parts.map((one) => `${one} ${share(partOf(one))}`).join(", ") },
    ...parts.map((one) => {
      const part = partOf(one);
      return h(
        "span",
        { class: `share ${one}`, style: `flex-grow:${part}`, title: `${one}: ${part}` },
        part > 0.08 ? `${one} ${share(part)}` : part > 0.05 ? SHORT[one] : "",
      );
    }),
  );
}

function patterns(incident: Incident): HTMLElement[] {
  const pattern = advice(incident.finding);
  if (!pattern) return [];
  return [
    h(
      "p",
      { class: "pattern", "data-pattern": pattern.name },
      h("b", {}, `Looks like: ${pattern.title}. `),
      `${pattern.meaning} `,
      h("span", {}, `Try: ${pattern.remedy}`),
    ),
  ];
}

function row(incident: Incident, one: Evidence, most: number, show: (channel: string) => void): HTMLElement {
  const usual = `${quantity(one.baseline_median, one.unit)} ± ${quantity(one.baseline_mad, one.unit)}`;
  return h(
    "tr",
    {},
    h("td", {}, h("span", { class: `dot ${one.subsystem}`, title: one.subsystem }, SHORT[one.subsystem])),
    h(
      "td",
      {},
      h(
        "button",
        { type: "button", class: "link", title: `${one.channel}${one.alias ? ` (${one.alias})` : ""}`, click: () => show(one.channel) },
        label(incident, one.channel),
      ),
    ),
    h("td", { title: one.feature }, feature(one.feature)),
    h("td", { class: "number", title: exact(one.observed, one.unit) }, quantity(one.observed, one.unit)),
    h("td", { class: "number", title: `${exact(one.baseline_median, one.unit)} ± ${exact(one.baseline_mad, one.unit)}` }, usual),
    h(
      "td",
      { class: "part", title: `${one.contribution} of what lifted the scores` },
      h("i", { style: `width:${((100 * one.contribution) / most).toFixed(1)}%` }),
      h("span", {}, share(one.contribution)),
    ),
  );
}

function evidenceTable(incident: Incident, show: (channel: string) => void): HTMLElement {
  const { evidence } = incident.finding;
  const most = Math.max(...evidence.map((one) => one.contribution), 1e-12);
  const body = h("tbody");
  // One line for channels that move together: the strongest speaks.
  const spoken = new Set<string>();
  const telling = evidence.filter((one) => {
    const fresh = !spoken.has(one.moves_with);
    spoken.add(one.moves_with);
    return fresh;
  });
  const quiet = evidence.filter((one) => !telling.includes(one));
  const ordered = [...telling, ...quiet];
  const fill = (count: number) => {
    for (const one of ordered.slice(body.childElementCount, count)) body.append(row(incident, one, most, show));
  };
  fill(ROWS);
  const rest = ordered.length - ROWS;
  const text = `${rest} more, those that move with a line above among them`;
  const more = h("button", { type: "button", class: "more", hidden: rest <= 0 }, text);
  more.addEventListener("click", () => {
    fill(ordered.length);
    more.hidden = true;
  });
  return h(
    "div",
    { class: "evidence" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}, h("span", { class: "unseen" }, "subsystem")),
          ...["metric", "feature", "observed", "usual (median ± MAD)", "part"].map((text) => h("th", {}, text)),
        ),
      ),
      body,
    ),
    more,
  );
}

// Who did it, who had to wait, what it cost, and what came first.
function harm(finding: Finding): HTMLElement[] {
  const unknown = "Subsystem: not known, because the names of the metrics that show it do not tell.";
  const sentences = [
    finding.subsystem === "unknown" ? unknown : "",
    finding.who, finding.who_process, finding.suffered, finding.work, finding.stalled, finding.compared_with,
    finding.onset_order, finding.moved_along, finding.incident_order,
  ].filter((one) => one);
  return sentences.length ? [h("p", { class: "facts" }, ...sentences.map((one) => h("span", {}, one!)))] : [];
}

// The channels whose traces tell most: that of the claim, others of the subsystem at fault, then the
// strongest of the others, so that channels that moved together are seen together. A channel that
// stands for others is there once.
function telling(incident: Incident): string[] {
  const { evidence, subsystem } = incident.finding;
  const claimed = incident.finding.claim_channel;
  const first = claimed && incident.host.find(claimed) !== undefined ? [claimed] : [];
  const stands = new Map(evidence.map((one) => [one.channel, one.moves_with]));
  const pick = (own: boolean, count: number, besides: string[]) => {
    const out: string[] = [];
    const taken = new Set<string>(besides.map((name) => stands.get(name) ?? name));
    for (const one of evidence) {
      if (out.length === count) break;
      if ((one.subsystem === subsystem) !== own || besides.includes(one.channel)) continue;
      if (taken.has(one.moves_with) || incident.host.find(one.channel) === undefined) continue;
      taken.add(one.moves_with);
      out.push(one.channel);
    }
    return out;
  };
  const own = [...first, ...pick(true, CHARTS / 2 - first.length, first)];
  const others = pick(false, CHARTS - own.length, []);
  return [...own, ...others, ...pick(true, CHARTS - own.length - others.length, own)];
}

async function traced(incident: Incident, name: string, incidents: Incident[], view: View): Promise<HTMLElement | null> {
  const { host } = incident;
  const number = host.find(name);
  if (number === undefined) return null;
  const channel = host.index!.channels[number]!;
  const margin = Math.max(20, (incident.end - incident.begin) * 1.2);
  const begin = Math.max(incident.begin - margin, host.begin);
  const end = Math.min(incident.end + margin, host.end);
  const { trace, exact: every } = await traceAround(host, number, begin, end);
  const usual = usualOutside(await traceOf(host, channel), incidents.filter((one) => one.host === host));
  return h(
    "figure",
    { class: "trace", "data-channel": name },
    h(
      "figcaption",
      { title: `${name}${every ? "" : "; lows, highs and means of stretches"}` },
      h("span", { class: `dot ${channel.subsystem}` }, SHORT[channel.subsystem]),
      h("b", {}, label(incident, name)),
      usual ? h("span", { class: "hint" }, `usually ${quantity(usual.median, channel.unit)}`) : null,
    ),
    chart({ host, name: label(incident, name), unit: channel.unit, trace, usual, incidents, view, begin, end, height: 118 }),
  );
}

export function findingView(incidents: () => Incident[], view: View, show: (channel: string, incident: Incident) => void): HTMLElement {
  const out = h("section", { class: "why", id: "why" });
  let shown: Incident | null = null;
  const render = () => {
    if (view.chosen === shown) return;
    shown = view.chosen;
    out.replaceChildren();
    const incident = shown;
    if (!incident) return;
    const { finding, host } = incident;
    const length = incident.end - incident.begin;
    const charts = h("div", { class: "traces" });
    out.append(
      h(
        "header",
        {},
        h("h2", {}, "Why"),
        h("span", { class: `badge ${finding.subsystem}` }, headingOf(finding.subsystem)),
        h("span", { class: "claim" }, finding.claim),
      ),
      h(
        "p",
        { class: "facts" },
        h("span", {}, `${host.name}, ${clock(incident.begin)} to ${clock(incident.end)} UTC (${span(length)}, windows ${finding.first_window}–${finding.last_window})`),
        h("span", {}, `${finding.agreement} of ${votesOf(host.report) || "?"} votes: ${voters(incident)}`),
      ),
      ...harm(finding),
      ...patterns(incident),
      shares(incident),
      h("div", { class: "proof" }, charts, evidenceTable(incident, (name) => show(name, incident))),
    );
    if (!host.index) {
      charts.append(h("p", { class: "hint" }, "There are no traces: the recording was missing when this page was made."));
      return;
    }
    for (const name of telling(incident)) {
      const place = h("div");
      charts.append(place);
      const draw = traced(incident, name, incidents(), view).then((figure) => {
        if (figure && shown === incident) place.replaceWith(figure);
      });
      // A live page may ask for what is not kept any more.
      draw.catch((error: Error) => place.replaceChildren(h("p", { class: "hint" }, `${name}: ${error.message}`)));
    }
  };
  view.onChange(render);
  return out;
}
