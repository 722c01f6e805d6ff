// Traces of channels, read by the agent from its recording: one request at a time, as it answers
// them.
import type { Channel, Index, Report } from "../model";
import { Host } from "../model";
import type { Trace } from "../traces";
import { ask, Refused, type Status } from "./api";

const LONGEST = 3600; // seconds of one request
const POINTS = 600;
const TRIES = 20;

interface Answer {
  from: number;
  step: number;
  channels: { low: (number | null)[]; high: (number | null)[]; mean: (number | null)[] }[];
}

const known = (values: (number | null)[]) => Float64Array.from(values, (value) => value ?? NaN);

function traceOf({ from, step, channels }: Answer): Trace {
  const [one] = channels;
  const x = Float64Array.from(one!.mean, (_, i) => from + (i + 0.5) * step);
  return { x, low: known(one!.low), high: known(one!.high), mean: known(one!.mean) };
}

let queue: Promise<unknown> = Promise.resolve();

async function request(address: string): Promise<Answer> {
  for (let tries = 1; ; ++tries) {
    try {
      return await ask<Answer>(address);
    } catch (error) {
      // Another page is being answered.
      if (!(error instanceof Refused) || error.status !== 503 || tries === TRIES) throw error;
      await new Promise((done) => setTimeout(done, 300));
    }
  }
}

// Returns how a channel moved; times in seconds since the epoch.
export function liveTrace(channel: string, begin: number, end: number): Promise<Trace> {
  const from = Math.max(begin, end - LONGEST);
  // A tick's worth of samples in a bucket is enough; fewer leave holes.
  const points = Math.max(Math.min(POINTS, Math.floor(end - from)), 1);
  const address =
    `api/v1/series?channel=${encodeURIComponent(channel)}` +
    `&from=${from.toFixed(3)}&to=${end.toFixed(3)}&points=${points}`;
  const out = queue.then(() => request(address)).then(traceOf);
  queue = out.catch(() => undefined);
  return out;
}

// Returns a host as the parts of a report's page know it, for a stretch of its life.
// The votes are those of all detectors together, whatever each has.
export function liveHost(name: string, windows: Status["windows"], channels: Channel[], begin: number, end: number): Host {
  const time = (seconds: number) => ({ ns: seconds * 1e9, utc: "" });
  const report = {
    host: { name },
    run: { begin: time(begin), end: time(end), interval_ns: 1e8 },
    detectors: [{ name: "", label: "", votes: windows.votes ?? 0 }, ...(windows.detectors ?? []).map((one) => ({ ...one, votes: 0 }))],
  } as unknown as Report;
  const index = { begin_ns: String(begin * 1e9), channels, raw_spans: [], gaps: [] } as unknown as Index;
  return new Host(0, report, index, new Uint8Array(), { trace: liveTrace });
}
