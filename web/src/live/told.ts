// A finding as plain text, for a ticket or a chat.
import type { Incident } from "../model";
import { advice, headingOf } from "../model";
import { clock, date, feature, quantity, span } from "../text";
import type { ToldFinding } from "./api";

const EVIDENCE = 6;

export function lengthOf(incident: Incident): string {
  const from = `${date(incident.begin)} ${clock(incident.begin)}`;
  const open = (incident.finding as ToldFinding).open;
  const length = span(Math.max(incident.end - incident.begin, 0));
  return open ? `since ${from} UTC, ${length} so far` : `${from} to ${clock(incident.end)} UTC, ${length}`;
}

export function told(incident: Incident, address: string): string {
  const finding = incident.finding as ToldFinding;
  const sentences = [
    finding.who, finding.who_process, finding.suffered, finding.work, finding.stalled, finding.compared_with,
    finding.onset_order, finding.moved_along, finding.incident_order,
  ].filter((one) => one);
  const pattern = advice(finding);
  return [
    `${incident.host.name}: ${finding.claim}`,
    `${headingOf(finding.subsystem)}, ${finding.severity_word ?? "unknown"}, ${lengthOf(incident)}`,
    ...sentences,
    ...(pattern ? [`Looks like: ${pattern.title}. Try: ${pattern.remedy}`] : []),
    ...finding.evidence.slice(0, EVIDENCE).map(
      (one) =>
        `- ${one.channel} ${feature(one.feature)}: ${quantity(one.observed, one.unit)}` +
        ` (usually ${quantity(one.baseline_median, one.unit)} ± ${quantity(one.baseline_mad, one.unit)})`,
    ),
    address,
  ].join("\n");
}

// Copies a text. Returns whether that worked. Browsers have the clipboard only for pages from this
// host or with encryption; the old way works for all.
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
