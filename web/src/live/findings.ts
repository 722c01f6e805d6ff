// The findings: those that are open first, then the newest; and all of the one that is chosen, as a
// report shows it.
import { h } from "../dom";
import { findingView } from "../finding";
import type { Channel, Incident } from "../model";
import { SHORT } from "../model";
import type { View } from "../view";
import { ask, Refused, type Status, type ToldFinding } from "./api";
import { liveHost } from "./series";
import { copy, lengthOf, told } from "./told";

const FIRST = 8; // that are shown before one asks for more
const MARGIN = 300; // seconds before and after a finding, that tell what is usual
const BETWEEN = 8000; // ms between two drawings of a finding that goes on

const isId = (text: string) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);

export class Findings {
  readonly list: HTMLElement;
  readonly detail: HTMLElement;
  private incidents: Incident[] = [];
  private status: Status | null = null;
  private channels: Channel[] = [];
  private wanted = ""; // the id that the address names
  private drawn = 0; // when the chosen one was
  private all = false;
  private readonly cards = h("div", { class: "cards" });
  private readonly more = h("button", { type: "button", class: "more", hidden: true });
  private readonly note = h("p", { class: "hint", role: "status" });
  private readonly tools = h("p", { class: "facts link-tools" });

  constructor(
    private readonly view: View,
    show: (channel: string) => void,
  ) {
    this.list = h("section", { id: "findings", "aria-label": "Findings" }, this.note, this.cards, this.more);
    this.detail = h("div", {}, this.tools, findingView(() => this.besides(), view, show));
    this.more.addEventListener("click", () => {
      this.all = true;
      this.fill();
    });
    view.onChange(() => this.mark());
    window.addEventListener("hashchange", () => this.follow());
    this.follow();
  }

  known(): Incident[] {
    return this.incidents;
  }

  // Votes that all detectors have together.
  votes(count: number): void {
    if (this.status) this.status.windows.votes = count;
  }

  // Takes what the agent has, in place of what is here.
  begin(status: Status, channels: Channel[], findings: ToldFinding[]): void {
    this.status = status;
    this.channels = channels;
    this.incidents = findings.map((one) => this.incident(one));
    this.note.textContent = findings.length === 0 ? "No finding yet." : "";
    this.drawn = 0;
    this.fill();
    this.restore();
  }

  // Takes the channels that there are now.
  names(channels: Channel[]): void {
    this.channels = channels;
  }

  take(finding: ToldFinding): void {
    if (!this.status) return;
    const old = this.incidents.find((one) => idOf(one) === finding.id);
    if (old && (old.finding as ToldFinding).revision > finding.revision) return;
    const fresh = this.incident(finding);
    this.incidents = [fresh, ...this.incidents.filter((one) => one !== old)];
    this.note.textContent = "";
    this.fill();
    if (!old && !this.view.chosen) this.choose(fresh);
    // Its charts are asked for anew, so not with each change of a figure.
    const due = Date.now() - this.drawn > BETWEEN || (old && isOpen(old) !== finding.open);
    const { chosen } = this.view;
    if (chosen && idOf(chosen) === finding.id && due) this.draw(fresh);
  }

  choose(incident: Incident): void {
    this.wanted = idOf(incident);
    history.replaceState(null, "", `#${this.wanted}`);
    this.draw(incident);
  }

  // All findings, as if of the host of the chosen one, for its charts.
  private besides(): Incident[] {
    const { chosen } = this.view;
    return this.incidents.map((one) => {
      if (!chosen || idOf(one) === idOf(chosen)) return chosen ?? one;
      return { ...one, host: chosen.host };
    });
  }

  private draw(incident: Incident): void {
    this.drawn = Date.now();
    this.view.choose(incident);
  }

  // Chooses what was chosen before, or what the address names, or the first.
  private restore(): void {
    const before = this.view.chosen ? idOf(this.view.chosen) : this.wanted;
    const found = this.incidents.find((one) => idOf(one) === before);
    if (found) this.draw(found);
    else if (this.wanted) void this.fetch(this.wanted);
    else if (this.incidents.length > 0) this.draw(this.sorted()[0]!);
  }

