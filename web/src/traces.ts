// Traces of channels, decoded when they are first asked for.
import { decode } from "./codes";
import type { Channel, RawSpan, Host } from "./model";

// Lows, highs and means of equal stretches of time; `x` is the middle of each, in seconds.
export interface Trace {
  x: Float64Array;
  low: Float64Array;
  high: Float64Array;
  mean: Float64Array;
}

const cache = new WeakMap<Channel, Promise<Trace>>();

function times(host: Host, first: number, count: number, ticks: number): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < count; ++i) out[i] = host.timeOf(first + (i + 0.5) * ticks - 0.5);
  return out;
}

async function overview(host: Host, channel: Channel): Promise<Trace> {
  const index = host.index!;
  const x = times(host, 0, index.buckets, index.bucket_ticks);
  if (!channel.pyramid) {
    const flat = new Float64Array(index.buckets).fill(channel.constant ?? NaN);
    return { x, low: flat, high: flat, mean: flat };
  }
  const [offset, length] = channel.pyramid;
  const [low, high, mean] = await decode(
    host.samples.subarray(offset, offset + length),
    3,
    index.buckets,
    index.bits,
    channel.low!,
    channel.high!,
  );
  return { x, low: low!, high: high!, mean: mean! };
}

// Returns the whole run, in stretches.
export function traceOf(host: Host, channel: Channel): Promise<Trace> {
  if (host.series) return host.series.trace(channel.name, host.begin, host.end);
  let out = cache.get(channel);
  if (!out) {
    out = overview(host, channel);
    cache.set(channel, out);
  }
  return out;
}

async function everyTick(host: Host, rawSpan: RawSpan): Promise<Trace> {
  const [offset, length] = rawSpan.data;
  const [values] = await decode(
    host.samples.subarray(offset, offset + length),
    1,
    rawSpan.count,
    16,
    rawSpan.low,
    rawSpan.high,
  );
  const x = times(host, rawSpan.first_tick, rawSpan.count, 1);
  return { x, low: values!, high: values!, mean: values! };
}

// Returns the stretch from `begin` to `end` as finely as the page has it.
export async function traceAround(
  host: Host,
  number: number,
  begin: number,
  end: number,
): Promise<{ trace: Trace; exact: boolean }> {
  const channel = host.index!.channels[number]!;
  if (host.series) return { trace: await host.series.trace(channel.name, begin, end), exact: false };
  for (const rawSpan of host.rawSpans(number)) {
    const from = host.timeOf(rawSpan.first_tick);
    const to = host.timeOf(rawSpan.first_tick + rawSpan.count);
    if (from <= begin && end <= to) return { trace: await everyTick(host, rawSpan), exact: true };
  }
  return { trace: await traceOf(host, channel), exact: host.index!.bucket_ticks === 1 };
}

// Returns the trace without its missing stretches, in the form of uPlot: what is read every second
// has nine ticks of ten without a sample, and is a line all the same. Where three samples in a row
// are missing, the line is broken by a null.
export function joined(trace: Trace): [number[], ...(number | null)[][]] {
  const at: number[] = [];
  trace.mean.forEach((value, i) => {
    if (!Number.isNaN(value)) at.push(i);
  });
  const steps = at.slice(1).map((i, k) => i - at[k]!).sort((a, b) => a - b);
  const most = 3 * (steps[steps.length >> 1] ?? 1);
  const x: number[] = [];
  const series: (number | null)[][] = [[], [], []];
  at.forEach((i, k) => {
    if (k > 0 && i - at[k - 1]! > most) {
      x.push((trace.x[at[k - 1]!]! + trace.x[i]!) / 2);
      for (const one of series) one.push(null);
    }
    x.push(trace.x[i]!);
    series[0]!.push(trace.high[i]!);
    series[1]!.push(trace.low[i]!);
    series[2]!.push(trace.mean[i]!);
  });
  return [x, ...series];
}

export interface Usual {
  median: number;
  deviation: number; // 1.4826 median absolute deviations: a standard deviation, if it is normal
}

function middle(sorted: number[]): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export function usualOf(values: Iterable<number>): Usual | null {
  const known = [...values].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (known.length === 0) return null;
  const median = middle(known);
  const far = known.map((value) => Math.abs(value - median)).sort((a, b) => a - b);
  return { median, deviation: 1.4826 * middle(far) };
}

// What is usual of a trace outside the given spans.
export function usualOutside(trace: Trace, spans: { begin: number; end: number }[]): Usual | null {
  const rest: number[] = [];
  trace.mean.forEach((value, i) => {
    const x = trace.x[i]!;
    if (!spans.some((span) => x >= span.begin && x <= span.end)) rest.push(value);
  });
  return usualOf(rest.length > 0 ? rest : trace.mean);
}
