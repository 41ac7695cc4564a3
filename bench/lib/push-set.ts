// Puts a generated set into a running server through its push endpoints, as a feed would.

import type { IntelRows } from './intel-set.ts'

// 50,000 rows are about 7 MB of NDJSON; a push takes up to 64 MiB.
const ROWS_A_PUSH = 50_000

export interface PushTarget {
  readonly port: number
  readonly token: string
}

/** Seconds it took until the last push was answered, which is when everything is durable and seen by look-ups. */
export async function pushSet(target: PushTarget, set: IntelRows): Promise<number> {
  const startedAt = performance.now()
  await pushRows(target, 'listings', set.listings)
  await pushRows(target, 'taggings', set.taggings)
  await pushRows(target, 'sightings', set.sightings)
  return (performance.now() - startedAt) / 1_000
}

export async function pushRows(
  target: PushTarget,
  path: string,
  rows: readonly string[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_PUSH) {
    const answer = await fetch(`http://127.0.0.1:${target.port}/beta/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/x-ndjson' },
      body: rows.slice(start, start + ROWS_A_PUSH).join('\n'),
    })
    const text = await answer.text()
    if (answer.status !== 200 || !text.includes('"rejected":[]')) {
      throw new Error(`push to ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    }
  }
}
