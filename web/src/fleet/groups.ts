// The groups: of each, how its hosts are, in a grid of cells.
import { h, whenSeen } from "../dom";
import { moment } from "../live/state";
import { number } from "../text";
import { shortName, timeOf, type FleetEvent, type Group, type GroupNow } from "./api";
import { Grid } from "./grid";
import type { Hosts } from "./hosts";
import { ABSENT, LIMIT, markWords, SLOW, takeMarks, UNKNOWN } from "./marks";

const AGAIN = 30_000; // ms between two looks at which hosts a group has
const FIRST = 40; // groups that are shown before one asks for more
const PAINTED = "fleet-grid";
const FRESH = 6; // seconds within which a group is judged as a rule
const FARTHEST = 3; // hosts that are named below a grid
const WIDE = 64; // hosts of a group that has the whole width

export interface GroupsListener {
  openHost(id: string): void;
  openGroup(key: string): void;
}

function plural(count: number, word: string): string {
  return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

// How a group is, in words.
function said(group: Group, now: number): string {
  if (group.hosts === 1) return "one host: it has no peers to be compared with";
  const present = group.present === group.hosts ? plural(group.hosts, "host") : `${number(group.present)} of ${plural(group.hosts, "host")} told the last second`;
  const end = group.judged_end ? timeOf(group.judged_end) : null;
  const judged = end === null ? "not judged yet" : now - end > FRESH ? `judged up to ${moment(end)}` : "";
  const pair = group.hosts === 2 ? "two can differ, but nobody can say which is the slow one" : "";
  const doubt = group.judged_end && !group.certain ? "too few of them told the last second for anybody to be accused" : "";
  return [present, judged, pair, doubt].filter(Boolean).join("; ");
}

class Card {
  readonly element: HTMLElement;
  private marks: Uint8Array | null = null;
  private asked = 0;
  private now = 0; // by the broker's clock
  private readonly grid: Grid;
  private readonly count = h("span", { class: "count" });
  private readonly words = h("p", { class: "hint said" });
  private readonly farthest = h("p", { class: "farthest" });
  private readonly wait = h("p", { class: "hint" }, "No second of this group has come yet.");

  constructor(
    public group: Group,
    private readonly hosts: Hosts,
    private readonly listener: GroupsListener,
    marks: Uint8Array | undefined,
  ) {
    this.grid = new Grid(`Hosts of ${group.name}: arrow keys go from host to host, Enter opens one`, {
      name: (host) => this.hosts.of(group.key).name[host] ?? "",
      words: (host) => this.wordsOf(host),
      open: (host) => this.open(host),
    });
    const title = h("button", { type: "button", class: "link", click: () => listener.openGroup(group.key) }, group.name);
    this.element = h(
      "article",
      { class: "group", "data-group": group.key, "aria-label": group.name },
      h("header", {}, h("h3", {}, title), this.count),
      this.words, this.wait, this.grid.element, this.farthest,
    );
    whenSeen(this.element, () => void this.askHosts());
    if (marks) this.mark(marks);
    this.show();
  }

  take(group: GroupNow & { marks?: string; changes?: string }, now: number): void {
    const { marks, changes, ...rest } = group;
    this.now = now;
    const others = rest.hosts !== this.group.hosts || rest.slow !== this.group.slow;
    Object.assign(this.group, rest);
    const taken = takeMarks(this.marks, marks, changes);
    if (taken && taken.changed !== "all") this.grid.change(taken.changed);
    else if (taken) this.mark(taken.marks);
    if (others || Date.now() - this.asked > AGAIN) void this.askHosts();
    this.show();
  }

  private mark(marks: Uint8Array): void {
    this.marks = marks;
    this.wait.hidden = true;
    this.grid.show(marks);
    // When hosts are first seen.
    if (performance.getEntriesByName(PAINTED).length === 0) performance.mark(PAINTED);
  }

  knows(): boolean {
    return this.marks?.some((mark) => mark > UNKNOWN) ?? false;
  }

  // Returns whether it needs the whole width.
  isWide(): boolean {
    return this.group.hosts > WIDE;
  }

  private async askHosts(): Promise<void> {
    this.asked = Date.now();
    const before = this.hosts.of(this.group.key);
    try {
      const now = await this.hosts.ask(this.group.key);
      if (now.id.join() !== before.id.join()) this.grid.named();
      this.show();
    } catch {
      // The analyser is away, or the group is gone; the stream says so.
    }
  }

  private open(host: number): void {
    const id = this.hosts.of(this.group.key).id[host];
    if (id) this.listener.openHost(id);
  }

  private wordsOf(host: number): string {
    const { name, standing, standings } = this.hosts.of(this.group.key);
    const mark = this.marks?.[host] ?? ABSENT;
    const word = standings[standing[host] ?? -1];
    const why = mark === ABSENT && word && word !== "compared" ? word.replace(/_/g, " ") : markWords(mark);
    return `${name[host] ?? `host ${host + 1}`}: ${why}`;
  }

  private show(): void {
    const { group } = this;
    this.element.classList.toggle("wide", this.isWide());
    this.element.classList.toggle("slow", group.slow > 0);
    set(this.count, group.slow > 0 ? `${number(group.slow)} slow` : "");
    set(this.words, said(group, this.now));
    this.showFarthest();
  }

  // Names those that lie beyond their limits, the farthest first.
  private showFarthest(): void {
    const marks = this.marks ?? new Uint8Array();
    const far: number[] = [];
    for (let host = 0; host < marks.length; ++host) if (marks[host]! >= LIMIT) far.push(host);
    far.sort((a, b) => marks[b]! - marks[a]! || a - b);
    const { name } = this.hosts.of(this.group.key);
    const shown = far.slice(0, FARTHEST).filter((host) => name[host]);
    const state = shown.map((host) => `${host}:${name[host]}:${marks[host]! === SLOW}`).join() + far.length;
    this.farthest.hidden = !this.marks || this.group.hosts === 1;
    if (state === this.farthest.dataset.state) return;
    this.farthest.dataset.state = state;
    const links = shown.flatMap((host, i) => [
      i > 0 ? ", " : "",
      h("button", { type: "button", class: "link", click: () => this.open(host), title: name[host]! }, shortName(name[host]!)),
      marks[host] === SLOW ? " (slow)" : "",
    ]);
    const more = far.length > shown.length ? ` and ${number(far.length - shown.length)} more` : "";
    // A line in any case: without one, all below would jump.
    this.farthest.replaceChildren(...(shown.length > 0 ? ["Beyond their limits: ", ...links.filter(Boolean), more] : ["No host lies beyond its limits."]));
  }
}

export class Groups {
  readonly element: HTMLElement;
  private readonly cards = new Map<string, Card>();
  private readonly early = new Map<string, Uint8Array>(); // marks of groups that are not known yet
  private all = false;
  private readonly list = h("div", { class: "groups" });
  private readonly more = h("button", { type: "button", class: "more", hidden: true });

  constructor(
    private readonly hosts: Hosts,
    private readonly listener: GroupsListener,
  ) {
    const key = (name: string, words: string) => h("span", { class: "key" }, h("i", { class: name, "aria-hidden": "true" }), words);
    this.element = h(
      "section",
      { id: "groups", "aria-label": "Groups", hidden: true },
      h(
        "header",
        { class: "bar" },
        h("h2", {}, "Groups"),
        h("span", { class: "legend hint" }, key("calm", "as its peers"), key("apart", "at the limit"), key("beyond", "beyond it"), key("slow", "slow"), key("absent", "not compared")),
      ),
      this.list,
      this.more,
    );
    this.more.addEventListener("click", () => {
      this.all = true;
      this.order([...this.cards.values()].map((one) => one.group));
    });
  }

  known(key: string): Group | undefined {
    return this.cards.get(key)?.group;
  }

  keys(): string[] {
    return [...this.cards.keys()];
  }

  // Returns whether of any host it is known what is usual.
  know(): boolean {
    return [...this.cards.values()].some((one) => one.knows());
  }

  // Returns the first group whose hosts have peers, else the first.
  first(): Group | undefined {
    const groups = [...this.cards.values()].map((one) => one.group);
    return groups.find((one) => one.hosts > 1) ?? groups[0];
  }

  // Takes all groups, in the order in which they are to be shown.
  begin(groups: Group[]): void {
    for (const key of this.cards.keys()) if (!groups.some((one) => one.key === key)) this.cards.delete(key);
    for (const group of groups) {
      const card = this.cards.get(group.key);
      if (card) card.group = group;
      else this.cards.set(group.key, new Card(group, this.hosts, this.listener, this.early.get(group.key)));
      this.early.delete(group.key);
    }
    this.element.hidden = groups.length === 0;
    this.element.closest("main")?.classList.toggle("empty", groups.length === 0);
    this.order(groups);
  }

  // Takes a second. Returns whether there is a group that is not known.
  take(event: FleetEvent): boolean {
    let unknown = false;
    for (const now of event.groups) {
      const card = this.cards.get(now.key);
      if (card) {
        card.take(now, event.time === null ? 0 : timeOf(event.time));
        continue;
      }
      unknown = true;
      const taken = takeMarks(this.early.get(now.key) ?? null, now.marks, now.changes);
      if (taken) this.early.set(now.key, taken.marks);
    }
    return unknown;
  }

  private order(groups: Group[]): void {
    const shown = groups.slice(0, this.all ? groups.length : FIRST).map((one) => this.cards.get(one.key)!.element);
    const same = shown.length === this.list.children.length && shown.every((one, i) => this.list.children[i] === one);
    // What is moved loses the focus.
    if (!same && !this.list.contains(document.activeElement)) this.list.replaceChildren(...shown);
    this.more.hidden = shown.length === groups.length;
    this.more.textContent = `${groups.length - shown.length} more groups`;
  }
}

function set(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
