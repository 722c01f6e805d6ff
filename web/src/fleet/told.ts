// An incident as plain text, for a ticket or a chat.
import { moment } from "../live/state";
import { clock, date, number, quantity, span } from "../text";
import type { Evidence, Incident, Part, SlowHost } from "./api";

const HOSTS = 10; // that are listed

const PARTS: Record<Part, [string, string]> = {
  cause: ["the cause", "the cause"],
  victim: ["waits for it", "waited for it"],
  slow: ["slow", "slow"],
  pair: ["one of two that differ", "one of two that differed"],
};

export const partWords = (part: Part, isOpen: boolean): string => PARTS[part][isOpen ? 0 : 1];

// How several channels became one.
const FOLDS: Record<string, string> = {
  mean_of_cores: ", mean of cores",
  highest_core: ", highest core",
  sum: ", all together",
  mean: ", mean of all",
};

function durationOf(incident: Incident): string {
  return span(Math.max(Math.round((incident.end.ns - incident.onset.ns) / 1e9), 0));
}

// Returns when an incident was, and how long, for people who know which day it is.
export function lengthHere(incident: Incident): string {
  const begin = moment(incident.onset.ns / 1e9);
  // The end of one that is open is told again only when something else changes.
  return incident.open ? `since ${begin}` : `${begin}, ${durationOf(incident)}`;
}

// Returns the same with all of both times.
export function lengthOf(incident: Incident): string {
  const begin = incident.onset.ns / 1e9;
  const end = incident.end.ns / 1e9;
  const from = `${date(begin)} ${clock(begin)}`;
  if (incident.open) return `since ${from} UTC`;
  return `${from} to ${date(end) === date(begin) ? "" : `${date(end)} `}${clock(end)} UTC, ${durationOf(incident)}`;
}

// Returns how far beyond its limit an evidence is; empty if no limit is known.
export function farOf(evidence: Evidence): string {
  const most = Math.max(evidence.limit, evidence.least_rise);
  return most > 0 ? `${number(Number((evidence.rise / most).toPrecision(2)))}x` : "";
}

export function whatOf(evidence: Evidence): string {
  const place = evidence.channel.slice(evidence.metric.length).replace(/[{}]/g, "").replace(/=/g, " ");
  return evidence.label + (place ? ` (${place})` : "") + (FOLDS[evidence.of] ?? "");
}

function evidenceLine(evidence: Evidence, peers: string): string {
  const far = farOf(evidence);
  return (
    `  - ${whatOf(evidence)}: ${quantity(evidence.observed, evidence.unit)}` +
    ` (${peers}: ${quantity(evidence.usual, evidence.unit)}${far ? `; ${far} the limit` : ""})`
  );
}

function hostLines(host: SlowHost, isOpen: boolean): string[] {
  return [
    `${host.name} (${host.id}): ${partWords(host.part, isOpen)}, from ${clock(host.onset.ns / 1e9)} UTC${host.recovered && isOpen ? ", recovered" : ""}`,
    ...host.evidence.map((one) => evidenceLine(one, "its peers")),
    ...host.facts.map((one) => `  - differs: ${one.subject}: ${one.observed} (most of its peers: ${one.usual})`),
  ];
}

export function told(incident: Incident, address: string): string {
  const more = incident.hosts.length - HOSTS;
  return [
    incident.sentence,
    `${incident.group}, ${number(incident.group_size)} hosts, ${lengthOf(incident)}`,
    ...incident.evidence.map((one) => evidenceLine(one, "in the hour before")),
    ...incident.hosts.slice(0, HOSTS).flatMap((one) => hostLines(one, incident.open)),
    ...(more > 0 ? [`and ${number(more)} more hosts`] : []),
    address,
  ].join("\n");
}
