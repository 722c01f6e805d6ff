// The page of a fleet: who is slow, since when and by what; all hosts at a glance; one quantity over
// all of them; and one host.
import "uplot/dist/uPlot.min.css";
import { h } from "./dom";
import { Answer } from "./fleet/answer";
import { keyOf, mainEvidence, mainHost, type FleetEvent, type FleetStatus, type Incident } from "./fleet/api";
import { Finder } from "./fleet/finder";
import { Groups } from "./fleet/groups";
import { KEYS, TEXTS } from "./fleet/help";
import { HostView } from "./fleet/host";
import { Hosts } from "./fleet/hosts";
import { Incidents, isId } from "./fleet/incidents";
import { Place } from "./fleet/place";
import { Spread } from "./fleet/spread";
import { Why } from "./fleet/why";
import { askInTurn } from "./fleet/ask";
import { Feed } from "./live/feed";
import { help } from "./live/help";

const AGAIN = 2000; // ms before what failed is asked for again
const COUNTS = 10_000; // ms between two looks at the counts and the groups' names
const INCIDENTS = "/api/v1/incidents?limit=100";

class Page {
  private readonly place = new Place();
  private readonly hosts = new Hosts();
  private readonly answer = new Answer((id) => void this.incidents.want(id));
  private readonly why = new Why({
    openHost: (id) => this.openHost(id),
    showQuantity: (group, key) => this.showQuantity(group, key, true),
  });
  private readonly incidents: Incidents = new Incidents({
    chosen: (incident) => this.chosen(incident),
    open: (incidents) => this.answer.incidents(incidents),
  });
  private readonly groups = new Groups(this.hosts, {
    openHost: (id) => this.openHost(id),
    openGroup: (key) => this.showQuantity(key, "", true),
  });
  private readonly host = new HostView({
    incidents: (ids) => this.incidents.known(ids),
    openIncident: (id) => void this.incidents.want(id),
    closed: () => this.place.set({ host: "" }),
  });
  private readonly spread = new Spread(this.hosts, {
    openHost: (id) => this.openHost(id),
    slowHosts: (group, quantity) => this.slowHosts(group, quantity),
    shown: (group, quantity) => this.place.set({ group, quantity }),
  });
  private asked = 0; // of several answers under way only the latest counts
  private begun = false;
  private connected = false;
  private meanwhile: Incident[] = []; // that were told while the answer was awaited

  constructor() {
    new Feed(
      {
        begun: () => void this.begin(),
        connected: () => {
          this.connected = true;
          this.answer.connected();
          if (!this.begun && this.asked > 0) void this.begin();
        },
        lost: () => {
          this.connected = false;
          this.answer.lost();
        },
      },
      {
        fleet: (event: FleetEvent) => this.second(event),
        incident: ({ told, incident }: { told: Incident["told"]; incident: Incident }) => this.told({ ...incident, told }),
      },
    );
    this.place.onChange(() => this.follow());
    window.setInterval(() => this.connected && this.begun && void this.count().catch(() => undefined), COUNTS);
  }

