// What a page means, on the page.
import { h } from "../dom";

export const TIMES: [string, string] = ["Times", "All times are UTC."];

const TEXTS: [string, string][] = [
  ["State", "Learning: what is usual on this host is not known yet; that takes a minute. Judging: each window gets a verdict, one a second. Degraded: something is missing; the line below says what."],
  ["Strength", "How far the votes of the detectors go in a window. From 1 on, the dashed line, enough of them agree for an alarm; it becomes a finding if work was stalled meanwhile."],
  ["Shares", "Which subsystem the unusual channels of a window belong to. The fainter, the less there is that is unusual."],
  ["Lines across", "No window was judged then: the agent did not run yet, was learning, or missed too much."],
  ["Finding", "A stretch of time in which work was stalled and the detectors agree. While it is open its figures still change. The table has the evidence: what was observed, and what is usual, as median and median absolute deviation."],
  ["Charts", "The line is the mean of a bucket, the gray its lowest and highest sample, the green band three deviations around what is usual. Point at a chart, and all charts show that time."],
  TIMES,
];

const KEYS = "Press ? for this help.";

// Returns the help as a dialog, and the button that shows it.
export function help(texts = TEXTS, keys = KEYS): { button: HTMLElement; dialog: HTMLDialogElement } {
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "What this page shows"),
    h("dl", {}, ...texts.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    h("p", { class: "hint" }, keys),
    h("form", { method: "dialog" }, h("button", { class: "more", type: "button", click: () => dialog.close() }, "Close")),
  );
  const button = h("button", { type: "button", class: "link", click: () => dialog.showModal() }, "Help");
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.target instanceof HTMLInputElement || dialog.open) return;
    dialog.showModal();
  });
  return { button, dialog };
}
