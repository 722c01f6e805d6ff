// When it happened: for each host a lane of findings, in the colors and letters of subsystems, and
// a lane of scores for each detector, as high as they come to its limit. Drag to pan, wheel or + and
// - to zoom, Home for all of it, a click chooses a finding.
import { canvas, color, h } from "./dom";
import type { Detector, Host, Incident } from "./model";
import { SHORT } from "./model";
import { clock, span } from "./text";
import type { View } from "./view";

const NAMES = 112; // pixels for the lanes' names
const LANE = 26;
const FINDINGS = 24;
const AXIS = 20;
const HEAD = 18; // a host's name, where there are several

interface Lane {
  host: Host;
  detector: Detector | null; // null: the findings
  top: number;
  height: number;
}

function lanesOf(hosts: Host[]): { lanes: Lane[]; height: number } {
  const lanes: Lane[] = [];
  let top = 0;
  for (const host of hosts) {
    if (hosts.length > 1) top += HEAD;
    lanes.push({ host, detector: null, top, height: FINDINGS });
    top += FINDINGS + 2;
    for (const detector of host.report.detectors) {
      lanes.push({ host, detector, top, height: LANE });
      top += LANE + 2;
    }
    top += 4;
  }
  return { lanes, height: top + AXIS };
}

// Steps of a time axis that people count in.
export function step(length: number, most: number): number {
  const steps = [0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600];
  return steps.find((one) => length / one <= most) ?? 86400;
}

