// The last hours: findings, how strong the windows were, and which subsystems were at fault.
import { canvas, color, h } from "../dom";
import type { Incident, Subsystem } from "../model";
import { SHORT, SUBSYSTEMS } from "../model";
import { clock, share, span } from "../text";
import { step } from "../timeline";
import type { View } from "../view";
import type { Past, WindowEvent } from "./api";
import { strengthText } from "./state";

const NAMES = 70; // pixels for the lanes' names
const FINDINGS = { top: 2, height: 18 };
const STRENGTH = { top: 26, height: 64 };
const SHARES = { top: 96, height: 40 };
const HEIGHT = 158;
const MOST = 1.5; // strength at the top of its lane
const LONGEST = 6 * 3600; // seconds
const TOGETHER = 10; // seconds of windows that are one bar
const LINES = 8; // pixels between lines across what was not judged
const UNJUDGED = "not judged";

interface Stretch {
  begin: number;
  length: number;
  strength: number;
  shares: number[]; // by SUBSYSTEMS
}

const RANGES: [string, number, string][] = [
  ["15 min", 900, "15 minutes"],
  ["1 h", 3600, "hour"],
  ["6 h", LONGEST, "six hours"],
];

export class Strip {
  readonly element: HTMLElement;
  private stretches: Stretch[] = [];
  private range = 900;
  private readonly redraw: () => void;
  private readonly picture: HTMLCanvasElement;
  private readonly tip = h("output", { class: "hint reading-line" });

  constructor(
    private readonly view: View,
    private readonly incidents: () => Incident[],
    choose: (incident: Incident) => void,
  ) {
    const { element, redraw } = canvas(
      { class: "timeline live", role: "img", style: `height:${HEIGHT}px`, "aria-label": "Findings and strength over time" },
      (pen, width) => this.draw(pen, width),
    );
    this.picture = element;
    this.redraw = redraw;
    element.addEventListener("pointermove", (event) => view.point(this.timeAt(event.offsetX)));
    element.addEventListener("pointerleave", () => view.point(null));
    element.addEventListener("click", (event) => {
      const time = this.timeAt(event.offsetX);
      const near = (4 * this.range) / element.clientWidth;
      const hit = time === null ? undefined : incidents().find((one) => time >= one.begin - near && time <= one.end + near);
      if (hit) choose(hit);
    });
    view.onPoint(() => {
      this.point();
      return true;
    });
    view.onChange(() => this.redraw());
    const title = h("h2", {}, `The last ${RANGES[0]![2]}`);
    const buttons = RANGES.map(([text, seconds, words]) => {
      const button = h("button", { type: "button", "aria-pressed": String(seconds === this.range) }, text);
      button.addEventListener("click", () => {
        this.range = seconds;
        title.textContent = `The last ${words}`;
        buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
        this.show();
      });
      return button;
    });
    this.element = h(
      "section",
      { class: "when", id: "when" },
      h("header", {}, title, this.tip, h("span", { class: "tools" }, ...buttons)),
      h("div", { class: "canvas" }, element),
    );
  }

  // Takes what the agent knows of the past. What was before that is known here alone, if the agent has
  // begun anew.
  begin(past: Past): void {
    const place = SUBSYSTEMS.map((name) => past.subsystems.indexOf(name));
    const first = past.stretches[0]?.[0] ?? Infinity;
    const before = this.stretches.filter((one) => one.begin + one.length <= first);
    const told = past.stretches.map(([begin, strength, ...shares]) => ({
      begin: begin!,
      length: past.stretch_seconds,
      strength: strength!,
      shares: place.map((i) => shares[i] ?? 0),
    }));
    this.stretches = [...before, ...told];
    this.show();
  }

  window(event: WindowEvent): void {
    const last = this.stretches[this.stretches.length - 1];
    const end = event.end ? Date.parse(event.end) / 1000 : NaN;
    if (event.strength !== undefined && end > (last ? last.begin + last.length : 0)) {
      const shares = SUBSYSTEMS.map((name) => event.subsystem_shares?.[name] ?? 0);
      this.add({ begin: end - 1, length: 1, strength: event.strength, shares });
    }
    const oldest = Date.now() / 1000 - LONGEST;
    while (this.stretches.length > 0 && this.stretches[0]!.begin < oldest) this.stretches.shift();
    this.show();
  }

