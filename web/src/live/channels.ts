// Any channel on demand: search, and how it moved in the last minutes.
import { chart } from "../chart";
import { h } from "../dom";
import type { Channel, Incident } from "../model";
import { SHORT } from "../model";
import { span } from "../text";
import { usualOutside } from "../traces";
import type { View } from "../view";
import { liveHost, liveTrace } from "./series";

const PAGE = 30; // channels that are put in the list at a time
const LENGTH = 600; // seconds that a chart shows
const EVERY = 10_000; // ms between two readings of a chart that is open
const MOST = 4; // charts that are open at a time: each is read anew

export class Channels {
  readonly element: HTMLElement;
  private channels: Channel[] = [];
  private found: Channel[] = [];
  private readonly open = new Map<string, HTMLElement>(); // the places of charts, the oldest first
  private readonly drawing = new Set<string>(); // the names of those that the agent is asked for
  private readonly input = h("input", { type: "search", placeholder: "metric, device, subsystem or label", "aria-label": "search channels", id: "search" });
  private readonly count = h("span", { class: "hint", role: "status" });
  private readonly items = h("ol", { class: "channels" });
  private readonly more = h("button", { type: "button", class: "more", hidden: true });

  constructor(
    private readonly view: View,
    private readonly incidents: () => Incident[],
    private readonly connected: () => boolean,
  ) {
    this.element = h(
      "section",
      { id: "channels" },
      h("h2", {}, "Channels"),
      h("p", { class: "hint" }, `All that is recorded. A click shows the last ${span(LENGTH)}; the band is what is usual in them.`),
      h("div", { class: "searching" }, this.input, this.count),
      this.items,
      this.more,
    );
    this.input.addEventListener("input", () => this.search());
    this.more.addEventListener("click", () => this.grow());
    window.setInterval(() => this.refresh(), EVERY);
  }

  begin(channels: Channel[]): void {
    const names = (all: Channel[]) => all.map((one) => one.name).join();
    if (channels.length === 0 || names(channels) === names(this.channels)) return;
    this.channels = channels;
    const open = [...this.open.keys()];
    const listed = this.items.childElementCount;
    this.search();
    while (this.items.childElementCount < Math.min(listed, this.found.length)) this.grow();
    // What somebody looks at stays open.
    for (const name of open) this.items.querySelector<HTMLButtonElement>(`[data-channel="${CSS.escape(name)}"] > button`)?.click();
  }

  // Searches for the channel and opens it.
  show(name: string): void {
    this.input.value = name;
    this.search();
    this.items.querySelector<HTMLButtonElement>("li.channel > button")?.click();
    this.input.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  private search(): void {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.channels.filter((one) => {
      const text = `${one.name} ${one.label} ${one.subsystem}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.open.clear();
    this.items.replaceChildren();
    this.grow();
    this.count.textContent = `${this.found.length} of ${this.channels.length} channels`;
  }

  private grow(): void {
    const from = this.items.childElementCount;
    this.items.append(...this.found.slice(from, from + PAGE).map((one) => this.item(one)));
    const rest = this.found.length - this.items.childElementCount;
    this.more.hidden = rest <= 0;
    this.more.textContent = `${rest} more`;
  }

  private item(channel: Channel): HTMLElement {
    const whole = h("div", { class: "whole", hidden: true });
    const button = h(
      "button",
      { type: "button", "aria-expanded": "false" },
      h("span", { class: `dot ${channel.subsystem}` }, SHORT[channel.subsystem]),
      h("span", { class: "name" }, h("span", {}, channel.label || channel.metric), h("code", {}, channel.name)),
      h("span", { class: "hint" }, channel.unit),
    );
    button.addEventListener("click", () => {
      if (this.open.has(channel.name)) this.close(channel.name);
      else this.unfold(channel, whole);
    });
    return h("li", { class: "channel live", "data-channel": channel.name }, button, whole);
  }

  private unfold(channel: Channel, whole: HTMLElement): void {
    const [oldest] = this.open.keys();
    if (this.open.size >= MOST && oldest !== undefined) this.close(oldest);
    this.open.set(channel.name, whole);
    whole.hidden = false;
    whole.previousElementSibling?.setAttribute("aria-expanded", "true");
    whole.replaceChildren(h("p", { class: "hint" }, "The agent reads the recording…"));
    void this.draw(channel, whole);
  }

  private close(name: string): void {
    const whole = this.open.get(name);
    this.open.delete(name);
    if (!whole) return;
    whole.hidden = true;
    whole.replaceChildren();
    whole.previousElementSibling?.setAttribute("aria-expanded", "false");
  }

  private refresh(): void {
    if (document.visibilityState === "hidden" || !this.connected()) return;
    for (const [name, whole] of this.open) {
      const channel = this.channels.find((one) => one.name === name);
      if (channel && !this.drawing.has(name) && !whole.matches(":hover")) void this.draw(channel, whole);
    }
  }

  private async draw(channel: Channel, whole: HTMLElement): Promise<void> {
    const end = Date.now() / 1000;
    const begin = end - LENGTH;
    this.drawing.add(channel.name);
    try {
      const trace = await liveTrace(channel.name, begin, end);
      if (this.open.get(channel.name) !== whole) return;
      const host = liveHost("", {}, [], begin, end);
      const incidents = this.incidents().map((one) => ({ ...one, host }));
      const usual = usualOutside(trace, incidents);
      whole.replaceChildren(chart({ host, name: channel.label || channel.metric, unit: channel.unit, trace, usual, incidents, view: this.view, begin, end, height: 170 }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (this.open.get(channel.name) === whole) whole.replaceChildren(h("p", { class: "warn" }, why));
    } finally {
      this.drawing.delete(channel.name);
    }
  }
}
