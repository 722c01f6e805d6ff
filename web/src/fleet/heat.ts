// One quantity of all hosts over time as a map: a row a host, or the farthest of some hosts where
// there are more hosts than rows; the farther from the median of the second, the darker.
import { color, darkness, h } from "../dom";
import { clock, quantity } from "../text";
import { shortName } from "./api";
import { letters, letterSize } from "./letters";
import { type Levels, type Second } from "./levels";
import { besides } from "./lines";

const TALLEST = 320; // pixels
const ROW = { least: 2, most: 16 };
const PALE = 0.08;
const LEFT = 78; // as the axis of the lines above

interface HeatListener {
  name(host: number): string;
  isSlow(host: number): boolean;
  open(host: number): void;
}

// Returns the host of a row that lies farthest from the median, of `hosts` by `by` in a row.
function farthest(second: Second, row: number, by: number): number {
  let best = row * by;
  let most = -1;
  for (let host = row * by; host < Math.min((row + 1) * by, second.levels.length); ++host) {
    const far = Math.abs(second.levels[host]! - second.median);
    if (far > most) [best, most] = [host, far];
  }
  return best;
}

export class Heat {
  readonly element: HTMLElement;
  private levels: Levels | null = null;
  private unit = "";
  private pointed: { row: number; second: Second } | null = null;
  private columns: { second: Second; far: Float32Array }[] = []; // signed distances by row
  private by = 1; // hosts a row
  private readonly picture: HTMLCanvasElement;
  private readonly reading = h("output", { class: "hint reading-line", "aria-hidden": "true" });

