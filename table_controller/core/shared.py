"""What every table judges alike: which function answers which stimulus, which fold belongs to which fact."""

from collections.abc import Mapping
from typing import Final

from table_controller.core import backs, cash, disputes, life, rounds, shoe_life, sights, upkeep, witness
from table_controller.core import events as fact
from table_controller.core import stimuli as said
from table_controller.core import upkeep_words as tended
from table_controller.core.events import Event
from table_controller.core.game import Fold, Judge, WhyNot
from table_controller.core.stimuli import Stimulus

JUDGES: Final[Mapping[type[Stimulus], Judge]] = {
    said.OpenTable: life.open_table,
    said.CloseTable: life.close_table,
    said.ChangeRules: life.change_rules,
    said.PauseTable: life.pause,
    said.ResumeTable: life.resume,
    said.DeviceLost: life.device_lost,
    said.DeviceBack: life.device_back,
    said.SignOn: life.sign_on,
    said.TakeBox: life.take_box,
    said.LoadShoe: shoe_life.load,
    said.CountShoe: shoe_life.count,
    said.CutShoe: shoe_life.cut,
    said.InspectReader: upkeep.inspect,
    said.DayBegan: upkeep.day_began,
    said.CardDrawn: shoe_life.drawn,
    said.NothingDrawn: witness.nothing_drawn,
    said.CardSighted: witness.sighted,
    said.CardGone: witness.gone,
    said.SupervisorCalled: witness.called,
    said.CardBurnt: shoe_life.burnt,
    said.CardExposed: shoe_life.exposed,
    said.CutCardSeen: shoe_life.cut_card,
    said.MoveMoney: cash.move,
    said.OpenBets: rounds.open_bets,
    said.ResolveDispute: disputes.resolve,
}

REFUSALS: Final[Mapping[type[Stimulus], WhyNot]] = {
    said.OpenTable: life.cannot_open,
    said.CloseTable: life.cannot_close,
    said.ChangeRules: life.cannot_change_rules,
    said.PauseTable: life.cannot_pause,
    said.ResumeTable: life.cannot_resume,
    said.SignOn: life.cannot_sign_on,
    said.TakeBox: life.cannot_take_box,
    said.LoadShoe: shoe_life.cannot_load,
    said.CountShoe: shoe_life.cannot_count,
    said.CutShoe: shoe_life.cannot_cut,
    said.InspectReader: upkeep.cannot_inspect,
    said.MoveMoney: cash.cannot_move,
    said.OpenBets: rounds.cannot_open_bets,
    said.ResolveDispute: disputes.cannot_resolve,
}

FOLDS: Final[Mapping[type[Event], Fold]] = {
    fact.TableOpened: life.table_opened,
    fact.TableClosed: life.table_closed,
    fact.TablePaused: life.paused,
    fact.TableResumed: life.resumed,
    fact.DeviceFailed: life.failed,
    fact.DeviceRecovered: life.recovered,
    fact.DealerSignedOn: life.signed_on,
    fact.BoxTaken: life.box_taken,
    fact.ShoeLoaded: shoe_life.loaded,
    fact.ShoeCounted: shoe_life.counted,
    tended.ShoeCut: shoe_life.was_cut,
    tended.DecksDue: upkeep.decks_due,
    tended.DecksOverdue: upkeep.decks_overdue,
    tended.ReaderInspected: upkeep.inspected,
    tended.DayBegan: upkeep.began,
    fact.CardLeftShoe: shoe_life.left_shoe,
    fact.PulseDismissed: shoe_life.pulse_dismissed,
    fact.PulseTaken: shoe_life.pulse_taken,
    fact.CardBurned: shoe_life.burned,
    fact.CutCardShown: shoe_life.cut_card_shown,
    tended.CutCardMisplaced: life.unchanged,
    fact.ShoeRefilled: shoe_life.shoe_refilled,
    fact.ShoeRanOut: disputes.shoe_ran_out,
    fact.MoneyMoved: cash.moved,
    fact.PayoutReported: disputes.payout_reported,
    fact.PayoutCorrected: cash.payout_corrected,
    fact.RoundOpened: rounds.opened,
    fact.SightingKept: sights.kept,
    tended.BackKnown: backs.known,
    tended.BackForeign: backs.foreign,
    fact.SightingMatched: sights.matched,
    fact.SightingLost: sights.lost,
    fact.SightingClosed: sights.closed,
    fact.FloorCalled: life.unchanged,
    fact.CardEntered: life.unchanged,
    fact.CardHeld: disputes.held,
    fact.HeldReleased: disputes.held_released,
    fact.Disputed: disputes.disputed,
    fact.DisputeResolved: disputes.resolved,
    fact.SignalRefused: life.unchanged,
    fact.ObservationNoted: life.unchanged,
    fact.CommandRefused: life.unchanged,
}
