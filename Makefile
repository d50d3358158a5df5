# make demo and make test do all the set-up they need; so do the others.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup board browser evenings firmware fuzz campaign-bridge demo test lint bench mutation clean train eval-vision release screens campaign-numbers campaign-faults campaign-running campaign-deckcheck campaign-pixels search

$(READY): pyproject.toml constraints.txt tools/make_venv.sh
	bash tools/make_venv.sh $(VENV)
	touch $@

# Makes .venv and nothing else: the command is .venv/bin/krupier then, and .venv/bin/krupier setup sets up a table.
setup: $(READY)

demo: $(READY)
	$(BIN)/krupier demo $(DEMO)

test: $(READY) board browser
	$(BIN)/pytest $(PYTEST)

# The board: firmware, its simulator, and the host build of its protocol code. Where the tools are missing and cannot be
# installed, the tests that need them say that they were left out.
FIRMWARE := firmware_bridge/firmware
board:
	@if bash tools/board_tools.sh; then \
	  $(MAKE) --no-print-directory -s -C $(FIRMWARE) && \
	  $(MAKE) --no-print-directory -s -C firmware_bridge/simulator; fi
	@if command -v g++ >/dev/null; then $(MAKE) --no-print-directory -s -C $(FIRMWARE)/host; fi

# The browser: where it is missing and cannot be installed, the tests that need it say that they were left out.
browser:
	@bash tools/browser.sh || true

firmware:
	bash tools/board_tools.sh
	$(MAKE) -C $(FIRMWARE)

# One minute each; the campaign gives ten: make fuzz FUZZ_SECONDS=600
FUZZ_SECONDS := 60
fuzz: $(READY)
	bash tools/board_tools.sh fuzz
	bash tools/fuzz_bridge.sh $(BIN) $(FUZZ_SECONDS)

# A million frames through the null modem, twenty thousand through each pseudo-terminal; goes on where it was broken off.
campaign-bridge: $(READY) board
	nice -n 10 $(BIN)/python -m tests.firmware_bridge.campaign --state build/campaign-bridge.jsonl

# The exact edges beside long runs of the fast simulator and of the core; an hour or so. Figures: docs/numbers.md.
FAST_ROUNDS := 1000000000
CORE_ROUNDS := 100000
campaign-numbers: $(READY)
	nice -n 10 $(BIN)/python -m tests.analysis.campaign $(FAST_ROUNDS) $(CORE_ROUNDS)

# The laws with examples nobody has drawn yet, so many times; stops at the first that breaks one and tells it.
SEARCH_TIMES := 10
search: $(READY)
	for time in $$(seq $(SEARCH_TIMES)); do \
	  HYPOTHESIS_PROFILE=search nice -n 10 $(BIN)/pytest $$(grep -rl "^from hypothesis" tests --include='test_*.py') || exit 1; done

# Every fault at every phase of a round, in one process; writes docs/faults.md.
campaign-faults: $(READY)
	nice -n 10 $(BIN)/python -m tests.faults.campaign

# The same for the whole running table, struck from outside; half an hour, goes on where it was broken off.
campaign-running: $(READY)
	nice -n 10 $(BIN)/python -m tests.faults.running --state build/campaign-running.jsonl

# Six drawn decks with a card missing, one doubled, one foreign, twenty times; goes on where it was broken off.
campaign-deckcheck: $(READY)
	nice -n 10 $(BIN)/python -m tests.vision.six_decks
# Two hundred rounds through pixels, all five houses; writes docs/pixels.md and goes on where it was broken off.
campaign-pixels: $(READY)
	nice -n 10 $(BIN)/python -m tests.demo.campaign --state build/campaign-pixels.jsonl

# A whole evening by taps alone in all nine pairs of language and screen; half an hour's work where two cores are busy.
evenings: $(READY) browser
	EVENINGS=all EVENING_PICTURES=build/evenings $(BIN)/pytest -n2 tests/dashboard/test_whole_evening.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	bash tools/bench.sh $(BIN)

# Pictures of the window in a real Chromium, for docs/screens.md; SCREENS="table replay" takes some of them.
screens: $(READY)
	$(BIN)/python -m tests.dashboard.screens $(SCREENS)
	$(BIN)/python -m tests.setup.screens $(SCREENS)

mutation: $(READY)
	bash tools/mutation.sh $(BIN)

# Hours of work, in resumable stages; STAGES="tiles detector" runs some of them, MINUTES bounds each.
train: $(VENV)/.train-ready
	$(BIN)/python -m vision.training --minutes $(or $(MINUTES),60) $(STAGES)

eval-vision: $(VENV)/.train-ready
	$(BIN)/python -m vision.training evaluate

$(VENV)/.train-ready: $(READY)
	command -v rsvg-convert >/dev/null || bash tools/debian_packages.sh "drawing the decks" librsvg2-bin
	command -v npm >/dev/null || bash tools/debian_packages.sh "fetching the decks" npm
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train]'
	touch $@

# A folder that installs without a network: dist/krupier-VERSION.
release: $(READY)
	bash tools/release.sh $(BIN)

clean:
	rm -rf $(VENV) mutants build dist
