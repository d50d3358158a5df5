"""`krupier devices` and `krupier monitor`: what is plugged in, pairing it, watching it. Exit codes as everywhere."""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click

from firmware_bridge.describe import fitted_words
from firmware_bridge.errors import BridgeError, PortUnusable
from firmware_bridge.framing import FrameReader
from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile, default_path
from firmware_bridge.link import usb_adapters
from firmware_bridge.messages import Fitted, Flags, Hello, ResetCause
from firmware_bridge.monitor import frames, line_of, watch
from firmware_bridge.texts import LANGUAGES, text
from firmware_bridge.visit import Visit, look
from firmware_bridge.visit import pair as pair_board

EVERYTHING = "shoe,cut_card,buttons,dealer_keys,bet_sensors,lamps,burn_key"


def _language() -> str:
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "en"
    return spoken[:2] if spoken[:2] in LANGUAGES else "en"


T = TypeVar("T")

port_option = click.option("--port", help="Serial port; may be left out when exactly one adapter is plugged in.")
lang_option = click.option("--lang", type=click.Choice(LANGUAGES), default=_language, help="Language of the messages.")


@click.group(invoke_without_command=True)
@port_option
@lang_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object per board.")
@click.pass_context
def devices(ctx: click.Context, port: str | None, lang: str, as_json: bool) -> None:
    """List the boards: what is plugged in, what it is, its firmware, its health."""
    if ctx.invoked_subcommand:
        return
    keys = KeyFile(default_path())
    visits = _or_refuse(lambda: [look(path, Policy(keys.key_of)) for path in _ports(port, lang)])
    for visit in visits:
        click.echo(json.dumps(as_dict(visit, lang), ensure_ascii=False) if as_json else as_lines(visit, lang))
    if not visits:
        none = {"ok": False, "check": "none", "advice": text("none", lang)}
        click.echo(json.dumps(none, ensure_ascii=False) if as_json else none["advice"], err=not as_json)
    sys.exit(int(not visits or any(visit.check != "ok" for visit in visits)))


@devices.command()
@port_option
@lang_option
@click.option("--fitted", default=EVERYTHING, show_default=True, help="What is wired to this board, comma-separated.")
def pair(port: str | None, lang: str, fitted: str) -> None:
    """Give a board a new key. Its pairing jumper must be set and its cable must go straight to this computer."""
    parts = _or_refuse(lambda: _parse_fitted(fitted))
    path = _or_refuse(lambda: _the_port(port, lang))
    keys = KeyFile(default_path())
    _or_refuse(keys.all)
    try:
        pairing = pair_board(path, parts)
    except PortUnusable as unusable:
        click.echo(text(unusable.check, lang, path=path), err=True)
        sys.exit(1)
    _or_refuse(lambda: keys.put(pairing.device, pairing.key))
    click.echo(text("paired", lang, device=pairing.device))


@devices.command()
@click.argument("device")
@lang_option
def revoke(device: str, lang: str) -> None:
    """Forget a board's key: from now on this computer refuses it."""
    known = _or_refuse(lambda: KeyFile(default_path()).forget(device))
    click.echo(text("revoked" if known else "not_paired", lang, device=device), err=not known)
    sys.exit(int(not known))


@click.command()
@port_option
@lang_option
@click.option("--seconds", type=float, help="End after so long instead of at Ctrl-C.")
@click.option("--raw", is_flag=True, help="Show every frame in both directions.")
def monitor(port: str | None, lang: str, seconds: float | None, raw: bool) -> None:
    """Show live traffic of one board. Takes nothing away: the board keeps its events."""
    path = _or_refuse(lambda: _the_port(port, lang))
    keys = KeyFile(default_path())
    click.echo(text("watching", lang, path=path), err=True)
    _or_refuse(keys.all)
    up, down = FrameReader(), FrameReader()
    try:
        for glimpse in watch(path, Policy(keys.key_of), seconds):
            for output in glimpse.outputs:
                click.echo(f"{time.strftime('%H:%M:%S')} {line_of(output, lang)}")
            if raw:
                for line in [*frames("<", up, glimpse.heard), *frames(">", down, glimpse.said)]:
                    click.echo(line)
    except PortUnusable as unusable:
        click.echo(text(unusable.check, lang, path=path), err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(0)


def as_dict(visit: Visit, language: str) -> dict[str, Any]:
    """What `--json` prints of one board."""
    found: dict[str, Any] = {
        "port": visit.path,
        "ok": visit.check == "ok",
        "check": visit.check,
        "advice": text(visit.check, language, path=visit.path),
    }
    return {**found, **_facts(visit.hello)} if visit.hello else found


def as_lines(visit: Visit, language: str) -> str:
    """What the plain listing prints of one board."""
    advice = text(visit.check, language, path=visit.path)
    if visit.hello is None:
        return f"{visit.path}\n  {advice}"
    facts = "  ".join(f"{name} {value}" for name, value in _facts(visit.hello).items())
    return f"{visit.path}\n  {facts}\n  {advice}"


def _facts(hello: Hello) -> dict[str, Any]:
    return {
        "device": hello.device.hex(),
        "firmware": f"{hello.major}.{hello.minor}",
        "protocol": hello.version,
        "fitted": fitted_words(hello.fitted),
        "paired": bool(hello.flags & Flags.PAIRED),
        "boot": hello.boot,
        "reset": ",".join(str(cause.name).lower() for cause in ResetCause if hello.reset & cause) or "unknown",
        "kept": hello.next - hello.first,
        "lost": hello.lost,
    }


def _ports(port: str | None, language: str) -> list[str]:
    if port and not os.path.exists(port):
        raise BridgeError(text("no_such_port", language, path=port))
    return [port] if port else sorted(adapter.path for adapter in usb_adapters())


def _the_port(port: str | None, language: str) -> str:
    ports = _ports(port, language)
    if len(ports) != 1:
        raise BridgeError(text("several" if ports else "none", language))
    return ports[0]


def _parse_fitted(words: str) -> int:
    known = {str(part.name).lower(): part for part in Fitted}
    fitted = 0
    for word in words.split(","):
        if word not in known:
            raise BridgeError(f"--fitted: {word!r} is none of {', '.join(known)}")
        fitted |= known[word]
    return fitted


def _or_refuse(action: Callable[[], T]) -> T:
    """The action's result; an unusable request ends in one line and exit status 2."""
    try:
        return action()
    except (BridgeError, OSError) as error:
        _refuse(str(error))


def _refuse(line: str) -> NoReturn:
    click.echo(f"krupier: {line}", err=True)
    sys.exit(2)