  // The strongest window of each ten seconds, as the agent tells the past.
  private add(one: Stretch): void {
    const last = this.stretches[this.stretches.length - 1];
    const together = last && one.begin - last.begin < TOGETHER && one.begin - last.begin - last.length < 2;
    if (!last || !together) {
      this.stretches.push(one);
      return;
    }
    last.length = one.begin + one.length - last.begin;
    if (one.strength <= last.strength) return;
    last.strength = one.strength;
    last.shares = one.shares;
  }

  private show(): void {
    const last = this.stretches[this.stretches.length - 1];
    const now = last ? last.begin + last.length : Date.now() / 1000;
    this.view.cover(now - this.range, now);
    this.picture.dataset.stretches = String(this.stretches.length);
    const unjudged = this.unjudged().reduce((sum, [from, to]) => sum + to - from, 0);
    this.picture.dataset.unjudged = unjudged.toFixed(0); // seconds
    const strongest = this.shown().reduce((most, one) => Math.max(most, one.strength), 0);
    const strength = this.shown().length === 0
      ? "no window was judged yet"
      : `strength at most ${strengthText(strongest)}; from 1 on there is an alarm` +
        (unjudged > 0 ? `; ${span(unjudged)} not judged` : "");
    const findings = this.incidents().filter((one) => one.end >= this.view.begin).length;
    this.picture.setAttribute(
      "aria-label",
      `The last ${span(this.range)}: ${findings} findings, ${strength}.`,
    );
  }

  private shown(): Stretch[] {
    return this.stretches.filter((one) => one.begin + one.length >= this.view.begin);
  }

  // Returns the times without a verdict, in order: before the first window, and where the agent learned
  // anew or missed too much.
  private unjudged(): [number, number][] {
    const out: [number, number][] = [];
    let from = this.view.begin;
    for (const one of this.shown()) {
      if (one.begin - from > TOGETHER) out.push([from, one.begin]);
      from = one.begin + one.length;
    }
    if (this.view.end - from > TOGETHER) out.push([from, this.view.end]);
    return out;
  }

  private x(time: number, width: number): number {
    return NAMES + ((time - this.view.begin) / this.range) * (width - NAMES - 4);
  }

  private timeAt(x: number): number | null {
    const part = (x - NAMES) / (this.picture.clientWidth - NAMES - 4);
    return part < 0 || part > 1 ? null : this.view.begin + part * this.range;
  }

  private point(): void {
    const time = this.view.pointed;
    const one = time === null ? undefined : this.stretches.find((at) => time >= at.begin && time < at.begin + at.length);
    const most = one ? SUBSYSTEMS[one.shares.indexOf(Math.max(...one.shares))]! : null;
    const shares = one && most ? `, ${most} ${share(Math.max(...one.shares))}` : "";
    this.tip.textContent = time === null ? "" : `${clock(time, 0)} UTC: ${one ? `strength ${strengthText(one.strength)}${shares}` : UNJUDGED}`;
    this.redraw();
  }

  private draw(pen: CanvasRenderingContext2D, width: number): void {
    pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    pen.textBaseline = "middle";
    this.drawAxis(pen, width);
    for (const one of this.shown()) this.drawStretch(pen, one, width);
    for (const one of this.unjudged()) this.drawUnjudged(pen, one, width);
    this.drawLimit(pen, width);
    this.drawFindings(pen, width);
    pen.fillStyle = color("ink");
    pen.fillText("findings", 0, FINDINGS.top + FINDINGS.height / 2);
    pen.fillStyle = color("dim");
    pen.fillText("strength", 0, STRENGTH.top + STRENGTH.height / 2);
    pen.fillText("shares", 0, SHARES.top + SHARES.height / 2);
    if (this.view.pointed !== null) {
      pen.fillStyle = color("ink");
      pen.fillRect(Math.round(this.x(this.view.pointed, width)), 0, 1, HEIGHT - 20);
    }
  }

