import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClaimLoop } from './claim-loop.ts'

// A poll that the test would wait for in vain.
const NEVER_MS = 3_600_000

/** Its claims return these counts, and then 0; `claimed(n)` resolves when the n-th has begun. */
function countClaims(counts: readonly (number | Error)[]) {
  const waiting = new Map<number, () => void>()
  let claims = 0
  return {
    count: () => claims,
    begin: async (): Promise<number> => {
      claims += 1
      waiting.get(claims)?.()
      const given = counts[claims - 1] ?? 0
      if (given instanceof Error) throw given
      return given
    },
    claimed: async (nth: number): Promise<void> => {
      if (claims >= nth) return
      await new Promise<void>((resolve) => waiting.set(nth, resolve))
    },
  }
}

function failOnTrouble(error: unknown): void {
  assert.fail(String(error))
}

test('claims again at once while there is work, then waits for the end of a piece of it', async () => {
  const claims = countClaims([3, 2])
  const { begin } = claims
  const loop = startClaimLoop({ begin, onTrouble: failOnTrouble, pollMs: NEVER_MS, gatherMs: 1 })
  await claims.claimed(3)
  loop.wake()
  await claims.claimed(4)
  await loop.stop()
  assert.equal(claims.count(), 4)
})

test('claims again at the next poll when nothing was due', async () => {
  const claims = countClaims([])
  const { begin } = claims
  const loop = startClaimLoop({ begin, onTrouble: failOnTrouble, pollMs: 1, gatherMs: 1 })
  await claims.claimed(3)
  await loop.stop()
})

test('an end of work that comes while a claim is under way leads to another claim', async () => {
  const claimed = Promise.withResolvers<number>()
  const again = Promise.withResolvers<void>()
  let claims = 0
  const begin = async (): Promise<number> => {
    claims += 1
    if (claims > 1) again.resolve()
    return claims === 1 ? await claimed.promise : 0
  }
  const loop = startClaimLoop({ begin, onTrouble: failOnTrouble, pollMs: NEVER_MS, gatherMs: 1 })
  loop.wake()
  claimed.resolve(0)
  await again.promise
  await loop.stop()
})

test('a claim that fails is told of, and the next poll claims again', async () => {
  const trouble = new Error('the database is away')
  const claims = countClaims([trouble])
  const told: unknown[] = []
  const { begin } = claims
  const onTrouble = (error: unknown): void => void told.push(error)
  const loop = startClaimLoop({ begin, onTrouble, pollMs: 1, gatherMs: 1 })
  await claims.claimed(2)
  await loop.stop()
  assert.deepEqual(told, [trouble])
})

test('a stop waits for the claim that is under way, and no other follows', async () => {
  const claimed = Promise.withResolvers<number>()
  let claims = 0
  const begin = async (): Promise<number> => {
    claims += 1
    return await claimed.promise
  }
  const loop = startClaimLoop({ begin, onTrouble: failOnTrouble, pollMs: 1, gatherMs: 1 })
  let isStopped = false
  const stopped = loop.stop().then(() => (isStopped = true))
  assert.equal(isStopped, false)
  claimed.resolve(5)
  await stopped
  assert.equal(claims, 1)
})
