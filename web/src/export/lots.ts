/** What is drawn: numbers from seeds, and what they fall on, as Python draws them (pysolve/search/playouts.py). */

import { MIX, MIX_AGAIN, ODD } from "../generated/constants.ts";

const BITS = 64;

/** A random number of 64 bits: one of those of a game, counted from 0. */
export function lotOf(seed: number, number: number): bigint {
  return mixed(mixed(BigInt(seed) + BigInt(ODD)) + BigInt(number + 1) * BigInt(ODD));
}

function mixed(number: bigint): bigint {
  let z = BigInt.asUintN(BITS, number);
  z = BigInt.asUintN(BITS, (z ^ (z >> 30n)) * BigInt(MIX));
  z = BigInt.asUintN(BITS, (z ^ (z >> 27n)) * BigInt(MIX_AGAIN));
  return z ^ (z >> 31n);
}

/** The place of the weight on which a lot falls, where they lie side by side. */
export function byWeight(lot: bigint, weights: number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = Number(((lot >> 32n) * BigInt(total)) >> 32n);
  let place = 0;
  while (left >= weights[place]!) left -= weights[place++]!;
  return place;
}
