// What the agent does now: its state, since when, and whether this page still hears of it.
import { h } from "../dom";
import { clock, date, number } from "../text";
import type { WindowEvent } from "./api";

const seconds = (iso: string) => Date.parse(iso) / 1000;

// Returns a time with its day if that is not today.
export function moment(time: number, decimals = 0): string {
  const today = date(Date.now() / 1000) === date(time);
  return `${today ? "" : `${date(time)} `}${clock(time, decimals)} UTC`;
}

// Returns a strength with two decimals, rounded down: what is below the alarm must not read as one.
// Without the small addend 0.29, of which a hundredfold is 28.999..., would be 0.28.
export function strengthText(strength: number): string {
  return number(Math.floor(strength * 100 + 1e-9) / 100);
}

interface Said {
  kind: "healthy" | "alarm" | "waiting";
  sign: string;
  text: string;
}

function said(event: WindowEvent): Said {
  const count = event.findings_open;
  if (count > 0) return { kind: "alarm", sign: "!", text: `${count} finding${count === 1 ? "" : "s"} open` };
  if (event.state === "learning") return { kind: "waiting", sign: "…", text: "Learning what is usual" };
  if (event.state === "degraded") return { kind: "alarm", sign: "!", text: "Degraded" };
  return { kind: "healthy", sign: "✓", text: "No finding is open" };
}

export class StateView {
  private readonly sign = h("span", { class: "sign", "aria-hidden": "true" });
  private readonly text = h("span", { class: "text" });
  private readonly why = h("span", { class: "hint why-state" });
  private readonly figures = h("span", { class: "hint figures" });
  private readonly link = h("span", { class: "warn link-state", hidden: true });
  private readonly box = h(
    "div",
    { class: "verdict waiting", role: "status" },
    h("strong", {}, this.sign, this.text),
    this.link,
    this.why,
  );
  // Beside the box: a reader for the blind is not told of each second.
  readonly element = h("div", { class: "state" }, this.box, h("div", { class: "run" }, this.figures));
  private heard = Date.now() / 1000;
  private readonly title = document.title;

  constructor() {
    this.text.textContent = "Connecting";
  }

  window(event: WindowEvent): void {
    this.heard = Date.now() / 1000;
    const { kind, sign, text } = said(event);
    this.box.className = `verdict ${kind}`;
    this.box.dataset.state = event.state;
    this.set(this.sign, sign);
    this.set(this.text, text);
    this.entitle(kind === "healthy" ? "" : event.findings_open > 0 ? `(${event.findings_open}) ` : `${sign} `);
    const since = event.state_since ? ` since ${moment(seconds(event.state_since))}` : "";
    this.set(this.why, `${event.state}${since}${event.reason ? `: ${event.reason}` : ""}`);
    const frame = event.last_frame ? `last frame ${moment(seconds(event.last_frame))}` : "no frame yet";
    const strength = event.strength === undefined ? "" : `, strength ${strengthText(event.strength)} (alarm from 1)`;
    this.figures.textContent = frame + strength;
  }

  connected(): void {
    this.link.hidden = true;
  }

  lost(): void {
    if (!this.link.hidden) return;
    this.link.hidden = false;
    this.link.textContent = `Not connected since ${moment(this.heard)}. All below is from then.`;
    this.box.className = "verdict waiting";
    this.set(this.sign, "?");
    this.set(this.text, "Not connected");
    this.entitle("? ");
    this.set(this.why, "");
  }

  // Who has other tabs in front sees only the title.
  private entitle(sign: string): void {
    if (document.title !== sign + this.title) document.title = sign + this.title;
  }

  // Sets what has changed, so that only that is read aloud.
  private set(element: HTMLElement, text: string): void {
    if (element.textContent !== text) element.textContent = text;
  }
}
