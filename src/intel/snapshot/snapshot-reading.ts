// A snapshot under one policy: the bits of its origins and shapes for the answer of a check.

import type { IntelPolicy } from '../facts/classify-item.ts'
import { bitsOfOrigins, bitsOfOwnFact, type OriginBits } from './fact-bits.ts'
import { bitsOfShapes } from './shapes.ts'
import type { Snapshot } from './snapshot.ts'

/** Later than any time, so that no shape is used and every record is read. */
export const NO_SHAPES = Number.POSITIVE_INFINITY

/** A snapshot with the bits of its origins and shapes under one policy. */
export interface Reading {
  readonly snapshot: Snapshot
  readonly policy: IntelPolicy
  readonly bits: OriginBits
  readonly bitsOfShapes: Uint16Array
  /** Shapes may be used from this second on; never under another look-back than their own. */
  readonly shapesFromSeconds: number
}

// Every change makes a new view, and most of its snapshots were in the last view too.
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
