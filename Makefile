# make demo and make test do all the set-up they need; so do the others.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench mutation clean

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

clean:
	rm -rf $(VENV) mutants
