// What the address says is shown, after its #, so that a link shows the same:
// #incident=ID&host=ID&group=KEY&quantity=KEY.

type Name = "incident" | "host" | "group" | "quantity";

export class Place {
  private words = new URLSearchParams();
  private shown = ""; // the group of the quantity that is shown

  constructor() {
    this.read();
  }

  onChange(listener: () => void): void {
    window.addEventListener("hashchange", () => {
      this.read();
      listener();
    });
  }

  get(name: Name): string {
    return this.words.get(name) ?? "";
  }

  // Sets some of them; an empty one is left out.
  set(values: Partial<Record<Name, string>>): void {
    for (const [name, value] of Object.entries(values)) {
      if (value) this.words.set(name, value);
      else this.words.delete(name);
    }
    const text = this.words.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  }

  shows(group: string): void {
    this.shown = group;
  }

  quantityGroup(): string {
    return this.shown;
  }

  private read(): void {
    this.words = new URLSearchParams(location.hash.slice(1));
  }
}
