"""Two cameras: is every box and the dealer's place seen whole and tall enough by the one that reads it?"""

from typing import Final

from table_controller.doctor.finding import Finding, green, red
from vision.felt import JUMBO_INDEX, STANDARD_INDEX, IndexHeight, Verdict
from vision.sharing import shared
from vision.table_view import Table

CUT_OFF: Final = "-"


def felt_shared(camera: Table) -> Finding:
    """Which camera reads what, or what neither of them sees well; `camera` is one of the two."""
    try:
        zones, sights = [zone for zone in camera.zones if zone.holds_cards], camera.sights
    except (OSError, KeyError, ValueError) as error:
        return red("felt", "felt_unknown", why=error)
    shares, jumbo = shared(zones, sights), camera.jumbo or camera.is_rendered
    worths = {zone.name: sights[shares[zone.name]].worth(zone) for zone in zones}
    index = JUMBO_INDEX if jumbo else STANDARD_INDEX
    heights = [IndexHeight(name, index * scale) for name, (_, scale) in worths.items()]
    poor = [one for one in heights if one.verdict is Verdict.TOO_FEW_PIXELS or worths[one.zone][0] < 1]
    if poor:
        told = (f"{one.zone} {CUT_OFF if worths[one.zone][0] < 1 else round(one.pixels)}" for one in poor)
        return red("felt", "felt_badly_shared", what=", ".join(told))
    first, second = (" ".join(name for name, at in shares.items() if at == which) or CUT_OFF for which in (0, 1))
    least = round(min(one.pixels for one in heights))
    return green("felt", "felt_shared", first=first, second=second, pixels=least)
