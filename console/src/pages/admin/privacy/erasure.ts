// An erasure works for some seconds a request, and is sent again until it is done.

import type { Schemas } from 'casework/client'
import { casework } from '../../../data/client.ts'

export type Erasure = Schemas['Erasure']

// An hour of requests of some seconds each.
const ROUNDS_MAX = 1_000

/** Calls `onPart` after each part; the last one is done. */
export async function runErasure(
  address: string,
  preview: boolean,
  onPart: (erasure: Erasure) => void,
): Promise<Erasure> {
  for (let round = 1; ; round += 1) {
    const erasure = await casework.post('/beta/casework/erasures', { body: { address, preview } })
    onPart(erasure)
    if (erasure.state === 'done' || round === ROUNDS_MAX) return erasure
  }
}

export function readCounts(counts: unknown): readonly (readonly [table: string, count: number])[] {
  return Object.entries(Object(counts)).flatMap(([table, count]) =>
    typeof count === 'number' && count > 0 ? [[table, count] as const] : [],
  )
}

export function sumCounts(counts: unknown): number {
  return readCounts(counts).reduce((sum, [, count]) => sum + count, 0)
}
