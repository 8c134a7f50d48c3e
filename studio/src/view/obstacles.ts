// SPDX-License-Identifier: MIT
// Obstacles of flat scenes as solid shapes.
import * as THREE from "three";
import { cornersOf, type Obstacle } from "../lope/scenefile";

const HEIGHT = 0.9;
const SUNK = 0.12; // metres in the ground, so that no light gets in under it

/** A mesh for an obstacle, as high as a counter so that bodies behind it are seen. */
export function obstacleMesh(obstacle: Obstacle, colour: number, height = HEIGHT): THREE.Mesh {
  const corners = cornersOf(obstacle);
  const shape = new THREE.Shape(corners.map(([x, z]) => new THREE.Vector2(x, -z)));
  const geometry = new THREE.ExtrudeGeometry(shape, { depth: height + SUNK, bevelEnabled: false });
  geometry.rotateX(-Math.PI / 2).translate(0, -SUNK, 0);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.85 }));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** The border of a world as a low line. */
export function boundsLine(low: readonly [number, number], high: readonly [number, number], colour: number): THREE.Line {
  const places = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]], [low[0], low[1]]];
  const geometry = new THREE.BufferGeometry().setFromPoints(places.map(([x, z]) => new THREE.Vector3(x, 0.01, z)));
  return new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour }));
}
