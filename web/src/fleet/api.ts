// What the analyser answers, and the events of its stream.
import type { Subsystem, TimePoint } from "../model";

export type FleetState = "starting" | "judging" | "late" | "no_broker";

export interface Counts {
  hosts: number;
  compared: number;
  silent: number;
  clock_off: number;
  two_hosts: number;
  other_bucket: number;
  unknown: number;
  groups: number;
  incidents_open: number;
  refused: number; // messages
}

// What changes of a group from second to second.
export interface GroupNow {
  key: string;
  hosts: number;
  present: number; // that told the newest second
  judged_end: string | null; // of the newest second that was judged
  certain: boolean; // enough hosts told it for somebody to be accused
  slow: number;
}

export interface Group extends GroupNow {
  name: string;
  kind: "job" | "role" | "hardware" | "other";
  judged_here: boolean; // and not by another analyser
  quantities: number;
}

export interface FleetStatus {
  time: string;
  analyser: string;
  state: FleetState;
  reason: string;
  database: { kind: "none" | "sqlite" | "postgresql"; waiting: number };
  counts: Counts;
  groups: Group[];
}

// The hosts of a group, in the order of all lists of its hosts.
export interface HostList {
  id: string[];
  name: string[];
  standing: number[];
  standings: string[];
}

export interface UnlikeFact {
  subject: string;
  observed: string;
  usual: string;
}

export interface Evidence {
  channel: string;
  metric: string;
  of: string; // how channels became this quantity
  label: string;
  subsystem: Subsystem;
  unit: string;
  observed: number;
  usual: number;
  rise: number;
  limit: number;
  least_rise: number;
}

export type Part = "cause" | "victim" | "slow" | "pair";

export interface SlowHost {
  id: string;
  name: string;
  part: Part;
  onset: TimePoint;
  onset_error_ns: number;
  slow_until: TimePoint;
  recovered: boolean;
  finding: string | null;
  evidence: Evidence[];
  facts: UnlikeFact[];
}

export interface Incident {
  told: "opened" | "updated" | "closed" | "past";
  id: string;
  group: string;
  revision: number;
  open: boolean;
  of_all: boolean;
  onset: TimePoint;
  end: TimePoint;
  group_size: number;
  cause: string | null;
  subsystem: Subsystem | null;
  sentence: string;
  hosts: SlowHost[];
  evidence: Evidence[];
}

export interface OwnFinding {
  id: string;
  subsystem: Subsystem;
  pattern: string;
  claim: string;
  onset: string;
}

export interface HostDetail {
  id: string;
  name: string;
  site: string;
  standing: string;
  group: string;
  heard: string | null;
  clock_error_seconds: number | null;
  facts: Record<string, Record<string, string>>; // by source, then subject
  labels: Record<string, string>;
  unlike: UnlikeFact[];
  findings: OwnFinding[];
  incidents: string[];
}

export interface Quantity {
  key: string;
  phrase: string;
  unit: string;
  subsystem: Subsystem;
  saturation: boolean;
  kept: boolean; // its past is there at once
}

export interface LevelsAnswer {
  unit: string;
  phrase: string;
  floor: number; // of the codes
  begin?: string; // absent if there are no seconds
  seconds: number;
  hosts: number;
  codes: string; // base64 of two bytes a code, by second, then host; 0xFFFF: no level
}

export interface FleetEvent {
  time: string | null; // the broker's; null: no message came
  state: FleetState;
  reason: string;
  hosts: number;
  groups: (GroupNow & { marks?: string; changes?: string })[]; // of very many, some in turn
}

export const timeOf = (iso: string): number => Date.parse(iso) / 1000;

// Returns a host's name without its domain.
export const shortName = (name: string): string => (/^[\d.:]+$/.test(name) ? name : name.split(".")[0]!);

// Returns a quantity's key, as the analyser makes it.
export const keyOf = (evidence: Evidence): string => `${evidence.channel} ${evidence.of}`;

// Returns the evidence that says most: of the host that an incident is about, or of its group.
export function mainEvidence(incident: Incident): Evidence | undefined {
  return incident.of_all ? incident.evidence[0] : mainHost(incident)?.evidence[0];
}

// Returns the cause, else the host that was slow first.
export function mainHost(incident: Incident): SlowHost | undefined {
  return incident.hosts.find((one) => one.part === "cause") ?? incident.hosts[0];
}
