"""A table's configuration: one file, declared once, closed; every mistake is told at once."""

from pathlib import Path
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from table_controller import houses
from table_controller.core.parameters import Unusable
from table_controller.misconfigured import WHOLE_FILE, ConfigInvalid, Mistake, mistake


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise PydanticCustomError("no_zone", "no such time zone") from None
    return name


def _house(name: str) -> str:
    try:
        houses.rule_values(name)
        houses.house_values(name)
    except (houses.NoSuchHouse, Unusable, OSError) as unusable:
        raise PydanticCustomError("house", "{why}", {"why": str(unusable)}) from None
    return name


DRAWN: Final = ("rendered:", "photographs:")
"""How the sources begin whose felt is drawn by this program: it lies where it was drawn and needs no calibration."""
SOURCES: Final = r"^((usb|file|recorded|folder|photographs):\S.*|(rtsps?|https?)://\S+|rendered:.*)$"
"""Every way `camera.source` may be written; vision/table_view.py opens them."""

Percent = Annotated[int, Field(ge=1, le=100)]
Port = Annotated[int, Field(ge=1, le=65535)]


class Section(BaseModel):
    """Unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Board(Section):
    """A board on a serial port, known by its adapter (which outlives a change of name) or by a path given by hand."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,30}$")]
    adapter: str | None = None
    port: Path | None = None
    device: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")] | None = None
    second_beam: bool = False
    unpaired: bool = False

    @model_validator(mode="after")
    def _one_way_to_find_it(self) -> "Board":
        if (self.adapter is None) == (self.port is None):
            raise PydanticCustomError("one_way", "either adapter or port")
        return self


class Camera(Section):
    """Where pictures come from: usb:ID, rtsp://…, http://…, file:PATH, folder:PATH, rendered:SCRIPT."""

    source: Annotated[str, Field(pattern=SOURCES)]
    calibration: Path | None = None
    deck: Path | None = None
    width: Annotated[int, Field(ge=640, le=7680)] = 1920
    height: Annotated[int, Field(ge=480, le=4320)] = 1080
    rate: Annotated[int, Field(ge=1, le=60)] = 15
    jumbo: bool = False
    exposure: float | None = None
    white_balance: float | None = None
    focus: float | None = None


def _told(kind: str, key: str, camera: Camera) -> InitErrorDetails:
    return InitErrorDetails(type=PydanticCustomError(kind, kind), loc=(key,), input=camera)


def _beside(second: Camera | None, info: ValidationInfo) -> Camera | None:
    """A second camera needs a first, of its own, and who reads what is known of two only if both are calibrated."""
    if second is None or "camera" not in info.data:  # what is wrong with the first is told there
        return second
    first = info.data["camera"]
    if first is None:
        raise PydanticCustomError("second_alone", "no first camera")
    same = second.source == first.source and not second.source.startswith(DRAWN)
    mistakes = [_told("same_source", "source", second)] if same else []
    one_map = first.calibration is not None and first.calibration == second.calibration
    mistakes += [_told("same_calibration", "calibration", second)] if one_map else []
    mistakes += [_told("first_uncalibrated", "calibration", second)] if _wants_calibration(first) else []
    mistakes += [_told("second_uncalibrated", "calibration", second)] if _wants_calibration(second) else []
    if mistakes:
        raise ValidationError.from_exception_data("Config", mistakes)
    return second


def _wants_calibration(camera: Camera) -> bool:
    return camera.calibration is None and not camera.source.startswith(DRAWN)


class Recorder(Section):
    """What of the camera's picture is kept, and how much room it may take."""

    gigabytes: Annotated[float, Field(gt=0)] = 200
    sound: bool = False


class Window(Section):
    """Where the tablets come in."""

    address: str = "127.0.0.1"
    port: Port = 8443
    https: bool = True
    language: Literal["pl", "en", "ru"] = "pl"


class Budgets(Section):
    """When the technician is warned, and when no further round opens."""

    disk_warn: Percent = 90
    disk_alarm: Percent = 95
    disk_stop: Percent = 98
    clock_ms: Annotated[int, Field(ge=100, le=60_000)] = 2000
    silent_ms: Annotated[int, Field(ge=500, le=60_000)] = 2000
    digest_hours: Annotated[int, Field(ge=1, le=24)] = 24

    @model_validator(mode="after")
    def _in_order(self) -> "Budgets":
        if not self.disk_warn <= self.disk_alarm <= self.disk_stop:
            raise PydanticCustomError("in_order", "the limits must rise")
        return self


class Metrics(Section):
    """Where figures for Prometheus are given out; only this machine may ask unless an address says otherwise."""

    port: Port
    address: str = "127.0.0.1"


class Config(BaseSettings):
    """All there is to say about one table. Environment: KRUPIER_TABLE, KRUPIER_WINDOW__PORT and so on come first."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix="KRUPIER_", env_nested_delimiter="__", validate_default=True
    )

    table: Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,16}$")]
    data: Path
    rules: Annotated[str, AfterValidator(_house)] = "classic"
    zone: Annotated[str, AfterValidator(_zone)] = "Europe/Warsaw"
    day_begins: Annotated[int, Field(ge=0, le=23)] = 6
    pairing_keys: Path | None = None
    backup: Path | None = None
    fed: Path | None = None
    boards: tuple[Board, ...] = ()
    camera: Camera | None = None
    second_camera: Annotated[Camera | None, AfterValidator(_beside)] = None
    recorder: Recorder | None = None
    window: Window | None = None
    budgets: Budgets = Budgets()
    metrics: Metrics | None = None

    @property
    def cameras(self) -> tuple[Camera, ...]:
        """None, one, or both in their order."""
        return tuple(one for one in (self.camera, self.second_camera) if one is not None)

    @model_validator(mode="after")
    def _fits_together(self) -> "Config":
        names = [board.name for board in self.boards]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise PydanticCustomError("twice", "{names} is named twice", {"names": ", ".join(twice)})
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's own signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given outright, then the environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def read_config(path: Path) -> Config:
    """The configuration of a table; relative paths in it start at its own folder. Raises ConfigInvalid, OSError."""
    path.open("rb").close()  # a missing file would otherwise count as an empty one

    class OfThisFile(Config):
        model_config = SettingsConfigDict(toml_file=path)

    try:
        config = OfThisFile()  # type: ignore[call-arg]  # the values come from the file
    except ValidationError as wrong:
        raise ConfigInvalid(path.name, [mistake(error["loc"], error) for error in wrong.errors()]) from None
    except ValueError as broken:  # no TOML at all
        raise ConfigInvalid(path.name, [Mistake(WHOLE_FILE, "no_toml", {"why": str(broken)})]) from None
    return _from_folder(config, path.absolute().parent)


def _from_folder(config: Config, folder: Path) -> Config:
    cameras = {
        "camera": _camera_from(config.camera, folder),
        "second_camera": _camera_from(config.second_camera, folder),
    }
    keys = folder / config.pairing_keys if config.pairing_keys else None
    backup = folder / config.backup if config.backup else None
    fed = folder / config.fed if config.fed else None
    places = {"data": folder / config.data, "backup": backup, "pairing_keys": keys, "fed": fed}
    return config.model_copy(update={**places, **cameras})


def _camera_from(camera: Camera | None, folder: Path) -> Camera | None:
    if camera is None:
        return None
    places = {"calibration": camera.calibration, "deck": camera.deck}
    return camera.model_copy(update={name: folder / place for name, place in places.items() if place})
