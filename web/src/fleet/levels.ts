// The levels of one quantity on all hosts of a group, second by second: decoded from the codes of the
// wire format (docs/wire_format.md), with the median and the middle nine tenths of each second.
import { fromBase64 } from "../codes";
import { timeOf, type LevelsAnswer } from "./api";

export const KEPT = 300; // seconds
const SHORTEST = 60; // seconds of a picture
const NONE = 32_767; // a code: no level
const UNKNOWN = 0xffff; // the same, as the analyser writes it
const LARGEST = 16_319; // magnitude of a level's bits

// Returns the level of each code, as the 16 bits of a number of two's complement.
export function levelsByCode(floor: number): Float32Array {
  const out = new Float32Array(65_536).fill(NaN);
  const bits = new Uint32Array(out.buffer);
  for (let code = 1; code - 1 + floor <= LARGEST && code < NONE; ++code) {
    const magnitude = (code - 1 + floor) * 131_072;
    bits[code] = magnitude;
    bits[65_536 - code] = magnitude + 0x8000_0000;
  }
  out[0] = 0;
  out[UNKNOWN] = NaN;
  return out;
}

export interface Second {
  begin: number;
  levels: Float32Array; // by host; NaN: none
  low: number; // 5 % of those that are not left out lie below
  median: number; // of all
  high: number; // 5 % lie above
}

export const FEW = 200; // hosts of which those that lie apart would widen the band

// Returns a quantile of sorted numbers, between the two nearest ones.
function quantile(sorted: Float32Array, part: number): number {
  if (sorted.length === 0) return NaN;
  const at = part * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  return below + (sorted[Math.ceil(at)]! - below) * (at % 1);
}

// Returns them in order, without those that are not known.
function inOrder(levels: Float32Array): Float32Array {
  const sorted = levels.slice().sort(); // NaN last
  let known = sorted.length;
  while (known > 0 && Number.isNaN(sorted[known - 1])) --known;
  return sorted.subarray(0, known);
}

export function secondOf(begin: number, levels: Float32Array): Second {
  const told = inOrder(levels);
  return { begin, levels, low: quantile(told, 0.05), median: quantile(told, 0.5), high: quantile(told, 0.95) };
}

const PATIENCE = 12; // ms of work before the page gets its turn

// The last minutes of a quantity.
export class Levels {
  seconds: Second[] = [];
  hosts = 0;
  private out: number[] = []; // hosts that are left out of the bands
  private byCode = new Float32Array();
  private floor = -1;

  // Takes seconds that are newer than those here. Gives the page its turn in between: the first
  // answer of a large group is millions of levels.
  async take(answer: LevelsAnswer): Promise<void> {
    if (answer.hosts !== this.hosts) this.seconds = [];
    this.hosts = answer.hosts;
    if (answer.floor !== this.floor) {
      this.floor = answer.floor;
      this.byCode = levelsByCode(answer.floor);
    }
    const bytes = fromBase64(answer.codes);
    const codes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const seconds = Math.min(answer.seconds, Math.floor(bytes.length / 2 / Math.max(answer.hosts, 1)));
    const first = answer.begin === undefined ? 0 : Math.round(timeOf(answer.begin));
    let since = performance.now();
    for (let s = 0; s < seconds; ++s) {
      if (first + s <= (this.last()?.begin ?? -1)) continue;
      const levels = new Float32Array(answer.hosts);
      for (let host = 0; host < levels.length; ++host) levels[host] = this.byCode[codes.getUint16(2 * (s * levels.length + host), true)]!;
      const second = secondOf(first + s, levels);
      if (this.out.length > 0) this.narrow(second);
      this.seconds.push(second);
      if (performance.now() - since < PATIENCE) continue;
      await new Promise((done) => setTimeout(done));
      since = performance.now();
    }
    if (this.seconds.length > KEPT) this.seconds.splice(0, this.seconds.length - KEPT);
  }

  last(): Second | undefined {
    return this.seconds[this.seconds.length - 1];
  }

  // Leaves hosts out of the bands. Among thousands a few make no difference.
  leaveOut(hosts: number[]): void {
    if (this.hosts > FEW || hosts.join() === this.out.join()) return;
    this.out = hosts;
    this.seconds.forEach((one) => this.narrow(one));
  }

  private narrow(second: Second): void {
    const told = inOrder(second.levels.filter((_, host) => !this.out.includes(host)));
    second.low = quantile(told, 0.05);
    second.high = quantile(told, 0.95);
  }

  // Returns the usual width of the bands.
  width(): number {
    const widths = this.seconds.map((one) => one.high - one.low).filter((one) => !Number.isNaN(one));
    return quantile(Float32Array.from(widths).sort(), 0.5) || 0;
  }

  // Returns the seconds of a picture of them; at least a minute, so that the first ones are no bars.
  span(): number {
    const length = this.seconds.length === 0 ? 0 : this.last()!.begin - this.seconds[0]!.begin + 1;
    return Math.min(Math.max(length, SHORTEST), KEPT);
  }

  // Returns how far each host lies from the median, on average over the last seconds; NaN: not known.
  distances(over: number): Float64Array {
    const out = new Float64Array(this.hosts).fill(NaN);
    const seconds = this.seconds.slice(-over);
    for (let host = 0; host < this.hosts; ++host) {
      let sum = 0;
      let known = 0;
      for (const { levels, median } of seconds) {
        const level = levels[host]!;
        if (Number.isNaN(level)) continue;
        sum += level - median;
        ++known;
      }
      if (known > 0) out[host] = sum / known;
    }
    return out;
  }
}
