// One quantity over time: the lines of hosts that lie apart, with their names, over the median and the
// band of the middle nine tenths of all hosts.
import uPlot from "uplot";
import { tick } from "../chart";
import { color, darkness, h } from "../dom";
import { clock, quantity } from "../text";
import { letters, letterSize } from "./letters";
import { type Levels, type Second } from "./levels";

const HEIGHT = 230;
const SINGLE = 40; // hosts of which each has a line
export const NAMES = 110; // pixels for them

// Returns the pixels right of a picture of that width.
export const besides = (width: number): number => (width < 500 ? 14 : NAMES);

// Steps between lines across, for quantities that are told in KiB and the like.
const POWERS = Array.from({ length: 60 }, (_, power) => 2 ** power);

export interface Shown {
  host: number;
  name: string;
  slow: boolean; // an incident that is open names it
}

export class Lines {
  readonly element = h("div", { class: "chart lines", role: "img", style: `height:${HEIGHT}px` });
  private readonly reading = h("output", { class: "reading", "aria-hidden": "true" });
  private plot: uPlot | null = null;
  private made = ""; // what it was made for
  private levels: Levels | null = null;
  private shown: Shown[] = [];
  private unit = "";

  constructor(private readonly point: (second: number | null) => void) {
    this.element.append(this.reading);
    new ResizeObserver(() => this.draw(true)).observe(this.element);
    darkness.addEventListener("change", () => this.draw(true));
  }

  show(levels: Levels, shown: Shown[], unit: string, phrase: string): void {
    this.levels = levels;
    this.shown = shown;
    this.unit = unit;
    this.draw(false);
    this.element.setAttribute("aria-label", this.description(phrase));
  }

  private draw(anew: boolean): void {
    const { levels } = this;
    if (!levels || this.element.clientWidth === 0) return;
    const all = levels.hosts <= SINGLE;
    const made = `${this.unit} ${levels.hosts} ${this.shown.map((one) => `${one.host}${one.slow}`).join()}`;
    if (anew || !this.plot || made !== this.made) this.make(all);
    this.made = made;
    const { seconds } = levels;
    const end = seconds[seconds.length - 1]?.begin ?? Date.now() / 1000;
    const line = (host: number) => seconds.map((one) => known(one.levels[host]!));
    const hosts = all ? Array.from({ length: levels.hosts }, (_, host) => line(host)) : [];
    const told = (value: (one: Second) => number) => seconds.map((one) => known(value(one)));
    this.plot!.batch(() => {
      this.plot!.setData(
        [seconds.map((one) => one.begin), told((one) => one.high), told((one) => one.low), told((one) => one.median), ...hosts, ...this.shown.map((one) => line(one.host))] as uPlot.AlignedData,
        false,
      );
      this.plot!.setScale("x", { min: end - levels.span() + 1, max: end });
    });
  }

  private make(all: boolean): void {
    this.plot?.destroy();
    const axis = { stroke: color("dim"), grid: { stroke: color("rule"), width: 1 }, ticks: { show: false } };
    const hidden = { stroke: "transparent", points: { show: false } };
    const thin = { stroke: color("spread"), width: 1, points: { show: false } };
    const hosts = all ? Array.from({ length: this.levels!.hosts }, () => thin) : [];
    this.plot = new uPlot(
      {
        width: this.element.clientWidth,
        height: HEIGHT,
        padding: [8, this.names(), 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        tzDate: (time) => uPlot.tzDate(new Date(time * 1000), "Etc/UTC"),
        scales: { x: { time: true }, y: { range: (_, low, high) => rangeOf(low, high) } },
        axes: [
          { ...axis, size: 22, space: 80, values: (_, ticks) => ticks.map((one) => clock(one, 0)) },
          { ...axis, size: 78, space: 26, ...(this.unit.startsWith("bytes") ? { incrs: POWERS } : {}), values: (_, ticks) => ticks.map((one) => tick(one, this.unit)) },
        ],
        series: [
          {}, hidden, hidden,
          { stroke: color("limit"), width: 1.5, dash: [4, 3], points: { show: false } },
          ...hosts,
          ...this.shown.map((one) => ({ stroke: color(one.slow ? "alarm" : "line"), width: one.slow ? 2.2 : 1.3, points: { show: false } })),
        ],
        bands: [{ series: [1, 2], fill: color("band") }],
        hooks: { draw: [(self) => this.drawNames(self)], setCursor: [(self) => this.tell(self)] },
      },
      [[], [], [], []],
      this.element,
    );
  }

  private names(): number {
    return besides(this.element.clientWidth);
  }

  // Names the lines at their ends, none over another.
  private drawNames(plot: uPlot): void {
    if (this.names() !== NAMES || !this.levels) return;
    const last = this.levels.last();
    if (!last) return;
    const { ctx, bbox } = plot;
    const ratio = window.devicePixelRatio || 1;
    const ends = [...this.shown.map((one) => ({ text: one.name, value: last.levels[one.host]!, slow: one.slow })), { text: "median", value: last.median, slow: false }]
      .filter((one) => !Number.isNaN(one.value))
      .map((one) => ({ ...one, y: plot.valToPos(one.value, "y", true) }))
      .sort((a, b) => a.y - b.y);
    const least = letterSize() * 1.1 * ratio;
    ends.forEach((one, i) => {
      if (i > 0) one.y = Math.max(one.y, ends[i - 1]!.y + least);
    });
    // What was pushed below the picture goes up again.
    for (let i = ends.length - 1, most = bbox.top + bbox.height; i >= 0; --i, most -= least) ends[i]!.y = Math.min(ends[i]!.y, most);
    ctx.save();
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (const one of ends) {
      ctx.font = letters(one.slow ? "600" : "", ratio);
      ctx.fillStyle = color(one.slow ? "alarm" : one.text === "median" ? "dim" : "ink");
      ctx.fillText(one.text, bbox.left + bbox.width + 6 * ratio, one.y, (NAMES - 8) * ratio);
    }
    ctx.restore();
  }

  private tell(plot: uPlot): void {
    const at = plot.cursor.idx;
    const second = typeof at === "number" && plot.cursor.left! >= 0 ? this.levels?.seconds[at] : undefined;
    this.point(second ? second.begin : null);
    const lead = this.shown[0];
    const host = lead && second ? `${lead.name} ${quantity(second.levels[lead.host], this.unit)}; ` : "";
    this.reading.textContent = second ? `${clock(second.begin, 0)} UTC: ${host}median ${quantity(second.median, this.unit)}` : "";
  }

  private description(phrase: string): string {
    const last = this.levels?.last();
    if (!last) return `${phrase}: no second yet`;
    const hosts = this.shown.map((one) => `${one.name} ${quantity(last.levels[one.host], this.unit)}`).join(", ");
    const band = `nine tenths of the others lie between ${quantity(last.low, this.unit)} and ${quantity(last.high, this.unit)}, the median is ${quantity(last.median, this.unit)}`;
    return `${phrase} at ${clock(last.begin, 0)} UTC: ${band}${hosts ? `; ${hosts}` : ""}`;
  }
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

// Returns a scale with a little room; of a quantity that does not move, too.
function rangeOf(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low >= 0 ? Math.max(low - room, 0) : low - room, high + room];
}
