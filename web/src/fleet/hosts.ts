// The hosts of each group by name, asked for when they are needed, and again when they may be others.
import { askInTurn } from "./ask";
import type { HostList } from "./api";

const NONE: HostList = { id: [], name: [], standing: [], standings: [] };

export class Hosts {
  private readonly lists = new Map<string, HostList>();
  private readonly asked = new Map<string, Promise<HostList>>();
  private readonly changes = new Map<string, number>(); // of the order

  // Returns what is known of a group.
  of(group: string): HostList {
    return this.lists.get(group) ?? NONE;
  }

  // Asks anew. The browser keeps the answer, and the analyser says if it is the same.
  ask(group: string): Promise<HostList> {
    const under = this.asked.get(group);
    if (under) return under;
    const answer = askInTurn<{ hosts: HostList }>(`/api/v1/hosts?group=${encodeURIComponent(group)}`)
      .then(({ hosts }) => {
        const before = this.lists.get(group);
        if (before && before.id.join() !== hosts.id.join()) this.changes.set(group, this.changed(group) + 1);
        this.lists.set(group, hosts);
        return hosts;
      })
      .finally(() => this.asked.delete(group));
    this.asked.set(group, answer);
    return answer;
  }

  // Returns how often the hosts of a group became others.
  changed(group: string): number {
    return this.changes.get(group) ?? 0;
  }

  // Asks for the groups that nobody has asked for yet, one after the other.
  async askAll(groups: string[]): Promise<void> {
    for (const group of groups) if (!this.lists.has(group)) await this.ask(group).catch(() => undefined);
  }

  // Returns group and place of those hosts whose names have all words, at most so many.
  find(words: string[], most: number): { group: string; host: number; name: string; id: string }[] {
    const out = [];
    for (const [group, { id, name }] of this.lists) {
      for (let host = 0; host < name.length && out.length < most; ++host) {
        const text = `${name[host]} ${id[host]}`.toLowerCase();
        if (words.every((word) => text.includes(word))) out.push({ group, host, name: name[host]!, id: id[host]! });
      }
    }
    return out;
  }
}

// What a standing means, in words.
export const STANDINGS: Record<string, string> = {
  compared: "compared with its peers",
  silent: "silent: it has told nothing for five seconds or more",
  two_hosts: "not compared: two hosts have its id",
  clock_off: "not compared: its clock is off by more than a second",
  other_bucket: "not compared: its levels are not those of seconds",
  unknown: "not compared yet: its facts or its dictionary have not come",
};
