// What the page is given: report.json (docs/report.md) and the samples of each host, as
// src/page writes them.

import type { Trace } from "./traces";

export type Subsystem = "cpu" | "gpu" | "memory" | "network" | "storage" | "unknown";

export interface TimePoint {
  ns: number; // rounded: JavaScript has 53 bits
  utc: string;
}

export interface Evidence {
  channel: string;
  feature: string;
  subsystem: Subsystem;
  alias: string;
  unit: string;
  observed: number | null;
  baseline_median: number | null;
  baseline_mad: number | null;
  contribution: number;
  moves_with: string;
}

export interface Sign {
  channel: string;
  observed: number | null;
  usual: number | null;
}

export interface Pattern {
  name: string;
  title: string;
  meaning: string;
  remedy: string;
  signs: Sign[];
  against: Sign[];
  beside?: boolean; // of another subsystem than the finding; absent in older reports
}

export interface Finding {
  claim: string;
  claim_channel?: string; // absent in older reports
  patterns?: Pattern[]; // absent in older reports
  who?: string; // absent in older reports, as the three below; sentences, or empty
  who_process?: string;
  suffered?: string;
  work?: string;
  stalled?: string;
  compared_with?: string;
  onset_order?: string; // likewise
  moved_along?: string; // likewise
  incident_order?: string;
  subsystem: Subsystem;
  subsystem_shares: Record<Exclude<Subsystem, "unknown">, number> & { unknown?: number }; // that is absent in older reports
  begin: TimePoint;
  end: TimePoint;
  at_start: boolean;
  first_window: number;
  last_window: number;
  detectors: string[];
  agreement: number;
  severity?: number | null; // in seconds; null if it is not known
  severity_word?: string; // absent in older reports
  evidence: Evidence[];
}

export interface Detector {
  name: string;
  label: string;
  votes?: number; // absent in older reports
  contamination_limit: number | null;
  alarm_limit: number | null;
  windows_flagged: number[];
  scores: (number | null)[];
}

export interface Report {
  host: { name: string; kernel: string; machine: string; cpus_online: number };
  run: {
    begin: TimePoint;
    end: TimePoint;
    command: string[];
    recorded_by: string;
    interval_ns: number;
    frames: number;
    ticks_missed: { late: number; storage: number; damage: number };
    not_seen: { source: string; reason: string; remedy: string; metrics: number }[];
  };
  configuration: Record<string, unknown> & {
    window_ns: number;
    stride_ns: number;
    min_agreement: number;
    warm_up_windows: number;
  };
  analyzed: Record<string, number>;
  findings: Finding[];
  changes?: Finding[]; // absent in older reports
  detectors: Detector[];
  windows: { id: number[]; begin_ns: number[] };
  static_facts: { channel: string; unit: string; value: number }[];
  notes: { time: TimePoint; kind: string; source: string; subject: string; text: string }[];
  notes_left_out: number;
  cost: { cpu_seconds: number; wall_seconds: number; max_rss_bytes: number; bytes_written: number };
}

export interface Channel {
  name: string;
  metric: string;
  instance: string;
  label: string;
  subsystem: Subsystem;
  unit: string;
  kind?: string;
  constant?: number;
  step: number; // ticks between samples, most of the time
  missing: number; // share of the samples that this step would give
  since?: number; // the tick of its first sample, where it appeared late
  until?: number; // and of its last, where it fell silent early
  low: number | null;
  high: number | null;
  pyramid?: [offset: number, length: number];
}

export interface RawSpan {
  channel: number;
  first_tick: number;
  count: number;
  low: number;
  high: number;
  data: [offset: number, length: number];
}

export interface Index {
  version: number;
  host: string;
  begin_ns: string;
  interval_ns: number;
  ticks: number;
  bucket_ticks: number;
  buckets: number;
  gaps: [first: number, count: number][];
  channels: Channel[];
  raw_spans: RawSpan[];
  bits: 8 | 16;
}

export const SUBSYSTEMS: readonly Subsystem[] = ["cpu", "gpu", "memory", "network", "storage", "unknown"];
export const SHORT: Record<Subsystem, string> = {
  cpu: "CPU",
  gpu: "GPU",
  memory: "MEM",
  network: "NET",
  storage: "DISK",
  unknown: "?",
};

// The name of a subsystem where nothing else says that it is one.
export function headingOf(subsystem: Subsystem): string {
  return subsystem === "unknown" ? "subsystem unknown" : subsystem;
}

// Where a live page gets its traces from.
export interface SeriesSource {
  trace(channel: string, begin: number, end: number): Promise<Trace>;
}

// One host's part of the page. Times are in seconds since the epoch.
export class Host {
  readonly begin: number;
  readonly end: number;
  readonly tick: number; // seconds
  private readonly byName = new Map<string, number>();
  private readonly rawSpansOf = new Map<number, RawSpan[]>();

  constructor(
    readonly number: number,
    readonly report: Report,
    readonly index: Index | null, // null where the recording was gone
    readonly samples: Uint8Array,
    readonly series: SeriesSource | null = null, // that has the traces instead of `samples`
  ) {
    this.begin = report.run.begin.ns / 1e9;
    this.end = report.run.end.ns / 1e9;
    this.tick = report.run.interval_ns / 1e9;
    index?.channels.forEach((channel, i) => this.byName.set(channel.name, i));
    for (const rawSpan of index?.raw_spans ?? []) {
      const list = this.rawSpansOf.get(rawSpan.channel) ?? [];
      list.push(rawSpan);
      this.rawSpansOf.set(rawSpan.channel, list);
    }
  }

  get name(): string {
    return this.report.host.name || "unnamed host";
  }

  find(name: string): number | undefined {
    return this.byName.get(name);
  }

  rawSpans(channel: number): RawSpan[] {
    return this.rawSpansOf.get(channel) ?? [];
  }

  // The time at which a tick lies.
  timeOf(tick: number): number {
    const start = this.index ? Number(this.index.begin_ns) / 1e9 : this.begin;
    return start + tick * this.tick;
  }

  windowBegin(position: number): number {
    return this.report.windows.begin_ns[position]! / 1e9;
  }
}

// A finding and where it is.
export interface Incident {
  host: Host;
  finding: Finding;
  begin: number;
  end: number;
}

// Returns the likeliest pattern, whose remedy is advice; nothing if it goes on besides, or if something argues
// against it.
export function advice(finding: Finding): Pattern | undefined {
  const likeliest = finding.patterns?.[0];
  return likeliest && !likeliest.beside && likeliest.against.length === 0 ? likeliest : undefined;
}

// Votes that all detectors have together.
export function votesOf(report: Report): number {
  return report.detectors.reduce((sum, detector) => sum + (detector.votes ?? 1), 0);
}

// Incidents as a report lists its findings: what begins with the run last, since that is usually the
// workload's own start, then the gravest first, then by votes.
function graver(a: Incident, b: Incident): number {
  const order = ({ finding }: Incident) => [finding.at_start ? 1 : 0, -(finding.severity ?? -1), -finding.agreement];
  const [one, other] = [order(a), order(b)];
  const place = one.findIndex((value, i) => value !== other[i]);
  return place < 0 ? a.begin - b.begin : one[place]! - other[place]!;
}

export function incidentsOf(hosts: Host[]): Incident[] {
  const all = hosts.flatMap((host) =>
    host.report.findings.map((finding) => ({
      host,
      finding,
      begin: finding.begin.ns / 1e9,
      end: finding.end.ns / 1e9,
    })),
  );
  return all.sort(graver);
}
