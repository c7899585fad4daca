#!/bin/sh
# Installs clang-19 and lld-19 from the distribution's packages if they are missing and we
# may, and otherwise says what to install. Called by make build; quick when all is there.
set -u
have() { command -v "$1" >/dev/null 2>&1; }

if ! have "${GO:-go}"; then
	[ -x /usr/local/go/bin/go ] || { echo "loam: no go command: install Go 1.26 (https://go.dev/dl) and put it on PATH" >&2; exit 1; }
fi
if { have "${LOAM_CLANG:-clang-19}" || have clang; } && { have "${LOAM_LLD:-ld.lld-19}" || have ld.lld; }; then
	exit 0
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
	sudo="sudo -n"
	have sudo && sudo -n true 2>/dev/null || {
		echo "loam: clang-19 and ld.lld-19 are missing: as root, apt-get install clang-19 lld-19" >&2
		exit 1
	}
fi
have apt-get || { echo "loam: clang-19 and ld.lld-19 are missing and there is no apt-get: install LLVM 19" >&2; exit 1; }
echo "installing clang-19 and lld-19"
apt="$sudo apt-get -q -y -o Acquire::Retries=3 -o Acquire::http::Timeout=60"
$apt update >/dev/null && DEBIAN_FRONTEND=noninteractive $apt install clang-19 lld-19 >/dev/null || {
	echo "loam: apt-get could not install clang-19 and lld-19; install LLVM 19 by hand" >&2
	exit 1
}
