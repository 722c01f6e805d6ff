// The page of a report: the claim of each finding, host by host.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

interface Report {
  host: { name: string };
  findings: { claim: string }[];
}

function line(tag: string, text: string): void {
  const element = document.createElement(tag);
  element.textContent = text;
  document.body.append(element);
}

for (const data of document.querySelectorAll<HTMLScriptElement>("script.report")) {
  const report = JSON.parse(data.text) as Report;
  line("h1", report.host.name);
  if (report.findings.length === 0) line("p", "No anomaly.");
  for (const finding of report.findings) line("p", finding.claim);
}
document.body.dataset.charts = typeof uPlot;