  // Puts the page in place of the summary that came with it.
  private build(): void {
    const { button, dialog } = help(TEXTS, KEYS);
    const link = (id: string, text: string) => h("a", { href: `#${id}`, click: jump(id) }, text);
    const finder = new Finder(this.hosts, (id) => this.openHost(id), () => this.groups.keys());
    document.body.replaceChildren(
      h("nav", { "aria-label": "Parts of the page" }, h("h1", { class: "brand" }, document.title.replace(/^(\(\d+\)|[?!…]) /, "")), link("incidents", "Incidents"), link("groups", "Groups"), link("spread", "One quantity"), finder.element, h("span", { class: "tools" }, button)),
      h(
        "main",
        {},
        h("div", { class: "answer" }, this.answer.element, this.incidents.element),
        h("div", { class: "detail" }, this.why.element, this.groups.element, this.host.element, this.spread.element),
      ),
      dialog,
    );
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      event.preventDefault();
      document.getElementById("find")?.focus();
    });
  }

  private async begin(): Promise<void> {
    const mine = ++this.asked;
    this.begun = false;
    this.meanwhile = [];
    try {
      const [status, page] = await Promise.all([askInTurn<FleetStatus>("/api/v1/fleet"), askInTurn<{ incidents: Incident[]; next: string | null }>(INCIDENTS)]);
      if (mine !== this.asked) return;
      if (!document.documentElement.dataset.ready) this.build();
      this.begun = true;
      this.answer.begin(status);
      this.groups.begin(status.groups);
      this.incidents.begin(page, this.place.get("incident"));
      this.meanwhile.forEach((one) => this.incidents.take(one));
      this.follow();
      document.documentElement.dataset.ready = "yes";
    } catch {
      window.setTimeout(() => mine === this.asked && this.connected && void this.begin(), AGAIN);
    }
  }

  private second(event: FleetEvent): void {
    this.answer.take(event);
    const isNew = this.groups.take(event);
    this.answer.knows(this.groups.know());
    if (isNew && this.begun) void this.count().catch(() => undefined);
  }

  private async count(): Promise<void> {
    const status = await askInTurn<FleetStatus>("/api/v1/fleet");
    this.answer.begin(status);
    this.groups.begin(status.groups);
    if (!this.place.quantityGroup()) this.showFirst();
  }

  private told(incident: Incident): void {
    if (!this.begun) this.meanwhile.push(incident);
    else this.incidents.take(incident);
  }

  private chosen(incident: Incident | null): void {
    const isOther = incident !== null && incident.id !== this.place.get("incident");
    this.why.show(incident);
    if (!incident) return;
    if (isOther) this.place.set({ incident: incident.id });
    const evidence = mainEvidence(incident);
    // A quantity that somebody chose himself stays.
    if (isOther || !this.place.quantityGroup()) this.showQuantity(incident.group, evidence ? keyOf(evidence) : "", false);
  }

  // Shows what the address names.
  private follow(): void {
    const incident = this.place.get("incident");
    if (isId(incident) && incident !== this.incidents.chosen?.id) void this.incidents.want(incident);
    const host = this.place.get("host");
    if (host) void this.host.open(host);
    const group = this.place.get("group");
    if (group) this.showQuantity(group, this.place.get("quantity"), false);
    else if (!this.place.quantityGroup()) this.showFirst();
  }

  // Without an incident: the first group that has peers.
  private showFirst(): void {
    const first = this.groups.first();
    if (first) this.showQuantity(first.key, "", false);
  }

  private showQuantity(group: string, key: string, isAsked: boolean): void {
    const known = this.groups.known(group);
    if (!known) return;
    this.place.shows(group);
    if (isAsked) this.place.set({ group, quantity: key });
    void this.spread.show(known, key);
    if (isAsked) this.spread.element.scrollIntoView({ block: "start", behavior: moves() });
  }

  private openHost(id: string): void {
    this.place.set({ host: id });
    void this.host.open(id);
  }

  // Those that an incident is about, and those of which it has this quantity as evidence.
  private slowHosts(group: string, quantity: string): string[] {
    return this.incidents.ofGroup(group).flatMap((one) => {
      const main = mainHost(one);
      const named = one.hosts.filter((host) => host === main || host.evidence.some((other) => keyOf(other) === quantity));
      named.sort((a, b) => Number(b === main) - Number(a === main));
      return named.filter((host) => !host.recovered).map((host) => host.id);
    });
  }
}

function moves(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
}

// Goes to a part of the page, and leaves what the address says of incidents and hosts.
function jump(id: string): (event: MouseEvent) => void {
  return (event) => {
    event.preventDefault();
    document.getElementById(id)?.scrollIntoView({ block: "start", behavior: moves() });
  };
}

new Page();
