// Single events of the campaigns, in the order of time.

import type { DemoRandom } from './demo-random.ts'
import type { Campaign, DayShape } from './hosting-campaigns.ts'

export interface DemoEvent {
  readonly atMs: number
  readonly body: object
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export function buildEvents(
  campaigns: readonly Campaign[],
  endMs: number,
  random: DemoRandom,
): readonly DemoEvent[] {
  const events = campaigns.flatMap((campaign) => listEvents(campaign, endMs, random))
  return events.toSorted((one, other) => one.atMs - other.atMs)
}

function listEvents(campaign: Campaign, endMs: number, random: DemoRandom): DemoEvent[] {
  const events: DemoEvent[] = []
  const midnightMs = Math.floor(endMs / DAY_MS) * DAY_MS
  for (let day = campaign.from; day >= campaign.to; day -= 1) {
    // A campaign swells and fades: days differ, and some are silent.
    const count = Math.round(campaign.perDay * (0.4 + random.next() * 1.2))
    for (let nth = 0; nth < count; nth += 1) {
      const atMs =
        midnightMs - day * DAY_MS + Math.floor(chooseHour(campaign.shape, random) * HOUR_MS)
      // Nothing is reported before it has happened.
      if (atMs < endMs - MINUTE_MS) events.push({ atMs, body: buildBody(campaign, atMs, random) })
    }
  }
  return events
}

const MINUTE_MS = 60_000

/** Hour of the day, with its fraction. */
function chooseHour(shape: DayShape, random: DemoRandom): number {
  switch (shape) {
    case 'steady':
      return random.next() * 24
    case 'night':
      // From ten in the evening to six in the morning, mostly around two.
      return (22 + (random.next() + random.next()) * 4) % 24
    case 'office':
      return 7 + (random.next() + random.next()) * 5.5
    case 'evening':
      return 14 + (random.next() + random.next()) * 4.5
    case 'burst':
      return 13 + random.next() * 2.2
  }
}

const COUNTED: ReadonlySet<string> = new Set(['LoginAttack', 'PortScan'])

function buildBody(campaign: Campaign, atMs: number, random: DemoRandom): object {
  const { type, ip, domain, reporters, details, subtypes, tags } = campaign
  // The first reporter is the one who writes most.
  const sender = random.chance(0.5) ? (reporters[0] ?? '') : random.pick(reporters)
  return {
    event_date: new Date(atMs).toISOString(),
    event_type: type,
    sender_email: sender,
    ...(ip === undefined ? {} : { ip }),
    ...(domain === undefined ? {} : { domain }),
    ...(subtypes === undefined ? {} : { event_subtypes: subtypes }),
    ...(tags === undefined ? {} : { tags }),
    event_details: COUNTED.has(type)
      ? { ...details, attempts: random.between(3, 480) }
      : { ...details },
  }
}
