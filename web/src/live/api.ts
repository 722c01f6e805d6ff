// What the agent answers, and how it is asked.
import type { Channel, Finding, Subsystem } from "../model";

export type RunState = "learning" | "judging" | "degraded";

export interface WindowEvent {
  state: RunState;
  reason: string;
  state_since?: string;
  ticks?: number;
  last_frame?: string;
  end?: string; // of the newest window
  strength?: number; // absent if it has no verdict
  votes?: number; // that there are
  subsystem_shares?: Partial<Record<Subsystem, number>>;
  findings_open: number;
}

// A finding as the agent tells it: that of a report, with a name.
export interface ToldFinding extends Finding {
  id: string;
  open: boolean;
  revision: number;
}

export interface Status {
  host: string;
  time: string;
  reveal_version: string;
  windows: { votes?: number; detectors?: { name: string; label: string }[] };
  storage: { oldest?: string };
}

export interface Past {
  stretch_seconds: number;
  subsystems: Subsystem[];
  stretches: number[][]; // begin, strength, share by subsystem
}

export interface Users {
  what: string;
  unit: string;
  users: { name: string; channel: string; amount: number }[];
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

// Returns the JSON at an address. Throws Refused with what the agent says, or what fetch throws.
export async function ask<T>(address: string): Promise<T> {
  const answer = await fetch(address);
  if (answer.ok) return (await answer.json()) as T;
  const text = await answer.text();
  let why = text;
  try {
    why = (JSON.parse(text) as { error: string }).error;
  } catch {
    // not of the agent: a proxy's own page, or the like
  }
  throw new Refused(answer.status, why);
}

const MOST_PAGES = 20; // of findings; the agent has those of a day

// Returns all findings that the agent has at hand; it hands them out page by page.
export async function askFindings(): Promise<ToldFinding[]> {
  const out: ToldFinding[] = [];
  let address: string | null = "api/v1/findings";
  for (let page = 0; address && page < MOST_PAGES; ++page) {
    const answer: { findings: ToldFinding[]; next: string | null } = await ask(address);
    out.push(...answer.findings);
    address = answer.next?.replace(/^\//, "") ?? null; // the page may be below a prefix
  }
  return out;
}

export async function askChannels(): Promise<Channel[]> {
  const { channels } = await ask<{ channels: Channel[] }>("api/v1/channels");
  // What only a report knows.
  return channels.map((one) => ({ ...one, step: 1, missing: 0, low: null, high: null }));
}