export function timeline(hosts: Host[], incidents: Incident[], view: View): HTMLElement {
  const { lanes, height } = lanesOf(hosts);
  const flagged = new Map<Detector, Set<number>>();
  for (const host of hosts) {
    for (const one of host.report.detectors) flagged.set(one, new Set(one.windows_flagged));
  }

  const placed = (width: number) => {
    const left = width < 500 ? 64 : NAMES;
    const scale = (width - left - 8) / (view.end - view.begin);
    return { left, scale, x: (time: number) => left + (time - view.begin) * scale };
  };

  let drawn = 0; // flagged windows, in all lanes

  const drawFindings = (
    pen: CanvasRenderingContext2D,
    lane: Lane,
    x: (time: number) => number,
    left: number,
  ) => {
    for (const incident of incidents) {
      if (incident.host !== lane.host) continue;
      const from = Math.max(x(incident.begin), left);
      const wide = Math.max(x(incident.end) - from, 5);
      if (x(incident.end) < left) continue;
      const { subsystem } = incident.finding;
      pen.fillStyle = color(subsystem);
      pen.fillRect(from, lane.top + 2, wide, lane.height - 4);
      if (incident === view.chosen) {
        pen.strokeStyle = color("ink");
        pen.lineWidth = 2;
        pen.strokeRect(from, lane.top + 2, wide, lane.height - 4);
      }
      const text = SHORT[subsystem];
      if (pen.measureText(text).width + 6 < wide) {
        pen.fillStyle = color("on-color");
        pen.fillText(text, from + 4, lane.top + lane.height / 2);
      }
    }
  };

  const drawScores = (
    pen: CanvasRenderingContext2D,
    lane: Lane,
    x: (time: number) => number,
    left: number,
    scale: number,
  ) => {
    const detector = lane.detector!;
    const marks = flagged.get(detector)!;
    const limit = detector.alarm_limit ?? detector.contamination_limit ?? 0;
    const known = detector.scores.filter((score): score is number => score !== null);
    const highest = Math.max(limit * 1.25, Math.min(Math.max(...known, 0), limit * 3)) || 1;
    const floor = lane.top + lane.height;
    const stride = lane.host.report.configuration.stride_ns / 1e9;
    const { id } = lane.host.report.windows;
    const wide = Math.max(stride * scale, 1);
    // Several windows in one pixel: the highest is drawn.
    const columns = new Map<number, { score: number; mark: boolean }>();
    let seen = 0;
    detector.scores.forEach((score, i) => {
      const begin = lane.host.windowBegin(i);
      const at = Math.round(x(begin));
      if (score === null || begin > view.end || at + wide < left) return;
      const mark = marks.has(id[i]!);
      if (mark) ++seen;
      const old = columns.get(at);
      columns.set(at, {
        score: Math.max(score, old?.score ?? 0),
        mark: mark || (old?.mark ?? false),
      });
    });
    for (const mark of [false, true]) {
      pen.fillStyle = color(mark ? "alarm" : "bar");
      for (const [at, column] of columns) {
        if (column.mark !== mark) continue;
        const tall = (Math.min(column.score / highest, 1) * (lane.height - 2)) | 0;
        const from = Math.max(at, left);
        pen.fillRect(from, floor - tall, Math.max(Math.ceil(wide) - (wide > 4 ? 1 : 0), 1), tall);
      }
    }
    drawn += seen;
    pen.strokeStyle = color("limit");
    pen.setLineDash([3, 3]);
    pen.lineWidth = 1;
    const y = Math.round(floor - (limit / highest) * (lane.height - 2)) + 0.5;
    pen.beginPath();
    pen.moveTo(left, y);
    pen.lineTo(x(view.end), y);
    pen.stroke();
    pen.setLineDash([]);
  };

  const drawAxis = (pen: CanvasRenderingContext2D, x: (t: number) => number, width: number) => {
    const by = step(view.end - view.begin, width < 500 ? 4 : 10);
    pen.fillStyle = color("rule");
    pen.textAlign = "center";
    for (let time = Math.ceil(view.begin / by) * by; time <= view.end; time += by) {
      pen.fillRect(Math.round(x(time)), 0, 1, height - AXIS + 4);
    }
    pen.fillStyle = color("dim");
    for (let time = Math.ceil(view.begin / by) * by; time <= view.end; time += by) {
      const at = x(time);
      if (at + 26 < width) pen.fillText(clock(time, by < 1 ? 1 : 0), at, height - AXIS / 2 + 2);
    }
    pen.textAlign = "left";
  };

  const { element, redraw } = canvas(
    {
      class: "timeline",
      tabindex: 0,
      role: "img",
      style: `height:${height}px`,
      "aria-label":
        "Findings and scores over time. Arrows pan, plus and minus zoom, Home shows all, " +
        "n and p step through the findings.",
    },
    (pen, width) => {
      const { left, scale, x } = placed(width);
      pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
      pen.textBaseline = "middle";
      drawAxis(pen, x, width);
      drawn = 0;
      for (const lane of lanes) {
        pen.save();
        pen.beginPath();
        pen.rect(left, 0, width - left, height);
        pen.clip();
        if (lane.detector) drawScores(pen, lane, x, left, scale);
        else drawFindings(pen, lane, x, left);
        pen.restore();
        pen.fillStyle = color(lane.detector ? "dim" : "ink");
        const name = lane.detector?.label ?? "findings";
        pen.fillText(left < NAMES ? name.slice(0, 10) : name, 0, lane.top + lane.height / 2);
        if (!lane.detector && hosts.length > 1) {
          pen.font = `bold 12px ${getComputedStyle(document.body).fontFamily}`;
          pen.fillText(lane.host.name, 0, lane.top - HEAD / 2);
          pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
        }
      }
      element.dataset.flagged = String(drawn);
    },
  );
  view.onChange(redraw);

  const timeAt = (event: MouseEvent) => {
    const { left, scale } = placed(element.clientWidth);
    return view.begin + (event.offsetX - left) / scale;
  };
  const hit = (event: MouseEvent): Incident | undefined => {
    const lane = lanes.find((one) => event.offsetY >= one.top && event.offsetY <= one.top + one.height);
    if (!lane) return undefined;
    const time = timeAt(event);
    const near = 4 / placed(element.clientWidth).scale;
    return incidents.find(
      (one) => one.host === lane.host && time >= one.begin - near && time <= one.end + near,
    );
  };

  const tip = h("div", { class: "tip", hidden: true });
  let drag: { x: number; begin: number; end: number; moved: boolean } | null = null;
  element.addEventListener("pointerdown", (event) => {
    drag = { x: event.offsetX, begin: view.begin, end: view.end, moved: false };
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (drag) {
      const by = (drag.x - event.offsetX) / placed(element.clientWidth).scale;
      drag.moved = drag.moved || Math.abs(event.offsetX - drag.x) > 3;
      if (drag.moved) view.show(drag.begin + by, drag.end + by);
      return;
    }
    const incident = hit(event);
    tip.hidden = !incident;
    element.style.cursor = incident ? "pointer" : "grab";
    if (!incident) return;
    tip.textContent = `${clock(incident.begin)}, ${span(incident.end - incident.begin)}: ${incident.finding.claim}`;
    tip.style.left = `${Math.min(event.offsetX + 12, Math.max(element.clientWidth - 340, 0))}px`;
    tip.style.top = `${event.offsetY + 16}px`;
  });
  element.addEventListener("pointerleave", () => (tip.hidden = true));
  element.addEventListener("pointerup", (event) => {
    const clicked = drag && !drag.moved;
    drag = null;
    const incident = clicked ? hit(event) : undefined;
    if (incident) view.choose(incident);
  });
  element.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && Math.abs(event.deltaY) < Math.abs(event.deltaX)) {
        view.pan(event.deltaX / 1000);
      } else if (event.ctrlKey || event.shiftKey || document.activeElement === element) {
        view.zoom(Math.exp(event.deltaY / 400), timeAt(event));
      } else {
        return; // the page scrolls
      }
      event.preventDefault();
    },
    { passive: false },
  );
  element.addEventListener("keydown", (event) => {
    const order = [...incidents].sort((a, b) => a.begin - b.begin);
    const at = view.chosen ? order.indexOf(view.chosen) : -1;
    const act: Record<string, () => void> = {
      ArrowLeft: () => view.pan(-0.2),
      ArrowRight: () => view.pan(0.2),
      "+": () => view.zoom(0.6),
      "=": () => view.zoom(0.6),
      "-": () => view.zoom(1 / 0.6),
      Home: () => view.show(view.first, view.last),
      n: () => view.choose(order[Math.min(at + 1, order.length - 1)] ?? null),
      p: () => view.choose(order[Math.max(at - 1, 0)] ?? null),
    };
    const action = act[event.key];
    if (!action) return;
    action();
    event.preventDefault();
  });

  const button = (text: string, title: string, action: () => void) =>
    h("button", { type: "button", title, "aria-label": title, click: action }, text);
  return h(
    "section",
    { class: "when", id: "when" },
    h(
      "header",
      {},
      h("h2", {}, "When"),
      h("span", { class: "hint" }, "red: windows that the detector flags, above its limit (dashes)"),
      h(
        "span",
        { class: "tools" },
        button("−", "zoom out", () => view.zoom(1 / 0.6)),
        button("+", "zoom in", () => view.zoom(0.6)),
        button("all", "show the whole run", () => view.show(view.first, view.last)),
      ),
    ),
    h("div", { class: "canvas" }, element, tip),
  );
}
