"""Pictures of the set-up's pages for docs/screens.md, on a tablet and on a phone; a part of `make screens`."""

import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

from table_controller.setup.file import write_answers
from table_controller.setup.steps import STEPS
from table_controller.setup.web import create_setup
from tests.dashboard.screens import CHROMIUM, DOCS, QUIETLY, SIZES, small
from tests.setup.test_measuring import PLAN, stills

CODE: Final = "4f2a"
ELSEWHERE: Final = """places => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    for (const [here, there] of Object.entries(places))
      texts.currentNode.data = texts.currentNode.data.replaceAll(here, there);
}"""
"""A picture shows where a house keeps these, not where it was taken."""
LOOKS: Final = (("landscape", "en", ""), ("phone", "pl", "-phone"))
ANSWERS: Final = """table = "T07"
rules = "golden_wolf"
data = "data"
[camera]
source = "rendered:"
jumbo = true
"""


def section() -> list[str]:
    """The part of docs/screens.md about the set-up."""
    lines = ["## The technician's hour: `krupier setup`", ""]
    for step in STEPS:
        for size, language, suffix in LOOKS:
            wide, high = SIZES[size]
            shows = f"The set-up, step “{step.name}”{', on a phone' if suffix else ''}."
            lines += [f"**{shows}** ({wide}×{high}, {language})", ""]
            lines += [f"![{shows}](screens/setup-{step.name}{suffix}.png)", ""]
    return lines


def listed() -> None:
    """Puts the part at the end of docs/screens.md, in the place of an older one."""
    page, part = DOCS / "screens.md", section()
    before, _, _ = page.read_text("utf-8").partition(part[0])
    page.write_text(before.rstrip() + "\n\n" + "\n".join(part).rstrip() + "\n", "utf-8")


def main(only: tuple[str, ...] = ()) -> int:
    """Takes all of them, or those named; 1 if a page is wider than its screen."""
    too_wide = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        os.environ["KRUPIER_KEYS"] = str(Path(folder) / "pairing.json")
        config = Path(folder) / "table.toml"
        config.write_text(ANSWERS)
        seen = stills(Path(folder) / "seen")
        config.with_name("markers.toml").write_text(PLAN)
        server = make_server("127.0.0.1", 0, create_setup(config, CODE), threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        page = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIETLY)).new_page()
        page.goto(base)
        page.get_by_label("Kod").fill(CODE)
        page.get_by_role("button", name="Zacznij").click()
        write_answers(config, {"camera.source": seen})
        page.goto(f"{base}/step/measure")
        page.locator("button[value=take]").click(timeout=90_000)
        page.get_by_role("status").wait_for(timeout=90_000)
        for size, language, suffix in LOOKS:
            wide, high = SIZES[size]
            page.set_viewport_size({"width": wide, "height": high})
            for step in STEPS:
                name = f"setup-{step.name}{suffix}"
                if only and name not in only:
                    continue
                # A drawn felt is not measured; anywhere else a folder would look like a camera that stands still.
                write_answers(config, {"camera.source": seen if step.name == "measure" else "rendered:"})
                page.goto(f"{base}/step/{step.name}?lang={language}", timeout=90_000)
                if page.evaluate("document.documentElement.scrollWidth") > wide:
                    too_wide.append(name)
                page.evaluate(
                    ELSEWHERE, {folder: "/var/lib/krupier", str(Path(sys.executable).parent): "/opt/krupier/bin"}
                )
                (DOCS / "screens" / f"{name}.png").write_bytes(small(page.screenshot(full_page=True)))
                sys.stderr.write(f"{name}\n")
        server.shutdown()
    listed()
    sys.stderr.write(f"too wide: {', '.join(too_wide) or 'none'}\n")
    return 1 if too_wide else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
