#!/bin/sh
# Installs the browser that the tests drive, Debian's chromium, if there is none and we may.
set -u
for name in "${LOAM_CHROMIUM:-chromium}" chromium-browser google-chrome headless-shell; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done
sudo=
[ "$(id -u)" -eq 0 ] || sudo="sudo -n"
apt="$sudo apt-get -q -y -o Acquire::Retries=3 -o Acquire::http::Timeout=60"
echo "installing chromium"
$apt update >/dev/null && DEBIAN_FRONTEND=noninteractive $apt install --no-install-recommends chromium >/dev/null || {
	echo "loam: apt-get could not install chromium; install a browser by hand and name it in LOAM_CHROMIUM" >&2
	exit 1
}
