// SPDX-License-Identifier: MIT
// Reads BVH files with the loader of three.js, plays them with its mixer and compares where the joints are with what
// Lope wrote beside them (FILE.places): node compare_bvh.mjs FILE.bvh... Fails where a joint is 1 mm off.
import fs from 'node:fs';
import { AnimationMixer, Group, Vector3 } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';

const LIMIT = 0.1; // centimetres

function worstDistance(path) {
  const { clip, skeleton } = new BVHLoader().parse(fs.readFileSync(path, 'utf8'));
  const group = new Group();
  group.add(skeleton.bones[0]);
  const mixer = new AnimationMixer(skeleton.bones[0]);
  mixer.clipAction(clip).play();
  const times = clip.tracks[0].times;
  const lines = fs.readFileSync(path.replace(/\.bvh$/, '.places'), 'utf8').trim().split('\n');
  let worst = 0, shown = -1;
  for (const line of lines) {
    const [, frame, name, x, y, z] = line.match(/^(\d+) (.*) (\S+) (\S+) (\S+)$/);
    if (Number(frame) !== shown) {
      shown = Number(frame);
      // The very end of a clip that is played again and again is its beginning.
      mixer.setTime(Math.min(times[shown], clip.duration * (1 - 1e-7)));
      group.updateMatrixWorld(true);
    }
    const bone = skeleton.bones.find((one) => one.name === name);
    if (!bone) throw new Error(`${path}: three.js found no joint '${name}'`);
    const at = new Vector3().setFromMatrixPosition(bone.matrixWorld);
    worst = Math.max(worst, at.distanceTo(new Vector3(Number(x), Number(y), Number(z))));
  }
  return lines.length ? worst : Infinity;
}

const paths = process.argv.slice(2);
let failures = paths.length === 0 ? 1 : 0;
for (const path of paths) {
  const worst = worstDistance(path);
  const bad = !(worst < LIMIT);
  console.log(`${bad ? 'BAD' : 'ok '} ${path}: joints are within ${(worst * 10).toFixed(3)} mm`);
  failures += bad ? 1 : 0;
}
process.exit(failures ? 1 : 0);