  private drawAxis(pen: CanvasRenderingContext2D, width: number): void {
    const by = step(this.range, width < 500 ? 4 : 8);
    pen.textAlign = "center";
    for (let time = Math.ceil(this.view.begin / by) * by; time <= this.view.end; time += by) {
      const at = Math.round(this.x(time, width));
      pen.fillStyle = color("rule");
      pen.fillRect(at, 0, 1, HEIGHT - 18);
      pen.fillStyle = color("dim");
      if (at + 26 < width) pen.fillText(clock(time, 0), at, HEIGHT - 9);
    }
    pen.textAlign = "left";
  }

  private drawStretch(pen: CanvasRenderingContext2D, one: Stretch, width: number): void {
    const from = Math.max(this.x(one.begin, width), NAMES);
    const wide = Math.max(this.x(one.begin + one.length, width) - from, 1);
    const tall = (Math.min(one.strength, MOST) / MOST) * STRENGTH.height;
    pen.fillStyle = color(one.strength >= 1 ? "alarm" : "bar");
    pen.fillRect(from, STRENGTH.top + STRENGTH.height - tall, Math.ceil(wide), tall);
    let top = SHARES.top;
    // Of a window in which nothing is unusual the shares say nothing: they fade.
    pen.globalAlpha = Math.min(0.15 + 0.85 * one.strength, 1);
    one.shares.forEach((part, i) => {
      pen.fillStyle = color(SUBSYSTEMS[i] as Subsystem);
      pen.fillRect(from, top, Math.ceil(wide), part * SHARES.height);
      top += part * SHARES.height;
    });
    pen.globalAlpha = 1;
  }

  // Lines across, so that nobody takes it for a calm time.
  private drawUnjudged(pen: CanvasRenderingContext2D, [begin, end]: [number, number], width: number): void {
    const from = Math.max(this.x(begin, width), NAMES);
    const wide = Math.min(this.x(end, width), width) - from;
    const tall = SHARES.top + SHARES.height - STRENGTH.top;
    pen.save();
    pen.beginPath();
    pen.rect(from, STRENGTH.top, wide, tall);
    pen.clip();
    pen.strokeStyle = color("rule");
    pen.beginPath();
    for (let x = from - tall; x < from + wide; x += LINES) {
      pen.moveTo(x, STRENGTH.top + tall);
      pen.lineTo(x + tall, STRENGTH.top);
    }
    pen.stroke();
    pen.restore();
    if (pen.measureText(UNJUDGED).width + 12 > wide) return;
    pen.fillStyle = color("dim");
    pen.textAlign = "center";
    pen.fillText(UNJUDGED, from + wide / 2, SHARES.top + SHARES.height / 2);
    pen.textAlign = "left";
  }

  private drawLimit(pen: CanvasRenderingContext2D, width: number): void {
    const y = Math.round(STRENGTH.top + STRENGTH.height * (1 - 1 / MOST)) + 0.5;
    pen.strokeStyle = color("limit");
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(NAMES, y);
    pen.lineTo(width, y);
    pen.stroke();
    pen.setLineDash([]);
  }

  private drawFindings(pen: CanvasRenderingContext2D, width: number): void {
    for (const incident of this.incidents()) {
      if (incident.end < this.view.begin) continue;
      const from = Math.max(this.x(incident.begin, width), NAMES);
      const wide = Math.max(this.x(incident.end, width) - from, 5);
      const { subsystem } = incident.finding;
      pen.fillStyle = color(subsystem);
      pen.fillRect(from, FINDINGS.top, wide, FINDINGS.height);
      if (pen.measureText(SHORT[subsystem]).width + 6 >= wide) continue;
      pen.fillStyle = color("on-color");
      pen.fillText(SHORT[subsystem], from + 4, FINDINGS.top + FINDINGS.height / 2);
    }
  }
}
