"""The running table's own word on itself and its devices, asked at its door."""

from pathlib import Path

from table_controller.doctor.finding import Finding, amber, green, red
from table_controller.port.client import Door, DoorClosed
from table_controller.port.words import Look, Status

PATIENCE_S = 3.0


def running_table(data: Path, table: str, file: Path) -> list[Finding]:
    """One line while all is well; a line for every device that is not."""
    door = Door(data, table, PATIENCE_S)
    try:
        status = door.look(Look())
    except DoorClosed:
        return [amber("table", "table_off", file=file)]
    finally:
        door.close()
    assert isinstance(status, Status), status
    if status.down is not None:
        return [red("table", "table_down", why=status.down)]
    ill = [light for light in status.lights if not light.ok]
    if ill:
        return [red("table", "table_light", device=light.device, why=light.detail) for light in ill]
    return [green("table", "table_well")]
