// Puts a generated set into a running server through its push endpoints, as a feed would.

import type { IntelRows } from './intel-set.ts'
import { waitUntilListed } from './look-ups.ts'

// 50,000 rows are about 7 MB of NDJSON; a push takes up to 64 MiB.
const ROWS_A_PUSH = 50_000
// One part is read while the other is merged.
const CONNECTIONS = 2
const SEEN_POLL_MS = 50
// A million entries take some seconds, on a busy machine a minute.
const SEEN_TIMEOUT_MS = 600_000

export interface PushTarget {
  readonly port: number
  readonly token: string
}

/** Seconds it took until everything was durable and seen by look-ups. */
export async function pushSet(target: PushTarget, set: IntelRows): Promise<number> {
  const startedAt = performance.now()
  await pushRows(target, 'listings', set.listings)
  await pushRows(target, 'taggings', set.taggings)
  await pushRows(target, 'sightings', set.sightings)
  await waitUntilSeen(target)
  return (performance.now() - startedAt) / 1_000
}

// A change of its own each time: one of an earlier push would be seen at once. It is small enough
// to be seen at its answer, and then everything before it is seen too.
async function waitUntilSeen(target: PushTarget): Promise<void> {
  const item = `seen-${crypto.randomUUID()}.example.net`
  const lastSeen = new Date().toISOString()
  await pushRows(target, 'listings', [
    JSON.stringify({ item, list: 'seen', source: 'bench', lastSeen }),
  ])
  await waitUntilListed(target.port, item, { pauseMs: SEEN_POLL_MS, timeoutMs: SEEN_TIMEOUT_MS })
}

/** `path`: `listings`, `taggings` or `sightings`; the rows are lines of JSON for it. */
export async function pushRows(
  target: PushTarget,
  path: string,
  rows: readonly string[],
): Promise<void> {
  let next = 0
  const pushParts = async (): Promise<void> => {
    while (next < rows.length) {
      const part = rows.slice(next, next + ROWS_A_PUSH)
      next += ROWS_A_PUSH
      await pushPart(target, path, part)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, pushParts))
}

async function pushPart(target: PushTarget, path: string, rows: readonly string[]): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${target.port}/beta/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/x-ndjson' },
    body: rows.join('\n'),
  })
  const text = await answer.text()
  if (answer.status !== 200 || !text.includes('"rejected":[]')) {
    throw new Error(`push to ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  }
}
