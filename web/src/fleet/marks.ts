// How far each host of a group lies from its peers, a byte each, as the stream tells it: 0 is a host
// that is not compared, 255 one that is slow now, and what is between says how far its farthest
// quantity lies, in limits, on a scale of logarithms.
import { fromBase64 } from "../codes";
import { color } from "../dom";
import { number } from "../text";

export const ABSENT = 0;
export const UNKNOWN = 1; // how far it lies is not known yet, or it is next to nothing
export const SLOW = 255;
export const LIMIT = 128; // the mark of a host at its limit
const DOUBLE = 24; // that many more are twice as far

// Returns how far, in limits; 1 is the limit itself.
export function limitsOf(mark: number): number {
  return 2 ** ((mark - LIMIT) / DOUBLE);
}

export function markWords(mark: number): string {
  if (mark === ABSENT) return "not compared";
  if (mark === SLOW) return "slow";
  if (mark === UNKNOWN) return "as its peers, as far as it is known";
  const limits = limitsOf(mark);
  if (limits < 0.1) return "as its peers";
  const far = number(Number(limits.toPrecision(2)));
  return mark < LIMIT ? `as its peers (${far} of the limit)` : `${far} times the limit from its peers, but not slow`;
}

// Takes what the stream tells of a group. Returns which hosts changed, "all", or null if there is
// nothing to know yet.
export function takeMarks(known: Uint8Array | null, marks?: string, changes?: string): { marks: Uint8Array; changed: "all" | number[] } | null {
  if (marks !== undefined) return { marks: fromBase64(marks), changed: "all" };
  if (!known) return null;
  const changed: number[] = [];
  const pairs = changes ? fromBase64(changes) : new Uint8Array();
  for (let i = 0; i + 2 < pairs.length; i += 3) {
    const at = pairs[i]! + 256 * pairs[i + 1]!;
    if (at >= known.length) continue;
    known[at] = pairs[i + 2]!;
    changed.push(at);
  }
  return { marks: known, changed };
}

function parts(name: string): Rgb {
  const value = parseInt(color(name).slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

type Rgb = [number, number, number];

function between(from: Rgb, to: Rgb, part: number): Rgb {
  return from.map((one, i) => Math.round(one + (to[i]! - one) * part)) as Rgb;
}

// Returns how light a color is, as WCAG 2 has it.
function light(rgb: Rgb): number {
  const [r, g, b] = rgb.map((one) => (one <= 10 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

export interface CellColor {
  fill: string;
  letters: string; // that are read well on it
}

function cellColor(rgb: Rgb): CellColor {
  const contrast = (name: string) => {
    const [a, b] = [light(rgb), light(parts(name))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const letters = contrast("ink") >= contrast("on-color") ? "ink" : "on-color";
  return { fill: `rgb(${rgb.join(" ")})`, letters: color(letters) };
}

// Returns the color of each mark: calm ones alike, from half a limit on darker, and those of slow
// hosts unlike all others.
export function markColors(): CellColor[] {
  const [calm, apart, beyond] = [parts("calm"), parts("apart"), parts("beyond")];
  const half = LIMIT - DOUBLE;
  return Array.from({ length: 256 }, (_, mark) => {
    if (mark === SLOW) return cellColor(parts("alarm"));
    if (mark <= half) return cellColor(between(calm, apart, (0.25 * mark) / half));
    if (mark < LIMIT) return cellColor(between(calm, apart, 0.25 + (0.75 * (mark - half)) / DOUBLE));
    return cellColor(between(apart, beyond, Math.min((mark - LIMIT) / (2 * DOUBLE), 1)));
  });
}
