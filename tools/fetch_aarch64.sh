#!/usr/bin/env bash
# Unpacks what the engine needs of Debian's packages for arm64 into build/aarch64-packages, without a change to the
# machine's own packages: for the preset `aarch64`, with which tests/determinism runs the engine on another processor.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-} in -h | --help) sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"; echo "usage: tools/fetch_aarch64.sh"; exit 0 ;; esac

install_packages "${AARCH64_PACKAGES[@]}"
folder=$PWD/build/aarch64-packages
[ -e "$folder/complete" ] && exit 0
lists=$folder/apt
mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial"
: >"$lists/status"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
keyring=$(ls /usr/share/keyrings/debian-archive-keyring.gpg)
echo "deb [signed-by=$keyring] $(debian_mirror) $suite main" >"$lists/sources.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$lists/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$lists/lists"
     -o "Dir::State::status=$lists/status" -o "Dir::Cache=$lists/cache" -o APT::Architecture=arm64 -o APT::Architectures=arm64
     -o APT::Sandbox::User=root)
say "fetching packages for arm64"
"${apt[@]}" update
(cd "$lists" && "${apt[@]}" download libqhull-dev libqhull-r8.0 libpugixml-dev libpugixml1v5 libspng-dev libspng0 \
  libsuitesparse-dev libtinyobjloader-dev libstb-dev zlib1g zlib1g-dev)
for package in "$lists"/*.deb; do dpkg-deb --extract "$package" "$folder"; done
rm -rf "$lists"
touch "$folder/complete"
