#!/usr/bin/env bash
# Sees to what the wheel is built from before anything is compiled: installs the Debian packages that are missing where that
# needs no password, else names them all, with the command that installs them. Elsewhere than on Debian it says nothing:
# CMake looks for the libraries then.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: tools/wheel_needs.sh [--headers-of-python FOLDER]
SINEW_INSTALL=0 installs nothing; SINEW_INSTALL=skip does not look, for libraries that are no packages of Debian"
python_headers=
case ${1:-} in
  --headers-of-python) python_headers=$2 ;;
  '') ;;
  *) sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"; echo "$usage"; exit 0 ;;
esac

[ "${SINEW_INSTALL:-1}" != skip ] || exit 0
command -v dpkg-query >/dev/null || exit 0
# what videos of the program are made with is not in the wheel
needed=()
for package in "${BUILD_PACKAGES[@]}" "${WHEEL_PACKAGES[@]}"; do
  case $package in
    libav* | libswscale-dev | ccache | cmake | ninja-build) ;;
    *) needed+=("$package") ;;
  esac
done
[ "$python_headers" != /usr/include/python3* ] || [ -e "$python_headers/Python.h" ] || needed+=(python3-dev)

mapfile -t missing < <(missing_packages "${needed[@]}")
[ ${#missing[@]} -eq 0 ] && exit 0
allowed=0
if [ "${SINEW_INSTALL:-1}" != 0 ]; then
  [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null || allowed=1
fi
if [ "$allowed" = 1 ] && install_packages "${missing[@]}"; then exit 0; fi
echo "the wheel is built with packages that are not installed: ${missing[*]}" >&2
echo "install them: sudo apt-get install ${missing[*]}" >&2
echo "where they come from elsewhere, set SINEW_INSTALL=skip" >&2
exit 1
