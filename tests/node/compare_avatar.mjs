// SPDX-License-Identifier: MIT
// Characters with animations of ours, as others read them: node compare_avatar.mjs FILE.glb... Beside each lies the
// character without them (FILE.hero.glb) and where joints should be (FILE.places). Fails where the Khronos validator
// finds what it did not find in the character itself, where three.js has a joint 1 mm off, or where a sole of the skin
// is 3 cm off the floor.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const validator = createRequire(import.meta.url)('gltf-validator');
const JOINT_LIMIT = 0.001, SOLE_LIMIT = 0.03, UNUSED = 'UNUSED_OBJECT'; // bind matrices that a new bone replaces

async function findings(path) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), { maxIssues: 100 });
  return report.issues.messages;
}

// Pictures cannot be decoded here: the file without its materials.
function withoutMaterials(path) {
  const bytes = fs.readFileSync(path), size = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + size).toString('utf8'));
  for (const key of ['images', 'textures', 'materials']) delete json[key];
  for (const mesh of json.meshes) for (const primitive of mesh.primitives) delete primitive.material;
  let text = JSON.stringify(json);
  text = Buffer.from(text + ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4));
  const head = Buffer.from(bytes.subarray(0, 20));
  head.writeUInt32LE(bytes.length - size + text.length, 8);
  head.writeUInt32LE(text.length, 12);
  const all = Buffer.concat([head, text, bytes.subarray(20 + size)]);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length);
}

function lowestVertex(scene) {
  let low = Infinity;
  scene.traverse((one) => {
    if (!one.isSkinnedMesh) return;
    one.skeleton.update();
    const at = new Vector3();
    for (let i = 0; i < one.geometry.attributes.position.count; i++)
      low = Math.min(low, one.getVertexPosition(i, at).applyMatrix4(one.matrixWorld).y);
  });
  return low;
}

async function measure(path) {
  const gltf = await new GLTFLoader().parseAsync(withoutMaterials(path), '');
  const names = new Map(gltf.parser.json.nodes.map((node, index) => [node.name, index]));
  const objects = await gltf.parser.getDependencies('node');
  let joint = 0, sole = 0, shown = '', mixer;
  for (const line of fs.readFileSync(path.replace(/\.glb$/, '.places'), 'utf8').trim().split('\n')) {
    const [, clip, seconds, name, x, y, z] = line.match(/^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)$/);
    if (shown !== clip + seconds) {
      shown = clip + seconds;
      mixer?.stopAllAction();
      mixer = new AnimationMixer(gltf.scene);
      const animation = gltf.animations.find((one) => one.name === clip);
      mixer.clipAction(animation).play();
      mixer.setTime(Math.min(Number(seconds), animation.duration * (1 - 1e-7)));
      gltf.scene.updateMatrixWorld(true);
      sole = Math.max(sole, Math.abs(lowestVertex(gltf.scene)));
    }
    const at = new Vector3().setFromMatrixPosition(objects[names.get(name)].matrixWorld);
    joint = Math.max(joint, at.distanceTo(new Vector3(Number(x), Number(y), Number(z))));
  }
  return { joint, sole };
}

let failures = process.argv.length < 3 ? 1 : 0;
for (const path of process.argv.slice(2)) {
  const before = new Set((await findings(path.replace(/\.glb$/, '.hero.glb'))).map((one) => one.code));
  const fresh = (await findings(path)).filter((one) => !before.has(one.code) && one.code !== UNUSED);
  const { joint, sole } = await measure(path);
  const bad = fresh.length > 0 || !(joint < JOINT_LIMIT) || !(sole < SOLE_LIMIT);
  console.log(`${bad ? 'BAD' : 'ok '} ${path}: joints within ${(joint * 1000).toFixed(2)} mm, ` +
    `soles within ${(sole * 100).toFixed(1)} cm of the floor, ${fresh.length} new findings`);
  for (const { code, message, pointer } of fresh) console.log(`    ${code} at ${pointer}: ${message}`);
  failures += bad ? 1 : 0;
}
process.exit(failures ? 1 : 0);
