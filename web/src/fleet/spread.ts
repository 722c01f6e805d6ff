// One quantity over all hosts of a group, live: which lie apart, since when, and how far.
import { h, whenSeen } from "../dom";
import { Refused } from "../live/api";
import { askInTurn } from "./ask";
import { headingOf, SUBSYSTEMS } from "../model";
import { number, quantity } from "../text";
import { shortName, type Group, type LevelsAnswer, type Quantity } from "./api";
import { Heat } from "./heat";
import type { Hosts } from "./hosts";
import { KEPT, Levels } from "./levels";
import { Lines, type Shown } from "./lines";

const AGAIN = 2000; // ms before it is asked again which quantities there are
const EVERY = 1000; // ms between two looks
const LINES = 5; // hosts that have a line of their own
const STEADY = 3000; // ms for which these stay the same
const OVER = 30; // seconds by which it is judged which these are
const MANY = 2000; // hosts of which the first look is shorter
const FIRST = 100; // seconds of that

export interface SpreadListener {
  openHost(id: string): void;
  slowHosts(group: string, quantity: string): string[]; // ids of those that open incidents name by it, the cause first
  shown(group: string, quantity: string): void; // somebody chose it
}

export class Spread {
  readonly element: HTMLElement;
  private group: Group | null = null;
  private quantities: Quantity[] = [];
  private key = ""; // of the one that is shown
  private wanted = ""; // of the one that is to be, once it is known which there are
  private order = 0; // of the group's hosts, as it was
  private levels = new Levels();
  private loaded = 0; // ms, when it was asked which there are
  private asking = false;
  private isSeen = false;
  private chosen: Shown[] = [];
  private chosenAt = 0;
  private readonly title = h("h2", {}, "One quantity over all hosts");
  private readonly select = h("select", { id: "quantity", "aria-label": "quantity" });
  private readonly note = h("p", { class: "hint", role: "status" });
  private readonly apart = h("p", { class: "apart" });
  private readonly picture = h("div", { class: "canvas" });
  private readonly lines = new Lines(() => undefined);
  private readonly heat: Heat;

  constructor(
    private readonly hosts: Hosts,
    private readonly listener: SpreadListener,
  ) {
    this.heat = new Heat({
      name: (host) => this.name(host),
      isSlow: (host) => this.chosen.some((one) => one.host === host && one.slow),
      open: (host) => this.open(host),
    });
    this.picture.hidden = true;
    this.picture.append(this.lines.element, this.heat.element);
    this.element = h(
      "section",
      { id: "spread", class: "spread", hidden: true, "aria-label": "One quantity over all hosts" },
      h("header", { class: "bar" }, this.title, h("span", { class: "choice" }, this.select)),
      this.note, this.apart, this.picture,
    );
    this.select.addEventListener("change", () => {
      this.pick(this.select.value);
      if (this.group) listener.shown(this.group.key, this.key);
    });
    whenSeen(this.element, () => {
      this.isSeen = true;
      void this.look();
    });
    window.setInterval(() => void this.look(), EVERY);
  }

  // Shows a quantity of a group; one that is likely to matter if none is named.
  async show(group: Group, key = ""): Promise<void> {
    this.wanted = key || (group.key === this.group?.key ? this.wanted : "");
    if (group.key === this.group?.key) return this.choose();
    this.group = group;
    this.quantities = [];
    this.key = "";
    this.element.hidden = false;
    this.title.textContent = `One quantity over all hosts of ${group.name}`;
    this.forget();
    await this.load();
  }

  // Asks which quantities there are. A group that has just come may have none yet.
  private async load(): Promise<void> {
    const { group } = this;
    if (!group) return;
    this.loaded = Date.now();
    try {
      const address = `/api/v1/quantities?group=${encodeURIComponent(group.key)}`;
      const [{ quantities }] = await Promise.all([askInTurn<{ quantities: Quantity[] }>(address), this.hosts.askAll([group.key])]);
      if (this.group?.key !== group.key) return;
      this.quantities = quantities;
      this.list();
      this.choose();
    } catch (error) {
      if (this.group?.key === group.key) set(this.note, error instanceof Error ? error.message : String(error));
    }
  }

  private choose(): void {
    const isKnown = this.quantities.some((one) => one.key === this.wanted);
    if (this.wanted && !isKnown && Date.now() - this.loaded > AGAIN) return void this.load();
    if (this.quantities.length === 0) return set(this.note, "No host of this group has told yet what its levels mean.");
    const wanted = this.quantities.find((one) => one.key === this.wanted) ?? this.quantities.find((one) => one.key === this.key) ?? this.usual()!;
    if (wanted.key !== this.key) this.pick(wanted.key);
  }

  private usual(): Quantity | undefined {
    return this.quantities.find((one) => one.saturation) ?? this.quantities[0];
  }

  private list(): void {
    const options = SUBSYSTEMS.flatMap((subsystem) => {
      const own = this.quantities.filter((one) => one.subsystem === subsystem);
      own.sort((a, b) => Number(b.saturation) - Number(a.saturation) || (a.phrase < b.phrase ? -1 : 1));
      return own.length === 0
        ? []
        : [h("optgroup", { label: headingOf(subsystem) }, ...own.map((one) => h("option", { value: one.key }, `${one.phrase}${one.saturation ? " (a wait or loss)" : ""}`)))];
    });
    this.select.replaceChildren(...options);
  }

  private pick(key: string): void {
    this.key = key;
    this.wanted = key;
    this.select.value = key;
    this.forget();
    void this.look();
  }

