// All of one incident: its hosts, cause and victims told apart, the evidence with its figures, and the
// facts in which a host differs.
import { h } from "../dom";
import { copy } from "../live/told";
import { moment } from "../live/state";
import { SHORT } from "../model";
import { number, quantity } from "../text";
import { keyOf, shortName, type Evidence, type Incident, type SlowHost } from "./api";
import { farOf, lengthOf, partWords, told, whatOf } from "./told";

const FIRST = 12; // hosts that are listed before one asks for more

export interface WhyListener {
  openHost(id: string): void;
  showQuantity(group: string, key: string): void;
}

export class Why {
  readonly element: HTMLElement;
  private incident: Incident | null = null;
  private all = false;

  constructor(private readonly listener: WhyListener) {
    this.element = h("section", { class: "why", id: "why", hidden: true, "aria-label": "The incident" });
  }

  show(incident: Incident | null): void {
    if (incident?.id !== this.incident?.id) this.all = false;
    this.incident = incident;
    this.element.hidden = !incident;
    if (!incident) return;
    const focused = this.element.contains(document.activeElement);
    const place = focused ? [...this.element.querySelectorAll("button, a")].indexOf(document.activeElement!) : -1;
    this.element.replaceChildren(
      h(
        "header",
        {},
        h("h2", {}, incident.open ? "Why" : "What was"),
        h("span", { class: `badge ${incident.subsystem ?? "unknown"}` }, SHORT[incident.subsystem ?? "unknown"]),
        h("span", { class: "claim" }, incident.sentence),
      ),
      h("p", { class: "facts" }, h("span", {}, `${incident.group}, ${number(incident.group_size)} hosts`), h("span", {}, lengthOf(incident)), ...this.tools(incident)),
      h("p", { class: "hint" }, howTold(incident)),
      h("div", { class: "evidence" }, this.table(incident)),
      ...factsOf(incident),
    );
    if (place >= 0) this.element.querySelectorAll<HTMLElement>("button, a")[place]?.focus();
  }

  private tools(incident: Incident): HTMLElement[] {
    const link = `#incident=${incident.id}`;
    const button = h("button", { type: "button", class: "link copy" }, "Copy as text");
    button.addEventListener("click", () => {
      void copy(told(incident, `${location.origin}/${link}`)).then((done) => {
        button.textContent = done ? "Copied" : "Your browser does not let a page copy";
      });
    });
    return [h("a", { href: link }, "Link to it"), h("a", { href: `/api/v1/incidents/${incident.id}` }, "JSON"), button];
  }

  private table(incident: Incident): HTMLElement {
    const peers = incident.of_all ? "in the hour before" : "its peers";
    const sorted = [...incident.hosts].sort((a, b) => Number(b.part === "cause") - Number(a.part === "cause") || a.onset.ns - b.onset.ns);
    const shown = this.all ? sorted : sorted.slice(0, FIRST);
    const rest = sorted.length - shown.length;
    const rows = incident.of_all
      ? incident.evidence.map((one) => h("tr", { class: "first" }, ...this.cells(incident, one)))
      : shown.flatMap((host) => this.rows(incident, host));
    const columns = [...(incident.of_all ? [] : ["host", "part", "since (UTC)"]), "quantity", "observed", peers, "of the limit"];
    const more = h("button", { type: "button", class: "link", click: () => {
      this.all = true;
      this.show(this.incident);
    } }, `${number(rest)} more hosts`);
    return h(
      "table",
      { class: "slow-hosts" },
      h("caption", { class: "unseen" }, "Hosts of the incident and their evidence"),
      h("thead", {}, h("tr", {}, ...columns.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, ...rows, rest > 0 ? h("tr", {}, h("td", { colspan: 7 }, more)) : null),
    );
  }

  private rows(incident: Incident, host: SlowHost): HTMLElement[] {
    const [first, ...others] = host.evidence;
    const name = h("button", { type: "button", class: "link", click: () => this.listener.openHost(host.id), title: host.name }, shortName(host.name));
    const since = `${moment(host.onset.ns / 1e9, 1).replace(" UTC", "")}${host.onset_error_ns >= 5e7 ? ` ± ${quantity(host.onset_error_ns / 1e9, "seconds")}` : ""}`;
    const part = `${partWords(host.part, incident.open)}${host.recovered && incident.open ? ", recovered" : ""}`;
    const none = [h("td", { colspan: 4, class: "hint" }, "its own detectors, and many quantities a little beyond their limits")];
    return [
      h("tr", { class: `first ${host.part}` }, h("td", {}, name), h("td", { class: host.part === "cause" ? "part-cause" : "" }, part), h("td", { class: "number" }, since), ...(first ? this.cells(incident, first) : none)),
      ...others.map((one) => h("tr", {}, h("td", {}), h("td", {}), h("td", {}), ...this.cells(incident, one))),
    ];
  }

  private cells(incident: Incident, evidence: Evidence): HTMLElement[] {
    const show = () => this.listener.showQuantity(incident.group, keyOf(evidence));
    return [
      h("td", {}, h("span", { class: `dot ${evidence.subsystem}` }, SHORT[evidence.subsystem]), " ", h("button", { type: "button", class: "link", click: show }, whatOf(evidence))),
      h("td", { class: "number" }, quantity(evidence.observed, evidence.unit)),
      h("td", { class: "number" }, quantity(evidence.usual, evidence.unit)),
      h("td", { class: "number" }, farOf(evidence)),
    ];
  }
}

// Returns how the hosts hang together, as a sentence.
function howTold(incident: Incident): string {
  const { open, cause, hosts } = incident;
  const victims = hosts.filter((one) => one.part === "victim").length;
  const [is, lies] = open ? ["is", "lies"] : ["was", "lay"];
  if (incident.of_all) return `The whole group ${is} slower than in the hour before, so no host ${is} the slow one.`;
  if (hosts[0]?.part === "pair") return `Of two hosts nobody can say which ${is} the slow one.`;
  if (cause === null && hosts.length > 1) return `They became slow together. Nothing tells which of them ${is} the cause.`;
  if (cause === null) return `Whether the cause ${lies} in this host or in one that it waits for is not known.`;
  if (victims === 0) return `The cause ${lies} in this host.`;
  const [one, several] = open ? ["waits", "wait"] : ["waited", "waited"];
  return `The cause ${lies} in ${shortName(cause)}; ${victims === 1 ? `the other host ${one}` : `the ${number(victims)} others ${several}`} for it.`;
}

function factsOf(incident: Incident): HTMLElement[] {
  const rows = incident.hosts.flatMap((host) =>
    host.facts.map((fact) => h("tr", {}, ...[shortName(host.name), fact.subject, fact.observed, fact.usual].map((one) => h("td", {}, one)))),
  );
  if (rows.length === 0) return [];
  return [
    h("h3", {}, "In which they differ from most of their peers"),
    h(
      "div",
      { class: "evidence" },
      h("table", { class: "unlike" }, h("caption", { class: "unseen" }, "Facts in which hosts differ"), h("thead", {}, h("tr", {}, ...["host", "fact", "here", "most of its peers"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", {}, ...rows)),
    ),
  ];
}
