// GET /beta/sources/{kind}/{name}/history (an addition, see docs/interface-gaps/sources.md): how
// many entries the list of a source had after its syncs, by day.

import { type Static, Type } from 'typebox'
import type { Clock } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { answerSuccess } from '../../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import { sourceUnknown } from '../../errors.ts'
import { findSource } from '../source-store.ts'
import { HISTORY_DAYS_MAX, listSourceDays } from './source-history-store.ts'

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 90
const HEADERS = { 'cache-control': 'no-store' } as const
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const SourceHistory = named(
  'SourceHistory',
  Type.Object({
    from: Type.String({ format: 'date', description: 'The first day asked about, in UTC.' }),
    to: Type.String({ format: 'date', description: 'The last day, which is today.' }),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'In UTC.' }),
        entries: Count('Entries of the list after the last sync of the day.'),
        added: Count('Entries that the syncs of the day added.'),
        removed: Count('Entries that the syncs of the day removed.'),
        syncs: Count('Replacements of the list on the day.'),
      }),
      {
        description:
          'Days with a sync, the earliest first; between them the entries stay. The first one may be before `from`: its entries are those of `from`.',
      },
    ),
  }),
)
type SourceHistory = Static<typeof SourceHistory>

interface HistoryDeps {
  readonly db: Db
  readonly clock: Clock
}

export function getSourceHistoryRoute({ db, clock }: HistoryDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sources/{kind}/{name}/history',
    group: 'intel',
    access: { kind: 'one-of', ways: [['intel:read'], ['sources:manage']] },
    operationId: 'getSourceHistory',
    summary: 'Get the history of a source',
    description:
      'The number of entries after each replacement of its list, by a fetch or a push, summed up by day and kept for 400 days. A fetch of an unchanged list is no replacement. Sensors and other sources without a list have no history.',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    query: Type.Object({
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: HISTORY_DAYS_MAX,
          default: DAYS_DEFAULT,
          description: 'Days in UTC, today included.',
        }),
      ),
    }),
    responses: {
      200: { description: 'The history.', schema: successOf(SourceHistory) },
      400: { description: 'days is malformed.', schema: FailureEnvelope },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks intel:read.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
    },
    async handle({ params, query: { days = DAYS_DEFAULT } }) {
      const source = await findSource(db, params)
      if (source === null) throw sourceUnknown()
      const nowMs = clock.nowMs()
      const from = toDate(nowMs - (days - 1) * DAY_MS)
      const listed = await listSourceDays(db, source.id, from)
      const result: SourceHistory = { from, to: toDate(nowMs), days: [...listed] }
      return answerSuccess(result, { headers: HEADERS })
    },
  })
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
