// SPDX-License-Identifier: MIT
// Rotations in 32 bits: which of the four parts is largest, and the others in ten bits each. Off by less than 0.2 degrees.

const HALF = Math.SQRT1_2; // no part but the largest can be larger
const STEPS = 1023;

/** Packs the unit quaternion at `from`. */
export function packTurn(q: ArrayLike<number>, from: number): number {
  let most = 0;
  for (let i = 1; i < 4; i++) if (Math.abs(q[from + i]!) > Math.abs(q[from + most]!)) most = i;
  const sign = q[from + most]! < 0 ? -1 : 1;
  let bits = most;
  for (let i = 0; i < 4; i++) {
    if (i === most) continue;
    const share = (sign * q[from + i]! + HALF) / (2 * HALF);
    bits = (bits << 10) | Math.min(STEPS, Math.max(0, Math.round(STEPS * share)));
  }
  return bits >>> 0;
}

export function unpackTurn(bits: number, out: Float32Array, to: number): void {
  const most = bits >>> 30;
  let square = 0, shift = 20;
  for (let i = 0; i < 4; i++) {
    if (i === most) continue;
    const value = (((bits >>> shift) & STEPS) / STEPS) * 2 * HALF - HALF;
    out[to + i] = value;
    square += value * value;
    shift -= 10;
  }
  out[to + most] = Math.sqrt(Math.max(0, 1 - square));
}

/** Between two rotations, the shorter way, into `out`. */
export function mixTurns(a: Float32Array, atA: number, b: Float32Array, atB: number, share: number, out: Float32Array, to: number): void {
  const dot = a[atA]! * b[atB]! + a[atA + 1]! * b[atB + 1]! + a[atA + 2]! * b[atB + 2]! + a[atA + 3]! * b[atB + 3]!;
  const k = dot < 0 ? -share : share;
  let square = 0;
  for (let i = 0; i < 4; i++) {
    const v = (1 - share) * a[atA + i]! + k * b[atB + i]!;
    out[to + i] = v;
    square += v * v;
  }
  const by = 1 / Math.sqrt(square || 1);
  for (let i = 0; i < 4; i++) out[to + i]! *= by;
}