  private forget(): void {
    this.levels = new Levels();
    this.order = this.hosts.changed(this.group?.key ?? "");
    this.chosen = [];
    this.apart.dataset.state = "";
    this.apart.replaceChildren();
    this.picture.hidden = true;
    this.note.textContent = "The analyser is asked…";
  }

  private quantity(): Quantity | undefined {
    return this.quantities.find((one) => one.key === this.key);
  }

  private async look(): Promise<void> {
    const what = this.quantity();
    if (this.group && this.quantities.length === 0 && Date.now() - this.loaded > AGAIN) return this.load();
    if (!this.group || !what || this.asking || !this.isSeen || document.visibilityState === "hidden") return;
    this.asking = true;
    // Levels come in the order of the hosts.
    if (this.order !== this.hosts.changed(this.group.key)) this.forget();
    const { levels, key } = this;
    try {
      const answer = await askInTurn<LevelsAnswer>(this.address());
      if (levels !== this.levels) return;
      if (levels.hosts > 0 && levels.hosts !== answer.hosts) {
        await this.hosts.ask(this.group.key);
        return this.forget();
      }
      await levels.take(answer);
      if (levels !== this.levels) return;
      this.draw(what);
    } catch (error) {
      if (levels !== this.levels) return;
      const why = error instanceof Refused ? error.message : "The analyser does not answer; it is asked again.";
      this.note.textContent = why;
    } finally {
      this.asking = false;
      if (key !== this.key) void this.look();
    }
  }

  private address(): string {
    const first = this.group!.hosts > MANY ? FIRST : KEPT;
    const words = new URLSearchParams({ group: this.group!.key, quantity: this.key, seconds: String(first) });
    const last = this.levels.last();
    if (last) words.set("after", String(last.begin));
    return `/api/v1/levels?${words.toString()}`;
  }

  private draw(what: Quantity): void {
    const { levels } = this;
    const last = levels.last();
    this.picture.hidden = !last;
    if (!last) {
      this.note.textContent = "No second of this quantity has come yet; it is kept from now on.";
      return;
    }
    const shown = this.apartHosts();
    levels.leaveOut(shown.map((one) => one.host));
    this.lines.show(levels, shown, what.unit, what.phrase);
    this.heat.show(levels, what.unit, what.phrase);
    const wait = levels.seconds.length < FIRST && !what.kept ? " It is kept since it was first asked for." : "";
    set(this.note, `The band has nine tenths of the ${shown.length > 0 ? "other" : number(levels.hosts)} hosts, the dashes are the median. In the map each row is ${levels.hosts > 160 ? "some hosts" : "a host"}; red lies above the median, blue below.${wait}`);
    this.tell(shown, what);
  }

  // Returns the hosts that have lines of their own: those of open incidents, else the farthest ones.
  private apartHosts(): Shown[] {
    if (Date.now() - this.chosenAt < STEADY && this.chosen.length > 0) return this.chosen;
    this.chosenAt = Date.now();
    const list = this.hosts.of(this.group!.key);
    const slow = this.listener.slowHosts(this.group!.key, this.key).map((id) => list.id.indexOf(id)).filter((host) => host >= 0 && host < this.levels.hosts);
    const far = this.levels.distances(OVER);
    const least = leastApart(far, this.levels.last()!.median);
    const others = [...far.keys()]
      .filter((host) => Math.abs(far[host]!) > least && !slow.includes(host))
      .sort((a, b) => Math.abs(far[b]!) - Math.abs(far[a]!));
    this.chosen = [...slow, ...others].slice(0, LINES).map((host) => ({ host, name: shortName(this.name(host)), slow: slow.includes(host) }));
    return this.chosen;
  }

  // Names the hosts that lie apart. Their figures change each second; a button that is made anew
  // meanwhile would miss its click.
  private tell(shown: Shown[], what: Quantity): void {
    const last = this.levels.last()!;
    const figures = [...shown.map((one) => last.levels[one.host]), last.median].map((one) => quantity(one, what.unit));
    const state = `${what.key} ${shown.map((one) => `${one.host}${one.name}${one.slow}`).join()}`;
    if (state !== this.apart.dataset.state) {
      this.apart.dataset.state = state;
      const links = shown.flatMap((one) => [
        h("button", { type: "button", class: `link${one.slow ? " is-slow" : ""}`, click: () => this.open(one.host) }, one.name), " ", h("span", {}), ", ",
      ]);
      this.apart.replaceChildren(...(shown.length > 0 ? ["Apart from the others: ", ...links] : ["No host lies apart from the others; "]), "the median is ", h("span", {}));
    }
    this.apart.querySelectorAll("span").forEach((one, i) => set(one, figures[i]!));
  }

  private name(host: number): string {
    return (this.group && this.hosts.of(this.group.key).name[host]) ?? `host ${host + 1}`;
  }

  private open(host: number): void {
    const id = this.group && this.hosts.of(this.group.key).id[host];
    if (id) this.listener.openHost(id);
  }
}

// Returns how far a host is from the median if it lies apart: several times as far as hosts do, more
// than a level is exact, and not next to nothing beside the farthest.
function leastApart(far: Float64Array, median: number): number {
  const sizes = far.map((one) => Math.abs(one)).filter((one) => !Number.isNaN(one)).sort();
  if (sizes.length === 0) return Infinity;
  return Math.max(6 * sizes[sizes.length >> 1]!, Math.abs(median) * 0.02, sizes[sizes.length - 1]! / 5);
}

function set(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