  constructor(private readonly listener: HeatListener) {
    this.picture = h("canvas", { class: "heat", role: "img" });
    this.element = h("div", {}, this.picture, this.reading);
    this.picture.addEventListener("pointermove", (event) => this.point(event));
    this.picture.addEventListener("pointerleave", () => this.point(null));
    this.picture.addEventListener("click", () => {
      if (this.pointed) listener.open(farthest(this.pointed.second, this.pointed.row, this.by));
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
    darkness.addEventListener("change", () => this.draw());
  }

  show(levels: Levels, unit: string, phrase: string): void {
    const by = Math.ceil(levels.hosts / (TALLEST / ROW.least));
    if (levels !== this.levels || by !== this.by) this.columns = [];
    this.levels = levels;
    this.by = Math.max(by, 1);
    this.unit = unit;
    this.picture.setAttribute("aria-label", `${phrase} of each host over time: the darker, the farther from the median. The lines above have those that lie apart.`);
    this.draw();
  }

  private rows(): number {
    return Math.ceil((this.levels?.hosts ?? 0) / this.by);
  }

  // Returns the pixels of the time, which is that of the lines above.
  private wide(): number {
    const width = this.element.clientWidth;
    return width - LEFT - besides(width);
  }

  private rowHeight(): number {
    return Math.min(Math.max(Math.floor(TALLEST / Math.max(this.rows(), 1)), ROW.least), ROW.most);
  }

  // Has the distances of each second, of which only the new ones are computed.
  private fill(): void {
    const seconds = this.levels!.seconds;
    const first = seconds[0]?.begin ?? 0;
    this.columns = this.columns.filter((one) => one.second.begin >= first);
    const last = this.columns[this.columns.length - 1]?.second.begin ?? -1;
    for (const second of seconds) {
      if (second.begin <= last) continue;
      const far = Float32Array.from({ length: this.rows() }, (_, row) => second.levels[farthest(second, row, this.by)]! - second.median);
      this.columns.push({ second, far });
    }
  }

  private draw(): void {
    if (!this.levels) return;
    const width = this.element.clientWidth;
    if (width === 0) return;
    this.fill();
    const height = this.rows() * this.rowHeight();
    const ratio = window.devicePixelRatio || 1;
    const pen = this.picture.getContext("2d");
    if (!pen) return;
    this.picture.style.height = `${height}px`;
    this.picture.width = Math.round(width * ratio);
    this.picture.height = Math.round(height * ratio);
    pen.imageSmoothingEnabled = false;
    const map = this.map();
    if (map) pen.drawImage(map, LEFT * ratio, 0, this.wide() * ratio, height * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawNames(pen);
  }

  private drawNames(pen: CanvasRenderingContext2D): void {
    const tall = this.rowHeight();
    pen.font = letters();
    pen.textBaseline = "middle";
    const each = Math.max(Math.ceil((1.1 * letterSize()) / tall), 1);
    // All, or some of many for the way.
    const by = each === 1 ? 1 : Math.max(each, Math.ceil(this.rows() / 10));
    for (let row = 0; row < this.rows(); row += by) {
      const name = shortName(this.listener.name(row * this.by));
      pen.fillStyle = color(each === 1 && this.listener.isSlow(row) ? "alarm" : "dim");
      pen.fillText(name, 0, Math.max(row * tall + tall / 2, 6), LEFT - 8);
    }
  }

  // Returns the map, a pixel a row and second.
  private map(): HTMLCanvasElement | null {
    const rows = this.rows();
    const end = this.levels!.last()?.begin;
    if (rows === 0 || end === undefined) return null;
    const span = this.levels!.span();
    // Of hosts that do alike, no map looks like an alarm.
    let most = 3 * this.levels!.width() || Number.MIN_VALUE;
    for (const { far } of this.columns) for (const one of far) if (Math.abs(one) > most) most = Math.abs(one);
    const out = h("canvas", { width: span, height: rows });
    const pen = out.getContext("2d")!;
    const image = pen.createImageData(span, rows);
    const [above, below] = [rgb("alarm"), rgb("cpu")];
    for (const { second, far } of this.columns) {
      const x = second.begin - end + span - 1;
      if (x < 0) continue;
      for (let row = 0; row < rows; ++row) {
        const value = far[row]!;
        const at = 4 * (row * span + x);
        // What is told and does not differ is pale, so that it is not taken for a gap.
        const part = Number.isNaN(value) ? 0 : Math.max(Math.abs(value) / most, PALE);
        const [r, g, b] = part <= PALE ? rgb("limit") : value > 0 ? above : below;
        image.data[at] = r!;
        image.data[at + 1] = g!;
        image.data[at + 2] = b!;
        image.data[at + 3] = Math.round(255 * part);
      }
    }
    pen.putImageData(image, 0, 0);
    return out;
  }

  private point(event: MouseEvent | null): void {
    this.pointed = null;
    const end = this.levels?.last()?.begin;
    if (event && end !== undefined) {
      const row = Math.floor(event.offsetY / this.rowHeight());
      const part = (event.offsetX - LEFT) / this.wide();
      const time = Math.floor(end - this.levels!.span() + 1 + part * this.levels!.span());
      const second = part < 0 || part > 1 ? undefined : this.levels!.seconds.find((one) => one.begin === time);
      if (second && row >= 0 && row < this.rows()) this.pointed = { row, second };
    }
    this.picture.classList.toggle("hit", this.pointed !== null);
    this.reading.textContent = this.pointed ? this.words(this.pointed.row, this.pointed.second) : "";
  }

  private words(row: number, second: Second): string {
    const host = farthest(second, row, this.by);
    const among = this.by > 1 ? `, the farthest of ${this.by}` : "";
    return `${clock(second.begin, 0)} UTC: ${this.listener.name(host)}${among}: ${quantity(second.levels[host], this.unit)} (median ${quantity(second.median, this.unit)})`;
  }
}

const known = new Map<string, number[]>();
darkness.addEventListener("change", () => known.clear());

function rgb(name: string): number[] {
  let out = known.get(name);
  if (!out) {
    const value = parseInt(color(name).slice(1), 16);
    out = [value >> 16, (value >> 8) & 255, value & 255];
    known.set(name, out);
  }
  return out;
}
