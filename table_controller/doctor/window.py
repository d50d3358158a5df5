"""The tablet's way in: does the dashboard answer where the tablet will ask for it?"""

import ssl
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from table_controller.doctor.finding import Finding, green, red

PATIENCE_S = 3.0


def window(address: str, certificate: str | None = None) -> Finding:
    """Asks the dashboard's sign-in page; `certificate` is the closed network's own, if it has one."""
    try:
        trust = ssl.create_default_context(cafile=certificate) if address.startswith("https:") else None
        with urlopen(Request(address), timeout=PATIENCE_S, context=trust) as answer:
            return green("window", "window_answers", address=address, status=answer.status)
    except HTTPError as error:
        return red("window", "window_faulty", address=address, status=error.code)
    except (URLError, OSError, ValueError) as error:
        return red("window", "window_silent", address=address, why=getattr(error, "reason", error))
