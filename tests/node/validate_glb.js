// SPDX-License-Identifier: MIT
// Runs the Khronos glTF validator over GLB files: node validate_glb.js FILE... Fails on anything it has to say,
// down to hints.
'use strict';
const fs = require('fs');
const validator = require('gltf-validator');

async function main(paths) {
  let failures = paths.length === 0 ? 1 : 0;
  for (const path of paths) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), { maxIssues: 20 });
    const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
    const bad = numErrors + numWarnings + numInfos + numHints;
    console.log(`${bad ? 'BAD' : 'ok '} ${path}: ${report.info.animationCount} animations, ` +
      `${report.info.totalVertexCount} vertices`);
    for (const { severity, code, message, pointer } of messages)
      console.log(`    severity ${severity} ${code} at ${pointer}: ${message}`);
    failures += bad ? 1 : 0;
  }
  console.log(`gltf-validator ${validator.version()}: ${paths.length} files, ${failures} with findings`);
  return failures ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => process.exit(code), (error) => {
  console.error(String(error));
  process.exit(1);
});
