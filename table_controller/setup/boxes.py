"""The page of the boxes: named, paired, tried on the bench key by key and lamp by lamp, and taken out again."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, flash, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from firmware_bridge.errors import BridgeError, PortUnusable
from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile, default_path
from firmware_bridge.link import Adapter, usb_adapters
from firmware_bridge.outputs import Refusal
from firmware_bridge.texts import text as board_text
from firmware_bridge.visit import pair
from table_controller.setup.bench import LAMPS, Bench
from table_controller.setup.file import AnswerRefused, put_board, read_answers, take_board
from table_controller.setup.wording import TYPED, setup_texts

if TYPE_CHECKING:
    from table_controller.setup.steps import Desk

EVERYTHING: Final = 0x7F
STRANGERS: Final = {Refusal.UNPAIRED.value, Refusal.NO_KEY.value}
"""What the bench says of a board that Pair on the same page would mend."""


class BoxDesk:
    """What the page works with: the one board on the bench, and the ports whose boards are known to be paired."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk
        self._bench: Bench | None = None
        self._paired: set[str] = set()

    def add_to(self, app: Flask) -> None:
        """The tools of the page."""
        app.add_url_rule("/board", "board", self.board, methods=["POST"])

    def facts(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """What the page shows."""
        boards, bench, adapters = answers.get("boards", []), self._bench, self._adapters()
        return {
            "adapters": adapters,
            "there": {one.path for one in adapters if _is_port(one.path)},
            "named": {str(board.get("adapter") or board.get("port")): board["name"] for board in boards},
            "paired": self._paired,
            "bench": bench,
            "bench_state": "" if bench is None else self._note(bench),
            "lamps": range(LAMPS) if bench is not None and bench.state == "ok" else (),
        }

    def _note(self, bench: Bench) -> str:
        """How the board on the bench is doing, and what to do about it on this very page."""
        language = str(session.get("lang", "en"))
        if bench.state == "ok":
            self._paired.add(bench.path)
        if bench.state in STRANGERS:
            self._paired.discard(bench.path)
            return setup_texts(language)["web"]["press_pair"]
        return board_text(bench.state, language, path=bench.path)

    def _adapters(self) -> list[Adapter]:
        """What is plugged in, and whatever else the file names: an adapter that is gone has no path."""
        boards = read_answers(self._desk.config).unwrap().get("boards", [])
        plugged = usb_adapters()
        seen = {one.identity for one in plugged}
        gone = [str(one["adapter"]) for one in boards if one.get("adapter", "") not in {"", *seen}]
        by_port = [str(one["port"]) for one in boards if "port" in one]
        return [*plugged, *(Adapter("", one) for one in gone), *(Adapter(port, port) for port in by_port)]

    @property
    def _keys(self) -> KeyFile:
        """The pairing keys this table uses."""
        named = read_answers(self._desk.config).unwrap().get("pairing_keys")
        return KeyFile(self._desk.config.absolute().parent / str(named) if named else default_path())

    def board(self) -> ResponseReturnValue:
        """Name, add, take out, pair or try a board, or light one of its lamps."""
        language = str(session.get("lang", "en"))
        adapter = next((one for one in self._adapters() if one.identity == request.form.get("adapter")), None)
        try:
            if adapter is not None:
                self._do(adapter, request.form.get("act", ""), language)
            else:
                self._do_without(request.form.get("act", ""), language)
        except PortUnusable as unusable:
            flash(board_text(unusable.check, language, path=unusable.path), "bad")
        except AnswerRefused as wrong:
            flash(wrong.told(language), "bad")
        except BridgeError as wrong:
            flash(str(wrong), "bad")
        return redirect(url_for("step", name="boxes"))

    def _do(self, adapter: Adapter, act: str, language: str) -> None:
        match act:
            case "name":
                key = "port" if adapter.path == adapter.identity else "adapter"
                put_board(self._desk.config, {"name": request.form.get("name", ""), key: adapter.identity})
            case "remove":
                self.leave_bench()
                take_board(self._desk.config, request.form.get("name", ""))
            case "pair":
                self.leave_bench()
                pairing = pair(adapter.path, EVERYTHING)
                self._keys.put(pairing.device, pairing.key)
                self._paired.add(adapter.path)
                flash(board_text("paired", language, device=pairing.device), "good")
            case "try":
                self.leave_bench()
                self._bench = Bench(adapter.path, Policy(self._keys.key_of), language)

    def _do_without(self, act: str, language: str) -> None:
        """What needs no board that is listed: a port by its path, and the bench."""
        lamp = request.form.get("lamp", "")
        if act == "add":
            port = request.form.get("port", "").strip()
            session[TYPED] = {"port": port[:200], "name": request.form.get("name", "")[:40]}
            if not _is_port(port):
                raise AnswerRefused(setup_texts(language)["web"]["no_port"].format(port=port))
            put_board(self._desk.config, {"name": request.form.get("name", ""), "port": port})
            del session[TYPED]
        elif act == "light" and self._bench is not None:
            self._bench.light(int(lamp) if lamp.isdecimal() and int(lamp) < LAMPS else None)
        elif act == "leave":
            self.leave_bench()

    def leave_bench(self) -> None:
        if self._bench is not None:
            self._bench.leave()
            self._bench = None


def _is_port(path: str) -> bool:
    try:
        return Path(path).is_char_device()
    except (OSError, ValueError):
        return False
