// Waits for what another process, thread or timer does. Every wait has an end: otherwise a test
// that waits for nothing holds its whole group until the timeout of a file (test/group.ts).

import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

// Ten times what any wait takes while several processes of tests share two cores.
const WAIT_MS_MAX = 120_000
const POLL_MS = 20

/** Resolves when the condition holds; fails after two minutes. `what` is for that message. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  what: string = holds.toString(),
): Promise<void> {
  await waitFor(async () => ((await holds()) ? true : null), what)
}

/** The first value of `find` that is not null; fails after two minutes. */
export async function waitFor<Value>(
  find: () => Promise<Value | null>,
  what: string = find.toString(),
): Promise<Value> {
  const endMs = performance.now() + WAIT_MS_MAX
  for (;;) {
    const found = await find()
    if (found !== null) return found
    assert.ok(performance.now() < endMs, `waited two minutes in vain for: ${what}`)
    await delay(POLL_MS)
  }
}
