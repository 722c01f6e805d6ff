// A host by its name, of thousands.
import { h } from "../dom";
import type { Hosts } from "./hosts";

const MOST = 12; // that are listed

export class Finder {
  readonly element: HTMLElement;
  private readonly input = h("input", { type: "search", id: "find", placeholder: "find a host", "aria-label": "find a host by its name or id" });
  private readonly count = h("span", { class: "unseen", role: "status" });
  private readonly list = h("ul", { class: "found", hidden: true });

  constructor(
    private readonly hosts: Hosts,
    private readonly open: (id: string) => void,
    private readonly groups: () => string[],
  ) {
    this.element = h("div", { class: "finder" }, this.input, this.count, this.list);
    this.input.addEventListener("input", () => this.search());
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.list.hidden = true;
    });
    this.input.addEventListener("focus", () => {
      this.search();
      void hosts.askAll(this.groups()).then(() => document.activeElement === this.input && this.search());
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  private search(): void {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : this.hosts.find(words, MOST + 1);
    const shown = found.slice(0, MOST);
    this.list.hidden = words.length === 0;
    const rest = found.length > MOST ? "and more: write more of the name" : found.length === 0 ? "no host has that in its name" : "";
    this.list.replaceChildren(
      ...shown.map((one) => h("li", {}, h("button", { type: "button", class: "link", click: () => this.choose(one.id) }, one.name), h("span", { class: "hint" }, ` ${one.group}`))),
      ...(rest ? [h("li", { class: "hint" }, rest)] : []),
    );
    this.count.textContent = words.length === 0 ? "" : `${shown.length} hosts found`;
  }

  private choose(id: string): void {
    this.list.hidden = true;
    this.open(id);
  }

  private key(event: KeyboardEvent): void {
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape") {
      this.list.hidden = true;
      this.input.focus();
    } else if (event.key === "Enter" && at < 0) {
      buttons[0]?.click();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const to = at + (event.key === "ArrowDown" ? 1 : -1);
      (to < 0 ? this.input : buttons[Math.min(to, buttons.length - 1)])?.focus();
    }
  }
}
