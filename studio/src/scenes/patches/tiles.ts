// SPDX-License-Identifier: MIT
// The floor under people's feet: a square for each tile, coloured by how much of its motion can be used.
import * as THREE from "three";

const GAP = 0.03; // metres between squares

export class TileView {
  private mesh: THREE.InstancedMesh | null = null;
  private readonly colour = new THREE.Color();
  private readonly low: THREE.Color;
  private readonly high: THREE.Color;

  constructor(private readonly group: THREE.Group, low: number, high: number) {
    this.low = new THREE.Color(low);
    this.high = new THREE.Color(high);
  }

  /** A floor of other size. */
  build(columns: number, rows: number, size: number): void {
    this.dispose();
    const geometry = new THREE.PlaneGeometry(size - GAP, size - GAP).rotateX(-Math.PI / 2);
    const material = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.22, depthWrite: false });
    this.mesh = new THREE.InstancedMesh(geometry, material, columns * rows);
    this.mesh.renderOrder = 1; // over the ground, like other marks
    this.mesh.frustumCulled = false;
    const matrix = new THREE.Matrix4();
    for (let tile = 0; tile < columns * rows; tile++) {
      const column = tile % columns, row = Math.floor(tile / columns);
      matrix.setPosition((column + 0.5 - columns / 2) * size, 0.01, (row + 0.5 - rows / 2) * size);
      this.mesh.setMatrixAt(tile, matrix);
      this.mesh.setColorAt(tile, this.high);
    }
    this.group.add(this.mesh);
  }

  /** Shares from 0 to 1; below 0 there is no tile. */
  show(shares: Float32Array): void {
    if (!this.mesh) return;
    const matrix = new THREE.Matrix4();
    for (let tile = 0; tile < shares.length; tile++) {
      const share = shares[tile]!;
      // Tiles at the border lose what would lead off the floor: the colour begins at half.
      this.mesh.setColorAt(tile, this.colour.copy(this.low).lerp(this.high, Math.max(0, Math.min(1, 2 * share - 0.4))));
      this.mesh.getMatrixAt(tile, matrix);
      matrix.elements[0] = matrix.elements[10] = share < 0 ? 0 : 1;
      this.mesh.setMatrixAt(tile, matrix);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    if (!this.mesh) return;
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.dispose();
    this.mesh = null;
  }
}
