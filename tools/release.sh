#!/usr/bin/env bash
# Make a release that installs without a network: dist/krupier-VERSION/ with every wheel and the installer.
# usage: tools/release.sh VENV_BIN [EXTRA]
set -euo pipefail
bin=$1
extra=${2-run}
version=$("$bin/python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
folder=dist/krupier-$version
rm -rf "$folder"
mkdir -p "$folder/wheels"
printf 'krupier: collecting the wheels of %s\n' "$version" >&2
"$bin/python" -m pip wheel --quiet --disable-pip-version-check -c constraints.txt -w "$folder/wheels" ".${extra:+[$extra]}"
cp packaging/install.sh LICENSE README.md "$folder/"
[ -d packaging/systemd ] && cp -r packaging/systemd "$folder/"
(cd "$folder" && sha256sum wheels/*.whl > SHA256SUMS)
printf 'krupier: %s is ready; copy it to the table computer and run install.sh there\n' "$folder" >&2
