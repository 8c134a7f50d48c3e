# SPDX-License-Identifier: MIT
# Read by the tests beside it: goes to the folder $work, with the packages that they check files with.
# Ends with 77 (skipped) where they cannot be installed.
mkdir -p "$work"
cp "$source"/package.json "$source"/package-lock.json "$source"/*.js "$source"/*.mjs "$work/"
cd "$work"
if ! cmp -s package-lock.json node_modules/.lope-lock; then
    npm ci --no-audit --no-fund >npm.log 2>&1 || {
        tail -5 npm.log
        echo "skipped: npm could not install the packages of package.json"
        exit 77
    }
    cp package-lock.json node_modules/.lope-lock
fi
