// How much of the time the key resources of each host were how busy (cumulative distributions, as of
// the paper's appendix G.2), and where a host differs from its peers.
import { canvas, color, h, whenSeen } from "./dom";
import type { Host } from "./model";
import { quantity, share } from "./text";
import { traceOf } from "./traces";

// Looked for in this order; those that are there are shown.
const KEY = [
  "cpu_busy_ratio",
  "gpu_busy_ratio",
  "gpu_power_watts",
  "memory_used_ratio",
  "memory_available_bytes",
  "network_receive_bytes_total",
  "network_received_bytes_total",
  "network_transmit_bytes_total",
  "network_sent_bytes_total",
  "storage_busy_ratio",
  "storage_io_seconds_total",
  "cpu_pressure_some_ratio",
  "io_pressure_some_ratio",
];
const MOST = 6;

interface Curve {
  host: Host;
  name: string;
  sorted: number[];
}

async function curvesOf(hosts: Host[], metric: string): Promise<{ unit: string; label: string; curves: Curve[] } | null> {
  const curves: Curve[] = [];
  let unit = "";
  let label = metric;
  for (const host of hosts) {
    const all = (host.index?.channels ?? []).filter((one) => one.metric === metric && one.pyramid);
    // The host as a whole where there is such a channel, else the busiest instance.
    const chosen = all.find((one) => !one.instance) ?? all.sort((a, b) => (b.high ?? 0) - (a.high ?? 0))[0];
    if (!chosen) continue;
    const trace = await traceOf(host, chosen);
    const sorted = [...trace.mean].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
    unit = chosen.unit;
    label = chosen.label || metric;
    curves.push({ host, name: chosen.name, sorted });
  }
  return curves.length > 0 ? { unit, label, curves } : null;
}

// The host whose median lies farthest from the others', if it stands out among at least three.
function outlier(curves: Curve[]): Curve | null {
  if (curves.length < 3) return null;
  const medians = curves.map(({ sorted }) => sorted[sorted.length >> 1]!);
  const order = [...medians].sort((a, b) => a - b);
  const middle = order[order.length >> 1]!;
  const far = medians.map((one) => Math.abs(one - middle));
  const spread = [...far].sort((a, b) => a - b)[far.length >> 1]!;
  const most = far.indexOf(Math.max(...far));
  return far[most]! > Math.max(6 * spread, 0.05 * Math.abs(middle)) ? curves[most]! : null;
}

function figure(unit: string, label: string, curves: Curve[]): HTMLElement {
  const low = Math.min(...curves.map(({ sorted }) => sorted[0]!));
  const high = Math.max(...curves.map(({ sorted }) => sorted[sorted.length - 1]!));
  const outlying = outlier(curves);
  const { element } = canvas({ class: "cdf", role: "img", "aria-label": `${label}: from ${quantity(low, unit)} to ${quantity(high, unit)}` }, (pen, width, height) => {
    const x = (value: number) => 4 + ((value - low) / (high - low || 1)) * (width - 8);
    const y = (part: number) => height - 16 - part * (height - 22);
    pen.fillStyle = color("rule");
    for (const part of [0, 0.5, 1]) pen.fillRect(0, Math.round(y(part)), width, 1);
    for (const curve of curves) {
      pen.strokeStyle = curve === outlying ? color("alarm") : color("line");
      pen.lineWidth = curve === outlying ? 2.5 : 1.2;
      pen.beginPath();
      curve.sorted.forEach((value, i) => pen.lineTo(x(value), y((i + 1) / curve.sorted.length)));
      pen.stroke();
    }
    pen.fillStyle = color("dim");
    pen.font = `10px ${getComputedStyle(document.body).fontFamily}`;
    pen.fillText(quantity(low, unit), 2, height - 4);
    pen.textAlign = "right";
    pen.fillText(quantity(high, unit), width - 2, height - 4);
  });
  const first = curves[0]!;
  const at = (part: number) => quantity(first.sorted[Math.floor(part * (first.sorted.length - 1))]!, unit);
  return h(
    "figure",
    { class: "trace" },
    h("figcaption", {}, h("b", {}, label), outlying ? h("span", { class: "warn" }, `${outlying.host.name} differs`) : null),
    element,
    curves.length === 1
      ? h("p", { class: "hint" }, `half of the time at most ${at(0.5)}, ${share(0.95)} at most ${at(0.95)}`)
      : null,
  );
}

export function resources(hosts: Host[]): HTMLElement {
  const out = h("div", { class: "cdfs" });
  const section = h("section", { id: "resources" }, h("h2", {}, "Resources"), h("p", { class: "hint" }, "Share of the time (upwards) in which a resource was at most so busy (to the right)."), out);
  whenSeen(section, () => {
    void (async () => {
      for (const metric of KEY) {
        if (out.childElementCount >= MOST) break;
        const found = await curvesOf(hosts, metric);
        if (found) out.append(figure(found.unit, found.label, found.curves));
      }
      section.hidden = out.childElementCount === 0;
    })();
  });
  return section;
}
