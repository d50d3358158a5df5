"""The window: what people at and around the table see and may do.

`create_app` puts it together. A page group is a module listed in pages.ALL, a panel a module listed in panels.ALL; the
feed that follows the journals begins with `start`, in the process that serves.
"""

from importlib import import_module
from typing import Any

from flask import Flask

from dashboard import pages, panels
from dashboard.drawing import Drawings, now
from dashboard.feed import Feed
from dashboard.house import EXTENSION, House
from dashboard.looks import put_words_into_pages
from dashboard.people import People
from dashboard.proxies import BehindProxies
from dashboard.security import secure
from dashboard.settings import Settings
from dashboard.sockets import Speaker


def create_app(settings: Settings) -> Flask:
    """The window of a house; nothing is followed yet."""
    app = Flask(__name__)
    people = People(settings.people)
    people.prepare()
    feed = Feed(settings.data)
    house = House(settings, people, feed)
    house.guests.prepare()
    app.extensions[EXTENSION] = house
    limiter = app.extensions["krupier_limiter"] = secure(app, settings, people.secret("cookie"))
    for module in panels.ALL:
        import_module(module)
    groups = [import_module(module).GROUP for module in pages.ALL]
    for group in groups:
        app.register_blueprint(group.blueprint)
    for endpoint in ("signing_in.sign_in_now", "signing_in.first_now", "signing_in.unlock_now"):
        limited: Any = limiter.limit("20 per minute")(app.view_functions[endpoint])
        app.view_functions[endpoint] = limited
    put_words_into_pages(app, [item for group in groups for item in group.menu])
    house.drawings = Drawings(app, feed, settings)
    speaker = app.extensions["krupier_speaker"] = Speaker(app, house, feed, house.drawings)
    house.cut_off = speaker.cut_off
    behind = BehindProxies(app.wsgi_app, settings.proxies, settings.proxy_addresses)
    app.wsgi_app = behind  # type: ignore[method-assign, assignment] # last, so that the socket stands behind it too
    return app


def start(app: Flask) -> Feed:
    """Begins to follow the journals; to be called once, in the process that serves. Ends with the feed's `stop`."""
    house = app.extensions[EXTENSION]
    assert isinstance(house, House)
    house.guests.forget(now())
    house.feed.start()
    return house.feed
