"""Commands of the record: verify, replay, export, report, slip, key."""

import time
from collections.abc import Callable
from datetime import datetime, tzinfo
from functools import wraps
from pathlib import Path
from typing import Final, ParamSpec
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
import msgspec

from table_controller import houses
from table_controller.commands import fail
from table_controller.core.blackjack.rules import read_rules, values_of
from table_controller.core.house import Language
from table_controller.core.notation import write
from table_controller.core.parameters import Unusable
from table_controller.export.bundle import verify_bundle
from table_controller.export.day_report import as_json, as_lines, report_on
from table_controller.export.identity import Identity
from table_controller.export.make import Ask, export as make_bundle
from table_controller.export.slip import slip_page, slip_text
from table_controller.export.wording import Wording
from table_controller.journal.certificate import write_durably
from table_controller.journal.day import journals, refuse_damaged
from table_controller.journal.errors import JournalDamaged, JournalError, NotKept
from table_controller.journal.folder import FolderVerdict, verify_folder
from table_controller.journal.keys import fingerprint, load_key, make_key
from table_controller.journal.verify import Verdict, verify_file
