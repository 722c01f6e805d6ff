// The hosts of a group, a cell each. The canvas has the colors; to a screen reader it is a list of
// which the host that the keyboard is at is the one option, told anew with each step.
import { color, darkness, h } from "../dom";
import { shortName } from "./api";
import { letters, letterSize } from "./letters";
import { cellAfter, cellAt, layoutOf, type Layout } from "./layout";
import { ABSENT, markColors, SLOW, type CellColor } from "./marks";

const GAP = 1; // pixels between cells
const RING = 2; // pixels around a slow host

interface GridListener {
  name(host: number): string;
  words(host: number): string; // all that is to be told of it
  open(host: number): void;
}

let grids = 0;

export class Grid {
  readonly element: HTMLElement;
  private readonly number = ++grids;
  private marks = new Uint8Array();
  private readonly slow = new Set<number>(); // hosts that are drawn as such
  private layout: Layout = layoutOf(0, 0, 1);
  private at: number | null = null; // where the keyboard is
  private steps = 0;
  private colors: CellColor[] = [];
  private readonly picture = h("canvas", { "aria-hidden": "true" });
  private readonly cursor = h("div", { class: "cell", hidden: true });
  private readonly tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  private readonly list: HTMLElement;

  constructor(
    label: string,
    private readonly listener: GridListener,
  ) {
    this.list = h("div", { class: "cells", role: "listbox", tabindex: 0, "aria-label": label }, this.picture, this.cursor);
    this.element = h("div", { class: "grid" }, this.list, this.tip);
    this.list.addEventListener("pointermove", (event) => this.point(this.hit(event), event));
    this.list.addEventListener("pointerleave", () => this.point(null));
    this.list.addEventListener("click", (event) => {
      const hit = this.hit(event);
      if (hit !== null) this.listener.open(hit);
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("focus", () => this.list.matches(":focus-visible") && this.step(this.at ?? this.worst()));
    this.list.addEventListener("blur", () => this.leave());
    new ResizeObserver(() => this.place()).observe(this.element);
    darkness.addEventListener("change", () => this.drawAll());
  }

  show(marks: Uint8Array): void {
    const resized = marks.length !== this.marks.length;
    this.marks = marks;
    if (!resized) return this.drawAll();
    this.place();
    if (marks.length > 0) this.say(Math.min(this.at ?? this.worst(), marks.length - 1));
  }

  // Draws those hosts anew whose marks changed.
  change(hosts: number[]): void {
    const pen = this.picture.getContext("2d");
    if (!pen || hosts.length === 0) return;
    const others = hosts.some((host) => (this.marks[host] === SLOW) !== this.slow.has(host));
    if (this.layout.named || others || hosts.length > this.marks.length / 2) return this.drawAll();
    for (const host of hosts) this.drawCell(pen, host);
    // A ring reaches into the cells around it.
    for (const host of this.slow) this.ring(pen, host);
  }

  // Tells and draws the hosts by the names that they have now.
  named(): void {
    this.drawAll();
    if (this.marks.length > 0) this.say(Math.min(this.at ?? this.worst(), this.marks.length - 1));
  }

  private drawAll(): void {
    const pen = this.picture.getContext("2d");
    if (!pen || this.picture.width === 0) return;
    const { layout } = this;
    this.colors = markColors();
    pen.clearRect(0, 0, layout.columns * layout.width + RING, layout.rows * layout.height + RING);
    pen.font = letters();
    pen.textBaseline = "middle";
    this.slow.clear();
    for (let host = 0; host < this.marks.length; ++host) {
      if (this.marks[host] === SLOW) this.slow.add(host);
      this.drawCell(pen, host);
    }
    for (const host of this.slow) this.ring(pen, host);
    this.picture.dataset.slow = String(this.slow.size);
  }

  private place(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    this.layout = layoutOf(this.marks.length, width - RING, letterSize());
    const { columns, rows, width: wide, height } = this.layout;
    const ratio = window.devicePixelRatio || 1;
    const size = [columns * wide + RING, rows * height + RING] as const;
    [this.picture.width, this.picture.height] = size.map((one) => Math.round(one * ratio)) as [number, number];
    [this.picture.style.width, this.picture.style.height] = size.map((one) => `${one}px`) as [string, string];
    this.picture.getContext("2d")?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.cursor.style.width = `${wide - GAP}px`;
    this.cursor.style.height = `${height - GAP}px`;
    this.drawAll();
    if (this.at !== null) this.mark(this.at);
  }

  private corner(host: number): [number, number] {
    const { columns, width, height } = this.layout;
    return [RING / 2 + (host % columns) * width, RING / 2 + Math.floor(host / columns) * height];
  }

  private drawCell(pen: CanvasRenderingContext2D, host: number): void {
    const mark = this.marks[host]!;
    const [x, y] = this.corner(host);
    const { width, height, named } = this.layout;
    if (mark === ABSENT) {
      pen.clearRect(x, y, width - GAP, height - GAP);
      pen.strokeStyle = color("edge");
      pen.strokeRect(x + 0.5, y + 0.5, width - GAP - 1, height - GAP - 1);
    } else {
      pen.fillStyle = this.colors[mark]!.fill;
      pen.fillRect(x, y, width - GAP, height - GAP);
    }
    if (!named) return;
    pen.fillStyle = mark === ABSENT ? color("dim") : this.colors[mark]!.letters;
    pen.fillText(fitting(pen, this.listener.name(host), width - GAP - 10), x + 5, y + height / 2);
  }

  // Marks a slow host by more than a color.
  private ring(pen: CanvasRenderingContext2D, host: number): void {
    const [x, y] = this.corner(host);
    const { width, height } = this.layout;
    pen.strokeStyle = color("ink");
    pen.lineWidth = RING;
    pen.strokeRect(x - 0.5, y - 0.5, width, height);
    pen.lineWidth = 1;
  }

  private hit(event: MouseEvent): number | null {
    const box = this.picture.getBoundingClientRect();
    return cellAt(this.layout, this.marks.length, event.clientX - box.left, event.clientY - box.top);
  }

  private point(host: number | null, event?: MouseEvent): void {
    this.list.classList.toggle("hit", host !== null);
    if (host === null || !event) return this.leave();
    this.mark(host);
  }

  // Frames a cell and tells of it beside it.
  private mark(host: number): void {
    if (host >= this.marks.length) return this.leave();
    const [x, y] = this.corner(host);
    this.cursor.hidden = false;
    this.cursor.style.transform = `translate(${x}px, ${y}px)`;
    this.tip.hidden = false;
    this.tip.textContent = this.listener.words(host);
    const left = Math.min(x, Math.max(this.element.clientWidth - this.tip.offsetWidth, 0));
    this.tip.style.transform = `translate(${left}px, ${y + this.layout.height + 5}px)`;
  }

  private leave(): void {
    this.cursor.hidden = true;
    this.tip.hidden = true;
  }

  // Returns the host that lies farthest from its peers.
  private worst(): number {
    return this.marks.reduce((best, mark, host) => (mark > this.marks[best]! ? host : best), 0);
  }

  private key(event: KeyboardEvent): void {
    const at = this.at ?? this.worst();
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (at < this.marks.length) this.listener.open(at);
      return;
    }
    const to = cellAfter(this.layout, this.marks.length, at, event.key);
    if (to === null) return;
    event.preventDefault();
    this.step(to);
  }

  private step(host: number): void {
    if (host < 0 || host >= this.marks.length) return;
    this.at = host;
    this.mark(host);
    this.say(host);
  }

  private say(host: number): void {
    // Another element each time: a text that changes in one that is known already is not read aloud.
    const id = `host-${this.number}-${++this.steps}`;
    this.list.querySelector("[role=option]")?.remove();
    this.list.append(
      h("div", { id, class: "unseen", role: "option", "aria-selected": "true", "aria-posinset": host + 1, "aria-setsize": this.marks.length }, this.listener.words(host)),
    );
    this.list.setAttribute("aria-activedescendant", id);
  }
}

// Returns the name, or as much of its end as fits: that is what tells hosts apart.
function fitting(pen: CanvasRenderingContext2D, name: string, width: number): string {
  const short = shortName(name);
  if (pen.measureText(short).width <= width) return short;
  let from = 1;
  while (from < short.length && pen.measureText(`…${short.slice(from)}`).width > width) ++from;
  return `…${short.slice(from)}`;
}
