// SPDX-License-Identifier: MIT
// The stage: renderer, light with soft shadows, ground with a grid, camera that orbits or follows.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { type Colours, dark, light } from "./colours";

const GRID_FRAGMENT = /* glsl */ `
float gridLine(vec2 p, float size, float width) {
  vec2 q = p / size;
  vec2 d = fwidth(q);
  vec2 g = abs(fract(q - 0.5) - 0.5) / max(d, 1e-6);
  float line = 1.0 - min(min(g.x, g.y) / width, 1.0);
  return line * clamp(1.0 - 2.0 * max(d.x, d.y), 0.0, 1.0);
}
`;

const NARROW = 700; // pixels: as in style.css
const PANEL = 276;
const QUALITIES = [
  { pixels: 2, shadows: true }, { pixels: 1, shadows: true }, { pixels: 0.75, shadows: true }, { pixels: 0.6, shadows: false }, { pixels: 0.45, shadows: false },
  { pixels: 0.25, shadows: false }, // only when asked for
];

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(42, 1, 0.1, 600);
  readonly controls: OrbitControls;
  colours: Colours = light;
  /** Called when light changes to dark or back. */
  readonly onColours: (() => void)[] = [];

  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb4b0ab, 2.2);
  private readonly ground: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshStandardMaterial>;
  private readonly lineColour = { value: new THREE.Color() };
  private readonly raycaster = new THREE.Raycaster();
  private readonly floor = new THREE.Plane(new THREE.Vector3(0, 1, 0), 0);

  constructor(readonly canvas: HTMLCanvasElement, antialias = true) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.camera.position.set(3.2, 2.4, 4.6);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(0, 0.9, 0);
    this.controls.maxPolarAngle = 0.495 * Math.PI;
    this.controls.minDistance = 1;
    this.controls.maxDistance = 260;
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.02;
    this.ground = this.makeGround();
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground);
    this.setDark(false);
  }

  private makeGround(): THREE.Mesh<THREE.PlaneGeometry, THREE.MeshStandardMaterial> {
    const material = new THREE.MeshStandardMaterial({
      roughness: 1, metalness: 0, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 8, // behind what is marked on it
    });
    this.teachGrid(material, this.lineColour);
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(1200, 1200, 80, 80), material);
    mesh.rotation.x = -Math.PI / 2;
    mesh.receiveShadow = true;
    return mesh;
  }

  /** Draws the grid of metres on a material, where its surface is not steep. */
  teachGrid(material: THREE.Material, lineColour: { value: THREE.Color }): void {
    material.onBeforeCompile = (shader) => {
      shader.uniforms.lineColour = lineColour;
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vGround;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvGround = (modelMatrix * vec4(position, 1.0)).xyz;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\nvarying vec3 vGround;\nuniform vec3 lineColour;\n${GRID_FRAGMENT}`)
        .replace("#include <color_fragment>",
          "#include <color_fragment>\nfloat fine = gridLine(vGround.xz, 1.0, 1.1), coarse = gridLine(vGround.xz, 5.0, 1.4);\n" +
          "float level = smoothstep(0.3, 0.7, abs(normalize(cross(dFdx(vGround), dFdy(vGround))).y));\n" +
          "diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, level * max(0.38 * fine, 0.8 * coarse));");
    };
  }

  /** Whether the flat ground is shown; scenes with terrain of their own hide it. */
  showGround(visible: boolean): void {
    this.ground.visible = visible;
  }

  setDark(isDark: boolean): void {
    const before = this.colours;
    this.colours = isDark ? dark : light;
    this.recolour(before, this.colours);
    this.scene.background = new THREE.Color(this.colours.sky);
    this.scene.fog = new THREE.Fog(this.colours.sky, 60, 260);
    this.ground.material.color.set(this.colours.ground);
    this.lineColour.value.set(this.colours.line);
    this.sky.intensity = isDark ? 1.7 : 2.2;
    this.sun.intensity = isDark ? 2 : 2.1;
    for (const call of this.onColours) call();
  }

  /** What was drawn in a colour of the old palette is drawn in the same one of the new. */
  private recolour(before: Colours, after: Colours): void {
    const same = new Map((Object.keys(before) as (keyof Colours)[]).map((name) => [before[name], after[name]]));
    this.scene.traverse((object) => {
      const { material } = object as THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
      const colour = same.get(material?.color?.getHex());
      if (colour !== undefined) material.color.set(colour);
    });
  }

  /** Less work for machines that cannot keep up: 0 is everything, higher is less. */
  setQuality(level: number): void {
    const chosen = QUALITIES[Math.min(level, QUALITIES.length - 1)]!;
    this.pixels = chosen.pixels;
    if (this.sun.castShadow !== chosen.shadows) this.sun.castShadow = chosen.shadows;
    this.resize();
  }

  private pixels = 2;
  private covered = 0; // pixels at the right

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.pixels));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // What is looked at stands in the middle of what the panel leaves free.
    this.covered = width > NARROW ? PANEL : 0;
    this.camera.setViewOffset(width, height, this.covered / 2, 0, width, height);
  }

  /** Where a pointer meets the ground, and the ray through it. */
  pick(event: { clientX: number; clientY: number }): { x: number; z: number; ray: THREE.Ray } | null {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    this.camera.updateMatrixWorld();
    this.raycaster.setFromCamera(at, this.camera);
    const hit = this.raycaster.ray.intersectPlane(this.floor, new THREE.Vector3());
    return { x: hit?.x ?? NaN, z: hit?.z ?? NaN, ray: this.raycaster.ray.clone() };
  }

  /** Where a place in the world is on the page, in CSS pixels. */
  project(x: number, y: number, z: number): { x: number; y: number } {
    this.camera.updateMatrixWorld();
    const v = new THREE.Vector3(x, y, z).project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((v.x + 1) / 2) * box.width, y: box.top + ((1 - v.y) / 2) * box.height };
  }

  /** Looks at a rectangle of ground as a whole. */
  frame(lowX: number, lowZ: number, highX: number, highZ: number): void {
    const centre = new THREE.Vector3((lowX + highX) / 2, 0.5, (lowZ + highZ) / 2);
    const reach = 0.62 * Math.hypot(highX - lowX, highZ - lowZ) / Math.min(1, this.camera.aspect * (1 - this.covered / Math.max(1, this.canvas.clientWidth))) + 2;
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(new THREE.Vector3(0.25, 0.85, 0.8).normalize().multiplyScalar(reach / Math.tan(0.5 * this.camera.fov * Math.PI / 180) * 0.62));
    this.controls.update();
  }

  /** Moves the camera along with somebody, keeping its view. */
  follow(x: number, y: number, z: number, share: number): void {
    const target = this.controls.target;
    const dx = (x - target.x) * share, dy = (y - target.y) * share, dz = (z - target.z) * share;
    target.set(target.x + dx, target.y + dy, target.z + dz);
    this.camera.position.add(new THREE.Vector3(dx, dy, dz));
  }

  render(): void {
    this.controls.update();
    const target = this.controls.target;
    const distance = this.camera.position.distanceTo(target);
    const reach = Math.min(Math.max(5, distance * 0.9), 60);
    // The shadow map moves in steps of its own texels, or shadows would shimmer.
    const texel = (2 * reach) / 2048;
    const snap = (v: number) => Math.round(v / (8 * texel)) * 8 * texel;
    this.sun.target.position.set(snap(target.x), 0, snap(target.z));
    this.sun.position.copy(this.sun.target.position).add(new THREE.Vector3(-0.45, 1, 0.35).multiplyScalar(reach * 1.6));
    const shadow = this.sun.shadow.camera;
    if (Math.abs(shadow.right - reach) > 0.02 * reach) {
      shadow.left = shadow.bottom = -reach;
      shadow.right = shadow.top = reach;
      shadow.near = 0.1;
      shadow.far = reach * 4;
      shadow.updateProjectionMatrix();
    }
    this.renderer.render(this.scene, this.camera);
  }

  /** What is on the screen as a PNG file: in full, however coarsely it is drawn while things move. */
  async png(): Promise<Blob> {
    const pixels = this.pixels;
    this.pixels = Math.max(1, pixels);
    this.resize();
    this.render();
    const taken = new Promise<Blob>((resolve, reject) =>
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be taken"))), "image/png"));
    this.pixels = pixels;
    try {
      return await taken;
    } finally {
      this.resize();
    }
  }
}
