#!/bin/sh
# Builds the proxy of this repository and installs it, with all that it needs and nothing else, into a folder.
#   deploy/install.sh FOLDER     afterwards: FOLDER/node_modules/.bin/hydra
set -eu
target=${1:?usage: deploy/install.sh FOLDER}
cd "$(dirname "$0")/.."
tarballs=$(mktemp -d)
trap 'rm -rf "$tarballs"' EXIT
pnpm() { npx -y pnpm@12.18.0 "$@"; }
pnpm install --frozen-lockfile
pnpm build
pnpm --filter './packages/*' --filter '!@hydra/testkit' --filter @hydra/proxy pack --pack-destination "$tarballs"
mkdir -p "$target"
cd "$target"
npm install --omit=dev --no-audit --no-fund "$tarballs"/*.tgz
