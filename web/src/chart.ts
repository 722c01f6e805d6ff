// A trace over time, with what is usual as a band and findings shaded.
import uPlot from "uplot";
import { color, darkness, h } from "./dom";
import type { Host, Incident } from "./model";
import { clock, number, quantity } from "./text";
import { joined, type Trace, type Usual } from "./traces";
import type { View } from "./view";

// As short as an axis needs: its unit is in the caption.
export function tick(value: number, unit: string): string {
  if (unit === "ratio" || unit === "flag" || unit === "seconds" || unit.startsWith("bytes")) return quantity(value, unit);
  const size = Math.abs(value);
  if (size >= 1e9) return `${number(value / 1e9)} G`;
  if (size >= 1e6) return `${number(value / 1e6)} M`;
  return number(value);
}

interface Drawn {
  host: Host;
  name: string; // for those who do not see it
  unit: string;
  trace: Trace;
  usual: Usual | null;
  incidents: Incident[];
  view: View;
  begin: number;
  end: number;
  height: number;
}

function shade(plot: uPlot, drawn: Drawn): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const incident of drawn.incidents) {
    if (incident.host !== drawn.host) continue;
    const from = plot.valToPos(incident.begin, "x", true);
    const to = plot.valToPos(incident.end, "x", true);
    ctx.fillStyle = color(incident.finding.subsystem);
    ctx.globalAlpha = incident === drawn.view.chosen ? 0.22 : 0.1;
    ctx.fillRect(from, bbox.top, Math.max(to - from, 2), bbox.height);
  }
  ctx.globalAlpha = 1;
  if (drawn.usual) {
    const far = 3 * drawn.usual.deviation;
    const top = plot.valToPos(drawn.usual.median + far, "y", true);
    const bottom = plot.valToPos(drawn.usual.median - far, "y", true);
    ctx.fillStyle = color("band");
    ctx.fillRect(bbox.left, top, bbox.width, Math.max(bottom - top, 2));
  }
  ctx.restore();
}

function description({ name, unit, trace, begin, end }: Drawn): string {
  const inside = (_: number, i: number) => trace.x[i]! >= begin && trace.x[i]! <= end;
  const known = (value: number) => !Number.isNaN(value);
  const lows = trace.low.filter(inside).filter(known);
  const highs = trace.high.filter(inside).filter(known);
  if (lows.length === 0) return `${name}: no sample`;
  const least = lows.reduce((a, b) => Math.min(a, b));
  const most = highs.reduce((a, b) => Math.max(a, b));
  return `${name}: ${quantity(least, unit)} to ${quantity(most, unit)}`;
}

// Returns the element of a chart; it takes the width of where it is put.
export function chart(drawn: Drawn): HTMLElement {
  const holder = h("div", { class: "chart", role: "img", "aria-label": description(drawn), style: `height:${drawn.height}px` });
  const data = joined(drawn.trace);
  let plot: uPlot | null = null;
  let placed = false; // it has been on the page
  const make = () => {
    plot?.destroy();
    plot = null;
    placed ||= holder.isConnected;
    if (placed && !holder.isConnected) return forget();
    const width = holder.clientWidth;
    if (width === 0) return;
    const axis = { stroke: color("dim"), grid: { stroke: color("rule"), width: 1 }, ticks: { show: false } };
    plot = new uPlot(
      {
        width,
        height: drawn.height,
        padding: [6, 14, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: true, y: false }, points: { show: false } },
        tzDate: (time) => uPlot.tzDate(new Date(time * 1000), "Etc/UTC"),
        scales: { x: { time: true, min: drawn.begin, max: drawn.end } },
        axes: [
          { ...axis, size: 22, space: 80, values: (_, ticks) => ticks.map((one) => clock(one, drawn.end - drawn.begin < 10 ? 1 : 0)) },
          { ...axis, size: 78, space: 26, values: (_, ticks) => ticks.map((one) => tick(one, drawn.unit)) },
        ],
        series: [
          {},
          { stroke: "transparent", points: { show: false } },
          { stroke: "transparent", points: { show: false } },
          { stroke: color("line"), width: 1.3, points: { show: false } },
        ],
        bands: [{ series: [1, 2], fill: color("spread") }],
        hooks: {
          drawClear: [(self) => shade(self, drawn)],
          setCursor: [(self) => tell(self)],
        },
      },
      data as uPlot.AlignedData,
      holder,
    );
  };
  const reading = h("output", { class: "reading" });
  let follows = false; // another chart is pointed at
  const tell = (self: uPlot) => {
    const at = self.cursor.idx;
    const here = typeof at === "number" && self.cursor.left! >= 0;
    const value = here ? data[3]![at] : null;
    reading.textContent = typeof value === "number" ? `${clock(data[0][at!]!)} UTC: ${quantity(value, drawn.unit)}` : "";
    if (!follows) drawn.view.point(here ? self.posToVal(self.cursor.left!, "x") : null);
  };
  const follow = (time: number | null): boolean => {
    placed ||= holder.isConnected;
    if (placed && !holder.isConnected) return false;
    if (!plot) return true;
    if (plot.root.matches(":hover")) return true;
    const inside = time !== null && time >= drawn.begin && time <= drawn.end;
    follows = true;
    plot.setCursor({ left: inside ? plot.valToPos(time, "x") : -10, top: 10 });
    follows = false;
    return true;
  };
  drawn.view.onPoint(follow);
  const observer = new ResizeObserver(make);
  // A page may stay open for weeks, and makes charts all the time.
  const forget = () => {
    observer.disconnect();
    darkness.removeEventListener("change", make);
  };
  observer.observe(holder);
  darkness.addEventListener("change", make);
  holder.append(reading);
  return holder;
}

// A trace in a few pixels, without axes.
export function spark(pen: CanvasRenderingContext2D, width: number, height: number, trace: Trace): void {
  const [x, highs, lows] = joined(trace);
  if (x.length === 0) return;
  let low = Infinity;
  let high = -Infinity;
  for (const value of lows!) if (value !== null && value < low) low = value;
  for (const value of highs!) if (value !== null && value > high) high = value;
  const first = trace.x[0]!;
  const scale = width / (trace.x[trace.x.length - 1]! - first || 1);
  const y = (value: number) => height - 1.5 - ((value - low) / (high - low || 1)) * (height - 3);
  pen.fillStyle = pen.strokeStyle = color("line");
  pen.beginPath();
  let begun = false;
  x.forEach((time, i) => {
    const top = highs![i];
    const bottom = lows![i];
    if (typeof top !== "number" || typeof bottom !== "number") {
      begun = false;
      return;
    }
    const at = (time - first) * scale;
    if (begun) pen.lineTo(at, y(top));
    else pen.moveTo(at, y(top));
    pen.lineTo(at, y(bottom));
    begun = true;
  });
  pen.stroke();
}
