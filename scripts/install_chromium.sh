#!/bin/sh
# Install Debian's Chromium, for the tests that drive the explorer's page in a real browser, where
# there is no browser yet and we may. Elsewhere say so and go on: those tests are skipped.
for program in chromium chromium-browser google-chrome; do
    command -v "$program" >/dev/null && exit 0
done
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "No Chromium on PATH: the tests of the explorer's page will be skipped."
    exit 0
fi
echo "Installing Chromium for the tests of the explorer's page."
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 ||
    echo "Chromium could not be installed: the tests of the explorer's page will be skipped."
