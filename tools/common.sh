# Shared by ./run and ./test: what the project needs on a Debian machine, and how to get it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
JOBS=${JOBS:-$(nproc)}

say() { printf '\033[1m== %s\033[0m\n' "$*" >&2; }

# Those of some Debian packages that are not installed, a line each.
missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

# Installs the Debian packages that are missing; as another user than root, with sudo.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# Installs the packages of those programs that are not in the path; each word is PROGRAM=PACKAGE.
install_commands() {
  local missing=() word
  for word in "$@"; do
    command -v "${word%%=*}" >/dev/null || missing+=("${word#*=}")
  done
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

# The mirror that the machine's packages come from; either file may be missing.
debian_mirror() {
  local found
  found=$(grep -rhosE 'https?://[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d | head -1) || true
  echo "${found:-http://deb.debian.org/debian}"
}

BUILD_PACKAGES=(g++ cmake ninja-build ccache pkg-config python3 libpugixml-dev libspng-dev libqhull-dev libsuitesparse-dev
                libtinyobjloader-dev libstb-dev libgl-dev libcli11-dev nlohmann-json3-dev libzip-dev libassimp-dev
                libavcodec-dev libavformat-dev libswscale-dev libglfw3-dev libimgui-dev)
TEST_PACKAGES=(clang libclang-rt-dev clang-format clang-tidy libc++-dev libc++abi-dev binutils libgtest-dev python3-venv xz-utils
               libegl1 libegl-mesa0 libgl1 libosmesa6 xvfb xauth)

# of the wheel, besides these: LLVM's C++ library
WHEEL_PACKAGES=(libc++-dev libc++abi-dev)
WEB_COMMANDS=(emcc=emscripten node=nodejs npm=npm)
WEB_TEST_PACKAGES=(chromium fonts-dejavu-core)
AARCH64_PACKAGES=(g++-aarch64-linux-gnu qemu-user-static)

# What to expect of a build from nothing.
first_build() {
  [ -e "build/$1/build.ninja" ] ||
    echo ": the first build takes about $(((FIRST_BUILD_MINUTES + JOBS - 1) / JOBS)) minutes on $JOBS free processors"
}
FIRST_BUILD_MINUTES=12  # of one processor

# Draws what ninja prints, how many files of how many are done after how many seconds, as one bar that grows; what else it
# prints, as errors, stays. On a terminal alone: elsewhere the lines of ninja are the record.
BAR='
  BEGIN { bar = "########################################"; dots = "........................................" }
  match($0, /^=bar [0-9]+ [0-9]+ [0-9.]+ /) {
    filled = int(40 * $2 / $3)
    left = $2 > 0 ? $4 * ($3 - $2) / $2 : 0
    printf "\r[%s%s] %3d %%, %d of %d files, about %d min %02d s left\033[K", substr(bar, 1, filled),
      substr(dots, filled + 1), 100 * $2 / $3, $2, $3, left / 60, left % 60
    drawn = 1
    fflush()
    next
  }
  { if (drawn) printf "\n"; drawn = 0; print; fflush() }
  END { if (drawn) printf "\n" }'
build_with_bar() {
  NINJA_STATUS='=bar %f %t %e ' "$@" | awk "$BAR" >&2
}

# The widest instruction set of this machine for packs of worlds, as SINEW_LANES names it.
lanes_of_this_machine() {
  local flags
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null || true) "
  if [[ $flags == *' avx512f '* && $flags == *' avx512dq '* && $flags == *' avx512vl '* ]]; then
    echo Avx512
  elif [[ $flags == *' avx2 '* ]]; then
    echo Avx2
  else
    echo all
  fi
}

# build PRESET [TARGET...]; LANES: SINEW_LANES of a first build, which later builds for this machine alone keep
build() {
  local preset=$1 targets=() lanes=all
  shift
  [ $# -gt 0 ] && targets=(--target "$@")
  say "building $preset$(first_build "$preset")"
  if [ -n "${LANES:-}" ] && ! grep -qs '^SINEW_LANES:STRING=all' "build/$preset/CMakeCache.txt"; then lanes=$LANES; fi
  cmake --preset "$preset" -DSINEW_LANES="$lanes" >/dev/null
  local command=(cmake --build --preset "$preset" -j "$JOBS" "${targets[@]}")
  if [ -t 2 ]; then build_with_bar "${command[@]}"; else "${command[@]}" >&2; fi
}