  private follow(): void {
    const id = location.hash.slice(1);
    if (!isId(id)) return;
    this.wanted = id;
    const found = this.incidents.find((one) => idOf(one) === id);
    if (found) this.draw(found);
    else if (this.status) void this.fetch(id);
  }

  private async fetch(id: string): Promise<void> {
    try {
      const finding = await ask<ToldFinding>(`api/v1/findings/${encodeURIComponent(id)}`);
      this.take(finding);
      this.draw(this.incidents[0]!);
    } catch (error) {
      const gone = error instanceof Refused && error.status === 404;
      this.note.textContent = gone ? `The agent does not have finding ${id} at hand; its file may be on the host.` : "";
    }
  }

  private incident(finding: ToldFinding): Incident {
    const begin = finding.begin.ns / 1e9;
    const end = finding.end.ns / 1e9;
    const last = Math.min(end + MARGIN, Date.now() / 1000);
    const { host, windows } = this.status!;
    return { host: liveHost(host, windows, this.channels, begin - MARGIN, Math.max(last, end)), finding, begin, end };
  }

  private sorted(): Incident[] {
    return [...this.incidents].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.begin - a.begin);
  }

  private fill(): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.finding;
    const sorted = this.sorted();
    const shown = this.all ? sorted : sorted.slice(0, FIRST);
    this.cards.replaceChildren(...shown.map((one) => this.card(one)));
    this.more.hidden = shown.length === sorted.length;
    this.more.textContent = `${sorted.length - shown.length} more`;
    this.mark();
    if (focused) this.cards.querySelector<HTMLElement>(`[data-finding="${focused}"]`)?.focus();
  }

  private card(incident: Incident): HTMLElement {
    const { finding } = incident;
    const open = isOpen(incident);
    return h(
      "button",
      { type: "button", class: `card ${finding.subsystem}`, "data-finding": idOf(incident), "data-open": String(open), click: () => this.choose(incident) },
      h("span", { class: "badge" }, SHORT[finding.subsystem]),
      h(
        "span",
        { class: "facts" },
        h("b", { class: open ? "warn" : "" }, open ? "open" : "over"),
        finding.severity_word && finding.severity_word !== "unknown" ? h("b", {}, finding.severity_word) : null,
        h("span", {}, lengthOf(incident)),
      ),
      h("span", { class: "claim" }, finding.claim),
      ...[finding.who, finding.who_process, finding.work, finding.stalled].map((one) => (one ? h("span", { class: "harm" }, one) : null)),
    );
  }

  private mark(): void {
    const { chosen } = this.view;
    const id = chosen ? idOf(chosen) : "";
    for (const card of this.cards.children) {
      card.setAttribute("aria-pressed", String((card as HTMLElement).dataset.finding === id));
    }
    this.detail.hidden = !chosen;
    if (chosen && this.tools.dataset.finding !== id) this.tools.replaceChildren(...this.toolsOf(id));
    this.tools.dataset.finding = id;
  }

  private toolsOf(id: string): HTMLElement[] {
    const button = h("button", { type: "button", class: "more copy" }, "Copy as text");
    button.addEventListener("click", () => {
      const newest = this.incidents.find((one) => idOf(one) === id);
      if (!newest) return;
      void copy(told(newest, `${location.origin}/#${id}`)).then((done) => {
        button.textContent = done ? "Copied" : "Your browser does not let a page copy";
      });
    });
    return [h("a", { href: `#${id}` }, "Link to this finding"), h("a", { href: `api/v1/findings/${id}` }, "All of it, as JSON"), button];
  }
}

function idOf(incident: Incident): string {
  return (incident.finding as ToldFinding).id;
}

function isOpen(incident: Incident): boolean {
  return (incident.finding as ToldFinding).open;
}
