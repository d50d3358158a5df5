# make demo and make test do all the set-up they need; so do the others.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench mutation clean train eval-vision

$(READY): pyproject.toml constraints.txt tools/make_venv.sh
	bash tools/make_venv.sh $(VENV)
	touch $@

demo: $(READY)
	$(BIN)/krupier demo $(DEMO)

test: $(READY)
	$(BIN)/pytest $(PYTEST)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	bash tools/bench.sh $(BIN)

mutation: $(READY)
	bash tools/mutation.sh $(BIN)

# Hours of work, in resumable stages; STAGES="tiles detector" runs some of them, MINUTES bounds each.
train: $(VENV)/.train-ready
	$(BIN)/python -m vision.training --minutes $(or $(MINUTES),60) $(STAGES)

eval-vision: $(VENV)/.train-ready
	$(BIN)/python -m vision.training evaluate

$(VENV)/.train-ready: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train]'
	touch $@

clean:
	rm -rf $(VENV) mutants build
