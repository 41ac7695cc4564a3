// A published list that the made-up hoster followed for weeks, until its publisher answered with a
// web page: the source that has failed. It is never fetched: its schedule is off, and the lists of
// the story are pushed.

import { endFetch, leaseSource } from '../../intel/sources/fetch/source-fetch-store.ts'
import { findSource } from '../../intel/sources/source-store.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'
import { DAY_MS } from './demo-events.ts'
import type { DemoRandom } from './demo-random.ts'

const SOURCE = { kind: 'mail-blocklist', name: 'demo-partner-feed' } as const
/** As `kind/name`. */
export const FAILED_FEED = `${SOURCE.kind}/${SOURCE.name}`

const DESCRIPTION = {
  description: 'Addresses that a partner sees attacking its shops.',
  origin: 'Farnet, https://feed.farnet.example/',
  licence: 'For members of the exchange; not to be passed on.',
  ttlSeconds: 7 * 86_400,
  fetch: {
    url: 'https://feed.farnet.example/attackers.txt',
    format: 'plain',
    intervalSeconds: 86_400,
    enabled: false,
  },
}

// The last good list came so many days before the end.
const LAST_DAY = 4
const FIRST_DAY = 80
const EVERY_DAYS = 4
const ENTRIES = 60

interface FeedStep {
  readonly atMs: number
  readonly act: () => Promise<void>
}

/** The lists on their days, each a little other than the one before, and the failure at the end. */
export function planFailedFeed(
  desk: DemoDesk,
  feeder: Caller,
  endMs: number,
  random: DemoRandom,
): readonly FeedStep[] {
  const steps: FeedStep[] = []
  let items: readonly string[] = Array.from({ length: ENTRIES }, () => pickAddress(random))
  for (let day = FIRST_DAY; day >= LAST_DAY; day -= EVERY_DAYS) {
    const gone = random.between(2, 9)
    const come = Array.from({ length: random.between(3, 14) }, () => pickAddress(random))
    items = [...new Set([...items.slice(gone), ...come])]
    const listed = items
    steps.push({
      atMs: endMs - day * DAY_MS,
      act: async () => {
        await desk.send(feeder, 'PUT', `/beta/sources/${FAILED_FEED}`, { json: DESCRIPTION })
        await desk.send(feeder, 'PUT', `/beta/sources/${FAILED_FEED}/entries`, {
          json: listed.map((item) => ({ item, reason: 'Attacks on shops' })),
        })
      },
    })
  }
  steps.push({ atMs: endMs - DAY_MS, act: () => failFetch(desk) })
  return steps
}

function pickAddress(random: DemoRandom): string {
  return `198.${random.between(18, 19)}.${random.between(0, 255)}.${random.between(1, 254)}`
}

/** As a fetch leaves the source that got a web page in the place of a list. */
async function failFetch({ services, time }: DemoDesk): Promise<void> {
  const { kysely: db } = services.foundation.database
  const source = await findSource(db, SOURCE)
  const lease = source === null ? null : await leaseSource(db, source.id)
  if (lease === null) throw new Error('the demo: its feed cannot be fetched')
  const trouble = 'The answer is a web page and no list.'
  await endFetch(db, lease, { trouble }, time.clock.nowMs())
}
