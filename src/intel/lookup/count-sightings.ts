// GET /beta/sightings?item= (an addition, see docs/interface-gaps/look-ups.md): how often an item
// was sighted on each of the last days. Look-ups keep the span and the sum of sightings in memory;
// the days are read from the database, so the answer needs a token.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { seenInRange, subjectsOfItem } from './find-seen-subjects.ts'
import { inTurn } from './in-turn.ts'
import { requireItem, requireRange } from './read-asked-item.ts'
import { REFANG } from './refang-wire.ts'
import { countSightingDays, type SightingMember } from './sighting-day-store.ts'
import { presentSightingDays, SightingBy, SightingDays } from './sighting-days-wire.ts'

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 30
const DAYS_MAX = 366
// 20 values of 366 days are about 20 KB.
const VALUES_MAX = 20
// Each address of a range is a search in the index of the database, some 20 µs.
const SUBJECTS_MAX = 2_000
// As many as for the contents of a range (get-range.ts).
const UNFINISHED_MAX = 16
const HEADERS = { 'cache-control': 'no-store' } as const

const Query = Type.Object({
  item: Type.String({ description: 'An address, a range such as 192.0.2.0/24, or a domain.' }),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DAYS_MAX,
      default: DAYS_DEFAULT,
      description: 'Days in UTC, today included.',
    }),
  ),
  by: Type.Optional(SightingBy),
  ...REFANG,
})

interface CountSightingsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly index: IntelIndex
}

export function countSightingsRoute(deps: CountSightingsDeps): Route {
  const run = inTurn(UNFINISHED_MAX)
  return defineRoute({
    method: 'GET',
    path: '/beta/sightings',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'countSightings',
    summary: 'Count the sightings of an item by day',
    description:
      'Of an address or a domain with what covers it, as in a look-up; of a range with all addresses inside it. A sighting that spans several days is spread evenly over them.',
    query: Query,
    responses: {
      200: { description: 'The counts of each day.', schema: successOf(SightingDays) },
      400: { description: 'No item, or a range too wide.', schema: FailureEnvelope },
      503: { description: 'Too many requests for ranges at once.', schema: FailureEnvelope },
    },
    async handle({ query: { item, days = DAYS_DEFAULT, by = 'type', refang } }) {
      const period = { days, fromMs: firstDay(deps.clock.nowMs(), days) }
      const asked = await findSubjects(
        deps,
        { text: item, mayRefang: refang === true },
        period,
        run,
      )
      return answerSuccess(await countDays(deps.db, asked, by), { headers: HEADERS })
    },
  })
}

function firstDay(nowMs: number, days: number): number {
  return (Math.floor(nowMs / DAY_MS) - days + 1) * DAY_MS
}

interface Period {
  readonly fromMs: number
  readonly days: number
}

interface AskedSubjects extends Period {
  readonly item: string
  readonly subjects: readonly string[]
  readonly isComplete: boolean
}

async function findSubjects(
  { index }: CountSightingsDeps,
  { text, mayRefang }: { readonly text: string; readonly mayRefang: boolean },
  period: Period,
  run: ReturnType<typeof inTurn>,
): Promise<AskedSubjects> {
  if (!isRangeText(text)) {
    const item = requireItem(text, mayRefang)
    const subjects = subjectsOfItem(index.view(), item)
    return { ...period, item: item.text, subjects, isComplete: true }
  }
  const range = requireRange(text)
  const since = { seconds: period.fromMs / 1_000 }
  const sighted = await run(() => seenInRange(index.view(), range, since, SUBJECTS_MAX))
  return { ...period, item: range.text, ...sighted }
}

/** A link has slashes too, and is no range. */
function isRangeText(text: string): boolean {
  return /^[^/]+\/\d+$/.test(text)
}

async function countDays(
  db: Db,
  { item, subjects, isComplete, ...period }: AskedSubjects,
  by: SightingMember,
): Promise<SightingDays> {
  const question = { subjects, ...period, by, valuesMax: VALUES_MAX }
  const counts = subjects.length === 0 ? [] : await countSightingDays(db, question)
  return presentSightingDays({ item, by, isComplete, ...period, counts })
}
