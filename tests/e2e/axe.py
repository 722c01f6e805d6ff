"""axe-core on a page in the browser: what users of screen readers, keyboards or poor sight cannot use.

tools/fetch_axe.sh gets it; nothing of it is part of Reveal.
"""

from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "build/deps/node_modules/axe-core/axe.min.js"

# Of WCAG 2.0 to 2.2, levels A and AA, and what axe-core's authors advise beyond them.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

RUN = """return axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']}).then(({violations, passes}) => ({
  passed: passes.length,
  broken: violations.map(one => [one.impact, one.id, one.help, ...one.nodes.slice(0, 5).map(node =>
      `${node.target.join(' ')}: ${node.failureSummary.replace(/\\s+/g, ' ')}`)]),
}))"""


def why_not() -> str:
    """Why it cannot be used here; empty where it can."""
    return "" if SCRIPT.is_file() else "there is no axe-core; make deps-test"


def violations(page) -> list[list[str]]:
    """What is wrong with the page as it is now: impact, rule, its text, and elements with their faults."""
    if not page.run("return Boolean(window.axe)"):
        page.run(SCRIPT.read_text(encoding="utf-8"))
    found = page.run(RUN, RULES)
    # A page that no rule applies to was not looked at.
    assert found["passed"] > 10, found
    return found["broken"]
