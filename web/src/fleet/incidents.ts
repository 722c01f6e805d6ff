// The incidents: those that are open first, then those of the last days.
import { h } from "../dom";
import { Refused } from "../live/api";
import { askInTurn } from "./ask";
import { SHORT, type Subsystem } from "../model";
import { number } from "../text";
import { headline, whereby } from "./answer";
import type { Incident } from "./api";
import { lengthHere } from "./told";

const FIRST = 8; // that are shown before one asks for more
const PAGE = 100;
const MOST = 1000; // that are kept here

interface Page {
  incidents: Incident[];
  next: string | null;
}

export const isId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

export interface IncidentsListener {
  chosen(incident: Incident | null): void;
  open(incidents: Incident[]): void; // those that are
}

export class Incidents {
  readonly element: HTMLElement;
  chosen: Incident | null = null;
  private incidents: Incident[] = [];
  private wanted = ""; // the id that the address names
  private shown = FIRST;
  private next: string | null = null;
  private readonly cards = h("div", { class: "cards" });
  private readonly more = h("button", { type: "button", class: "more", hidden: true });
  private readonly note = h("p", { class: "hint", role: "status" });

  constructor(private readonly listener: IncidentsListener) {
    this.element = h("section", { id: "incidents", "aria-label": "Incidents" }, h("h2", { class: "unseen" }, "Incidents"), this.note, this.cards, this.more);
    this.more.addEventListener("click", () => void this.showMore());
  }

  // Takes what the analyser has, in place of what is here. The incident with the id `named`, if any,
  // is to be shown.
  begin(page: Page, named: string): void {
    this.incidents = page.incidents;
    this.next = page.next;
    this.listener.open(this.open());
    this.fill();
    const id = this.chosen?.id ?? (isId(named) ? named : this.wanted);
    if (id) void this.want(id);
    else if (this.open().length > 0) this.choose(this.sorted()[0]!);
  }

  take(incident: Incident): void {
    const old = this.incidents.find((one) => one.id === incident.id);
    if (old && old.revision > incident.revision) return;
    this.incidents = [incident, ...this.incidents.filter((one) => one !== old)].slice(0, MOST);
    this.listener.open(this.open());
    this.fill();
    if (this.chosen?.id === incident.id || (!this.chosen && incident.open)) this.choose(incident);
  }

  // Chooses the incident with that id, which is asked for if it is not here.
  async want(id: string): Promise<void> {
    this.wanted = id;
    const here = this.incidents.find((one) => one.id === id);
    if (here) return this.choose(here);
    try {
      const incident = await askInTurn<Incident>(`/api/v1/incidents/${encodeURIComponent(id)}`);
      if (this.wanted !== id) return;
      this.take(incident);
      this.choose(incident);
    } catch (error) {
      const gone = error instanceof Refused && error.status === 404;
      this.note.textContent = gone ? `The analyser does not know incident ${id}: it may be older than what its database keeps.` : "";
    }
  }

  known(ids: string[]): Incident[] {
    return this.incidents.filter((one) => ids.includes(one.id));
  }

  ofGroup(group: string): Incident[] {
    return this.open().filter((one) => one.group === group);
  }

  private choose(incident: Incident): void {
    this.wanted = incident.id;
    this.chosen = incident;
    this.mark();
    this.listener.chosen(incident);
  }

  private open(): Incident[] {
    return this.incidents.filter((one) => one.open).sort((a, b) => b.onset.ns - a.onset.ns);
  }

  private sorted(): Incident[] {
    return [...this.incidents].sort((a, b) => Number(b.open) - Number(a.open) || b.onset.ns - a.onset.ns);
  }

  private async showMore(): Promise<void> {
    this.shown += PAGE;
    if (this.shown > this.incidents.length && this.next && this.incidents.length < MOST) {
      const page = await askInTurn<Page>(this.next).catch(() => null);
      const fresh = page?.incidents.filter((one) => !this.incidents.some((old) => old.id === one.id)) ?? [];
      this.incidents.push(...fresh);
      if (page) this.next = page.next;
    }
    this.fill();
  }

  private fill(): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.incident;
    const sorted = this.sorted();
    const shown = sorted.slice(0, Math.max(this.shown, this.open().length));
    const wasEmpty = this.incidents.length === 0;
    this.cards.replaceChildren(...shown.map((one) => this.card(one)));
    const rest = sorted.length - shown.length;
    this.more.hidden = rest === 0 && !this.next;
    this.more.textContent = rest > 0 ? `${number(rest)} more` : "Older ones";
    const empty = "No incident yet. One opens when a host is slower than its peers in three of five seconds, and stays here when it is over.";
    this.note.textContent = wasEmpty ? empty : "";
    this.mark();
    if (focused) this.cards.querySelector<HTMLElement>(`[data-incident="${focused}"]`)?.focus();
  }

  private card(incident: Incident): HTMLElement {
    const subsystem: Subsystem = incident.subsystem ?? "unknown";
    return h(
      "button",
      { type: "button", class: `card ${subsystem}`, "data-incident": incident.id, "data-open": String(incident.open), click: () => this.choose(incident) },
      h("span", { class: "badge" }, SHORT[subsystem]),
      h(
        "span",
        { class: "facts" },
        h("b", { class: incident.open ? "warn" : "" }, incident.open ? "open" : incident.told === "past" ? "found later" : "over"),
        h("span", {}, lengthHere(incident)),
      ),
      h("span", { class: "claim" }, headline(incident)),
      h("span", { class: "harm" }, `${whereby(incident).replace(/^(since|from) [^,]*, /, "")}`),
      ...victims(incident).map((one) => h("span", { class: "harm" }, one)),
    );
  }

  private mark(): void {
    for (const card of this.cards.children) {
      card.setAttribute("aria-pressed", String((card as HTMLElement).dataset.incident === this.chosen?.id));
    }
  }
}

// Returns how many others wait, as a sentence of its own.
function victims(incident: Incident): string[] {
  const count = incident.hosts.filter((one) => one.part === "victim").length;
  if (count === 0) return [];
  const [one, several] = incident.open ? ["waits", "wait"] : ["waited", "waited"];
  return [count === 1 ? `One host ${one} for it.` : `${number(count)} hosts ${several} for it.`];
}
