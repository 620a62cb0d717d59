#!/usr/bin/env bash
# Builds the page for browsers, build/web/bin/page.html, of which `sinew view --web` makes pages with models. Fetches what
# no package for WebAssembly has into build/web-sources: the sources of AMD (Debian's suitesparse), three.js, uPlot, esbuild.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-} in -h | --help) sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"; echo "usage: tools/build_web.sh"; exit 0 ;; esac

# Programs that are there already may come from elsewhere, as Node often does: its packages and Debian's exclude each other.
install_commands "${WEB_COMMANDS[@]}"

sources=$PWD/build/web-sources
mkdir -p "$sources"

# Sources of a Debian package, from the mirror that the machine uses, without a change to its settings.
fetch_amd() {
  local lists=$sources/apt mirror suite
  mirror=$(debian_mirror)
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mkdir -p "$lists/lists/partial"
  echo "deb-src $mirror $suite main" >"$lists/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$lists/sources.list" -o Dir::Etc::sourceparts=-
             -o "Dir::State::lists=$lists/lists" -o APT::Sandbox::User=root)
  "${apt[@]}" update
  (cd "$lists" && "${apt[@]}" source --download-only suitesparse)
  tar -C "$lists" -xf "$lists"/suitesparse_*.orig.tar.* --wildcards '*/AMD/Source/*' '*/AMD/Include/*' '*/SuiteSparse_config/*'
  mkdir -p "$sources/amd/suitesparse"
  cp "$lists"/SuiteSparse*/AMD/Source/*.c "$lists"/SuiteSparse*/SuiteSparse_config/SuiteSparse_config.c "$sources/amd"
  cp "$lists"/SuiteSparse*/AMD/Include/*.h "$lists"/SuiteSparse*/SuiteSparse_config/SuiteSparse_config.h "$sources/amd/suitesparse"
  rm -rf "$lists"
}

if [ ! -e "$sources/amd/suitesparse/amd.h" ]; then
  say "fetching the sources of AMD"
  fetch_amd
fi
if ! cmp -s apps/web/package.json "$sources/package.json"; then
  say "fetching three.js, uPlot and esbuild"
  cp apps/web/package.json "$sources/package.json.new"
  (cd "$sources" && mv package.json.new package.json && npm install --no-package-lock --no-audit --no-fund --loglevel=error) ||
    { rm -f "$sources/package.json"; exit 1; }
fi
build web
ls -l build/web/bin/page.html >&2
