// A host: how it stands, what it is, in which facts it differs from its peers, what it found itself,
// and the way to its own page.
import { h } from "../dom";
import { Refused } from "../live/api";
import { askInTurn } from "./ask";
import { moment } from "../live/state";
import { SHORT } from "../model";
import { quantity, span } from "../text";
import { headline } from "./answer";
import { shortName, timeOf, type HostDetail, type Incident, type OwnFinding } from "./api";
import { STANDINGS } from "./hosts";

const EVERY = 5000; // ms between two looks

export interface HostListener {
  incidents(ids: string[]): Incident[];
  openIncident(id: string): void;
  closed(): void;
}

export class HostView {
  readonly element: HTMLElement;
  private id = "";
  private drawn = "";
  private from: Element | null = null; // what had the focus before

  constructor(private readonly listener: HostListener) {
    this.element = h("section", { id: "host", class: "host", hidden: true, tabindex: -1, "aria-label": "A host" });
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    window.setInterval(() => this.id && document.visibilityState === "visible" && void this.look(), EVERY);
  }

  // Shows a host, and takes the focus there.
  async open(id: string): Promise<void> {
    if (id !== this.id) this.from = document.activeElement;
    this.id = id;
    this.drawn = "";
    await this.look();
    if (this.id !== id) return;
    this.element.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    if (!this.id) return;
    this.id = "";
    this.element.hidden = true;
    this.listener.closed();
    if (this.from instanceof HTMLElement && this.from.isConnected) this.from.focus();
  }

  private async look(): Promise<void> {
    const { id } = this;
    try {
      const host = await askInTurn<HostDetail>(`/api/v1/hosts/${encodeURIComponent(id)}`);
      if (id === this.id) this.draw(host);
    } catch (error) {
      if (id !== this.id || this.drawn) return;
      const gone = error instanceof Refused && error.status === 404;
      this.place(h("p", { class: "warn" }, gone ? `The analyser does not know host ${id}. It forgets one that was silent for a week.` : `Host ${id} cannot be asked for: ${String(error)}`));
    }
  }

  private place(...parts: (HTMLElement | null)[]): void {
    const close = h("button", { type: "button", class: "more", "aria-label": "Close the host", click: () => this.close() }, "Close");
    this.element.hidden = false;
    this.element.replaceChildren(h("span", { class: "tools" }, close), ...parts.filter((one): one is HTMLElement => one !== null));
  }

  private draw(host: HostDetail): void {
    // What was heard changes each second; nothing else is worth to lose the focus or a selection for.
    const { heard, ...rest } = host;
    const state = JSON.stringify(rest);
    const words = heardWords(heard);
    const place = this.element.querySelector(".heard");
    if (state === this.drawn && place) {
      if (place.textContent !== words) place.textContent = words;
      return;
    }
    this.drawn = state;
    const focused = this.element.contains(document.activeElement) ? (document.activeElement as HTMLElement).textContent : null;
    const clock = host.clock_error_seconds === null ? "not known" : `at most ${quantity(Math.abs(host.clock_error_seconds), "seconds")} off`;
    const labels = Object.entries(host.labels).map(([name, value]) => `${name}=${value}`);
    this.place(
      h("header", { class: "bar" }, h("h2", {}, host.name), h("span", { class: `standing ${host.standing}` }, STANDINGS[host.standing] ?? host.standing.replace(/_/g, " "))),
      h("p", { class: "facts" }, h("span", { class: "heard" }, words), h("span", {}, `clock ${clock}`), h("span", {}, host.group), ...labels.map((one) => h("span", {}, one)), h("span", {}, `site ${host.site}`)),
      h("p", {}, h("a", { class: "own-page", href: `/hosts/${encodeURIComponent(host.id)}/` }, `Open ${shortName(host.name)}'s own page`), h("span", { class: "hint" }, " with its channels at full rate, through the analyser")),
      incidentsOf(this.listener.incidents(host.incidents), (id) => this.listener.openIncident(id)),
      unlikeOf(host),
      findingsOf(host.id, host.findings),
      h("details", {}, h("summary", {}, "All its facts"), ...factsOf(host)),
    );
    if (focused) [...this.element.querySelectorAll<HTMLElement>("a, button, summary")].find((one) => one.textContent === focused)?.focus();
  }
}

function heardWords(heard: string | null): string {
  if (heard === null) return "never heard";
  const age = Math.max(Date.now() / 1000 - timeOf(heard), 0);
  return age < 5 ? "heard just now" : `last heard ${moment(timeOf(heard))}, ${span(Math.round(age))} ago`;
}

function incidentsOf(incidents: Incident[], open: (id: string) => void): HTMLElement | null {
  if (incidents.length === 0) return null;
  const item = (one: Incident) =>
    h("li", {}, h("button", { type: "button", class: "link", click: () => open(one.id) }, headline(one)), h("span", { class: "hint" }, ` ${one.open ? "since" : "from"} ${moment(one.onset.ns / 1e9)}`));
  return h("div", {}, h("h3", {}, "Incidents"), h("ul", { class: "plain" }, ...incidents.map(item)));
}

function unlikeOf(host: HostDetail): HTMLElement {
  if (host.unlike.length === 0) return h("p", { class: "hint" }, "It differs from its peers in no fact.");
  const rows = host.unlike.map((one) => h("tr", {}, h("td", {}, one.subject), h("td", {}, one.observed), h("td", {}, one.usual)));
  return h(
    "div",
    { class: "evidence" },
    h("h3", {}, "In which it differs from most of its peers"),
    h("table", { class: "unlike" }, h("caption", { class: "unseen" }, "Facts in which the host differs"), h("thead", {}, h("tr", {}, ...["fact", "here", "most of its peers"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", {}, ...rows)),
  );
}

function findingsOf(id: string, findings: OwnFinding[]): HTMLElement {
  if (findings.length === 0) return h("p", { class: "hint" }, "It has found nothing itself that is open.");
  const item = (one: OwnFinding) =>
    h(
      "li",
      {},
      h("span", { class: `dot ${one.subsystem}` }, SHORT[one.subsystem] ?? "?"), " ",
      h("a", { href: `/hosts/${encodeURIComponent(id)}/#${encodeURIComponent(one.id)}` }, one.claim),
      h("span", { class: "hint" }, ` since ${moment(timeOf(one.onset))}`),
    );
  return h("div", {}, h("h3", {}, "What it found itself"), h("ul", { class: "plain" }, ...findings.map(item)));
}

// By source, what the host itself says first.
function factsOf(host: HostDetail): HTMLElement[] {
  const { host: own = {}, ...others } = host.facts;
  const list = (facts: Record<string, string>) => h("dl", {}, ...Object.entries(facts).flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
  return [list({ id: host.id, ...own }), ...Object.entries(others).flatMap(([source, facts]) => [h("h3", {}, source), list(facts)])];
}
