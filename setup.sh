#!/bin/sh
# setup.sh toolchain prints the GOTOOLCHAIN to build Loam with: the one in go.mod, which is fetched if the module proxy can be
# reached, or "local", the installed Go, if that is as new or nothing else can be had.
# setup.sh toolchain RELEASE prints the one for an SDK of that release, such as 1.27 or 1.27.3.
#
# Without arguments it installs clang-19 and lld-19 from the distribution's packages if they are missing and we
# may, and otherwise says what to install. Called by make build; quick when all is there.
set -u
have() { command -v "$1" >/dev/null 2>&1; }

if [ "${1:-}" = toolchain ]; then
	go=${GO:-go}
	want=$(sed -n 's/^toolchain //p' "$(dirname "$0")/go.mod")
	have=$(GOTOOLCHAIN=local "$go" env GOVERSION)
	if [ -n "${2:-}" ]; then
		case $have. in go$2.*) echo local; exit 0;; esac
		case $want. in go$2.*) echo "$want"; exit 0;; esac
		case $2 in *.*.*) echo "go$2";; *) echo "go$2.0";; esac
		exit 0
	fi
	newest=$(printf '%s\n' "$want" "$have" | sort -V | tail -1)
	if [ "$newest" = "$have" ]; then
		echo local
	elif GOTOOLCHAIN=$want timeout 300 "$go" version >/dev/null 2>&1; then
		echo "$want"
	else
		echo "loam: $want cannot be fetched, so loam is built with $have and serves no newer release" >&2
		echo local
	fi
	exit 0
fi

if ! have "${GO:-go}"; then
	[ -x /usr/local/go/bin/go ] || { echo "loam: no go command: install Go 1.27 or 1.26 (https://go.dev/dl) and put it on PATH" >&2; exit 1; }
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
