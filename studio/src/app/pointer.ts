// SPDX-License-Identifier: MIT
// Mouse, touch and the keyboard's cursor on the stage, as the same few events for scenes.
import * as THREE from "three";
import type { LiveScene, Spot } from "../scenes/scene";
import type { Stage } from "../view/stage";

const CLICK_PIXELS = 5;

export class StagePointer {
  private readonly cursor = new THREE.Group();
  private held: number | null = null;
  private pressed: { x: number; y: number; moved: boolean } | null = null;
  private carrying = false; // with the keyboard

  constructor(private readonly stage: Stage, private readonly scene: () => LiveScene | null) {
    const ring = new THREE.Mesh(new THREE.RingGeometry(0.16, 0.2, 40).rotateX(-Math.PI / 2),
      new THREE.MeshBasicMaterial({ color: 0x1668a8, depthTest: false, transparent: true }));
    const dot = new THREE.Mesh(new THREE.CircleGeometry(0.03, 16).rotateX(-Math.PI / 2), ring.material);
    ring.renderOrder = dot.renderOrder = 10;
    this.cursor.add(ring, dot);
    this.cursor.position.y = 0.02;
    this.cursor.visible = false;
    stage.scene.add(this.cursor);
    const { canvas } = stage;
    // Before the camera's own listeners: a scene that takes a drag keeps the camera still.
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    canvas.addEventListener("pointerup", (event) => this.up(event), { capture: true });
    canvas.addEventListener("pointercancel", (event) => this.up(event), { capture: true });
    canvas.addEventListener("blur", () => (this.cursor.visible = false));
  }

  private spot(event: { clientX: number; clientY: number; shiftKey: boolean }): Spot | null {
    const hit = this.stage.pick(event);
    return hit && { ...hit, shift: event.shiftKey };
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.cursor.visible = false;
    this.pressed = { x: event.clientX, y: event.clientY, moved: false };
    const spot = this.spot(event);
    if (spot && this.scene()?.grab?.(spot)) {
      this.held = event.pointerId;
      this.stage.controls.enabled = false;
      this.stage.canvas.setPointerCapture(event.pointerId);
    }
  }

  private move(event: PointerEvent): void {
    if (this.pressed && Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > CLICK_PIXELS) this.pressed.moved = true;
    if (this.held !== event.pointerId) return;
    const spot = this.spot(event);
    if (spot) this.scene()?.drag?.(spot);
  }

  private up(event: PointerEvent): void {
    const spot = this.spot(event);
    if (this.held === event.pointerId) {
      this.held = null;
      this.stage.controls.enabled = true;
      if (spot) this.scene()?.drop?.(spot);
    } else if (this.pressed && !this.pressed.moved && spot && event.type === "pointerup") this.scene()?.click?.(spot);
    this.pressed = null;
  }

  /** Keys while the stage has the focus; true where they were used. */
  key(event: KeyboardEvent): boolean {
    const steps: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    if (step) {
      this.moveCursor(step[0], step[1], event.shiftKey ? 1 : 0.25);
      return true;
    }
    if (event.key === "Enter") {
      this.enter(event.shiftKey);
      return true;
    }
    if (event.key === "+" || event.key === "=" || event.key === "-") {
      const by = event.key === "-" ? 1.15 : 1 / 1.15;
      const { camera, controls } = this.stage;
      camera.position.sub(controls.target).multiplyScalar(by).add(controls.target);
      return true;
    }
    if (event.key === "[" || event.key === "]") {
      const { camera, controls } = this.stage;
      camera.position.sub(controls.target).applyAxisAngle(new THREE.Vector3(0, 1, 0), event.key === "[" ? -0.15 : 0.15).add(controls.target);
      return true;
    }
    return false;
  }

  /** Along the axes of the screen, as seen from above. */
  private moveCursor(right: number, ahead: number, metres: number): void {
    const { controls, camera } = this.stage;
    if (!this.cursor.visible) {
      this.cursor.visible = true;
      this.cursor.position.set(controls.target.x, 0.02, controls.target.z);
    }
    const away = new THREE.Vector3(controls.target.x - camera.position.x, 0, controls.target.z - camera.position.z).normalize();
    this.cursor.position.x += (ahead * away.x - right * away.z) * metres;
    this.cursor.position.z += (ahead * away.z + right * away.x) * metres;
    if (this.carrying) this.scene()?.drag?.(this.cursorSpot(false));
  }

  private cursorSpot(shift: boolean): Spot {
    return { x: this.cursor.position.x, z: this.cursor.position.z, ray: null, shift };
  }

  private enter(shift: boolean): void {
    const spot = this.cursorSpot(shift);
    if (this.carrying) {
      this.carrying = false;
      this.scene()?.drop?.(spot);
    } else if (this.scene()?.grab?.(spot)) this.carrying = true;
    else this.scene()?.click?.(spot);
  }
}
