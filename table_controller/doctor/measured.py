"""The calibration: is it there, and is it what this house measured and signed?"""

from pathlib import Path

from table_controller.doctor.finding import Finding, amber, green, red
from table_controller.journal.errors import KeyUnusable
from table_controller.journal.keys import load_key
from table_controller.setup.measuring import signature_of, signed


def calibration(file: Path | None, key: Path) -> Finding:
    """Signed by this house, unsigned (made by command), changed since, or not there: then nothing reads the cards."""
    if file is None or not file.exists():
        return amber("calibration", "calibration_none")
    if not signature_of(file).exists():
        return amber("calibration", "calibration_unsigned", file=file.name)
    try:
        good = signed(file, load_key(key).public_key())
    except (KeyUnusable, OSError) as error:
        return red("calibration", "calibration_changed", file=file.name, why=error)
    if not good:
        return red("calibration", "calibration_changed", file=file.name, why=signature_of(file).name)
    return green("calibration", "calibration_signed", file=file.name)
