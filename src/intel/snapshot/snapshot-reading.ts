// A snapshot under one policy: what its origins and shapes mean for the answer of a check.

import type { IntelPolicy } from '../facts/classify-item.ts'
import { bitsOfOrigins, bitsOfOwnFact, type OriginBits } from './fact-bits.ts'
import { bitsOfShapes } from './shapes.ts'
import type { Snapshot } from './snapshot.ts'

/** Later than any moment, so that no shape is used: every record is read. */
export const NO_SHAPES = Number.POSITIVE_INFINITY

/** A snapshot with what its origins and shapes mean under one policy. */
export interface Reading {
  readonly snapshot: Snapshot
  readonly policy: IntelPolicy
  readonly bits: OriginBits
  readonly bitsOfShapes: Uint16Array
  /** From when on shapes may be used; never under another look-back than they were made for. */
  readonly shapesFromSeconds: number
}

// A view is made anew at every change, of snapshots most of which the last view had too.
const readings = new WeakMap<Snapshot, Reading>()

export function readUnder(snapshot: Snapshot, policy: IntelPolicy): Reading {
  const known = readings.get(snapshot)
  if (known?.policy === policy) return known
  const bits = bitsOfOrigins(snapshot.origins, policy)
  const { builtAtMs, lookBackSeconds } = snapshot.meta
  const reading: Reading = {
    snapshot,
    policy,
    bits,
    bitsOfShapes: bitsOfShapes(snapshot.shapes, (kind, origin) =>
      bitsOfOwnFact(bits, kind, origin),
    ),
    shapesFromSeconds:
      lookBackSeconds === policy.lookBackSeconds ? Math.floor(builtAtMs / 1000) : NO_SHAPES,
  }
  readings.set(snapshot, reading)
  return reading
}
