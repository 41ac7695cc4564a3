// GET /beta/casework/stats: time series and tops of cases, events and reports. What would take long
// is refused with words, so that statistics never slow down the lists.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { limit as createLimit, QueueFull } from '../../../kernel/async/limit.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { filterNotValid, scopeMissing } from '../../../kernel/errors.ts'
import { readTime, requireValue } from '../../../kernel/http/read-filters.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { timeParameter } from '../../../vocabulary/page-wire.ts'
import { statsBusy, statsTooWide } from '../errors.ts'
import {
  countStats,
  type IntervalName,
  STATS_FILTERS,
  STATS_MEMBERS,
  type StatsRequest,
} from './stats-store.ts'
import { Interval, Metric, Stats } from './stats-wire.ts'

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 30
// Two years and a day, so that a year can be compared with the one before.
const DAYS_MAX = 732
// A month of hours; more points than a chart is wide.
const POINTS_MAX = 1_000
const TOP_DEFAULT = 10
const TOP_MAX = 100
// Read by an index; a person who wants more takes it in parts.
const ROWS_MAX = 500_000
const STATEMENT_MS_MAX = 5_000
// Each holds a connection of the pool and up to a whole processor of the database.
const RUNNING_MAX = 2
const QUEUE_MAX = 8

// On the wire a case group is `case_group` everywhere.
const COLUMNS: Readonly<Record<string, string>> = { case_group: 'case_group_id' }

const Query = Type.Object({
  metric: Type.Optional(Metric),
  by: Type.Optional(
    Type.String({
      description:
        'Cases: state, case_group, customer_id, severity, assignee_user_id, resolution, close_reason. Events: event_type, customer_id, ip, domain, sender_email, resolved. Reports: state, format, media_type, via.',
    }),
  ),
  interval: Type.Optional(Interval),
  from: timeParameter('From this time on; 30 days before `to` when left out.'),
  to: timeParameter('Before this time; now when left out.'),
  case_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only events of this case.' }),
  ),
  customer_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only cases or events of it.' }),
  ),
  case_group: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only cases of this case group.' }),
  ),
  event_type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only events of this type.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: TOP_MAX,
      description: `Number of values of \`by\`; ${TOP_DEFAULT} when left out.`,
    }),
  ),
})

export interface GetStatsDeps {
  readonly db: Db
  readonly clock: Clock
  /** Records that are counted at most. */
  readonly rowsMax?: number
  /** How long the counting may take. */
  readonly statementMsMax?: number
}

export function getStatsRoute({
  db,
  clock,
  rowsMax = ROWS_MAX,
  statementMsMax = STATEMENT_MS_MAX,
}: GetStatsDeps): Route {
  const turns = createLimit(RUNNING_MAX, { queueMax: QUEUE_MAX })
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/stats',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getStats',
    summary: 'Get time series and tops',
    description: `Events and reports need the scope events:read too. At most ${DAYS_MAX} days, ${POINTS_MAX} intervals and ${ROWS_MAX.toLocaleString('en')} counted records; what is wider is refused.`,
    query: Query,
    responses: {
      200: { description: 'The counts.', schema: Stats },
      400: { description: 'A parameter is not valid, or the time has too many records.' },
      503: { description: 'Too many statistics are being counted, or this one takes too long.' },
    },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const request = readRequest(query, clock.nowMs())
      const { metric, from, to, interval, by } = request
      if ((metric === 'events' || metric === 'reports') && !scope.scopes.has('events:read')) {
        throw scopeMissing('events:read')
      }
      const points = interval === null ? [] : listPoints(interval, from, to)
      const counted = await turns
        .run(() => countStats(db, scope, request, { rowsMax, statementMsMax }))
        .catch((error: unknown) => {
          throw error instanceof QueueFull ? statsBusy() : error
        })
      if (counted === null) throw statsTooWide(rowsMax)
      const series = points.map((ms) => {
        const { count = 0, times = null } = counted.series[String(ms)] ?? {}
        return { at: new Date(ms).toISOString(), count, ...times }
      })
      const top = counted.top.map(({ value, count, series: own }) => ({
        ...(value === null ? {} : { value }),
        count,
        ...(own === null ? {} : { series: points.map((ms) => own[String(ms)] ?? 0) }),
      }))
      const json: Static<typeof Stats> = {
        metric,
        from: from.toISOString(),
        to: to.toISOString(),
        total: counted.total,
        ...counted.times,
        ...(interval === null ? {} : { series }),
        ...(by === null ? {} : { top }),
      }
      return { status: 200, json }
    },
  })
}

function readRequest(query: Static<typeof Query>, nowMs: number): StatsRequest {
  const { metric = 'cases_opened', interval = null } = query
  const to = query.to === undefined ? new Date(nowMs) : new Date(readTime('to', query.to))
  const from =
    query.from === undefined
      ? new Date(to.getTime() - DAYS_DEFAULT * DAY_MS)
      : new Date(readTime('from', query.from))
  const days = (to.getTime() - from.getTime()) / DAY_MS
  if (days <= 0) throw filterNotValid({ path: '/from', reason: 'must be before to' })
  if (days > DAYS_MAX) {
    throw filterNotValid({ path: '/from', reason: `must be at most ${DAYS_MAX} days before to` })
  }
  const filters = Object.entries({
    case_id: query.case_id,
    customer_id: query.customer_id,
    case_group: query.case_group,
    event_type: query.event_type,
  }).flatMap(([name, value]) =>
    value === undefined ? [] : [[readMember(STATS_FILTERS[metric], name, name), value] as const],
  )
  return {
    metric,
    interval,
    by: query.by === undefined ? null : readMember(STATS_MEMBERS[metric], 'by', query.by),
    from,
    to,
    limit: query.limit ?? TOP_DEFAULT,
    filters: Object.fromEntries(filters),
  }
}

/** The column of a member, which the metric must have. */
function readMember(allowed: readonly string[], parameter: string, name: string): string {
  const column = COLUMNS[name] ?? name
  const isKnown = allowed.includes(column) && name !== 'case_group_id'
  const words = allowed.map((one) => (one === 'case_group_id' ? 'case_group' : one))
  const reason =
    parameter === 'by'
      ? `must be one of ${words.join(', ')} for this metric`
      : 'does not narrow this metric down'
  return requireValue(parameter, isKnown ? column : null, reason)
}

/** The beginnings of the intervals that have a part of the time, in ms. */
function listPoints(interval: IntervalName, from: Date, to: Date): readonly number[] {
  const points: number[] = []
  for (let at = beginInterval(interval, from); at < to; at = nextInterval(interval, at)) {
    if (points.length === POINTS_MAX) {
      const reason = `makes more than ${POINTS_MAX} intervals; take a longer one, or less time`
      throw filterNotValid({ path: '/interval', reason })
    }
    points.push(at.getTime())
  }
  return points
}

function beginInterval(interval: IntervalName, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  switch (interval) {
    case 'hour':
      return new Date(Date.UTC(year, month, day, at.getUTCHours()))
    case 'day':
      return new Date(Date.UTC(year, month, day))
    case 'week':
      return new Date(Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7)))
    case 'month':
      return new Date(Date.UTC(year, month))
  }
}

function nextInterval(interval: IntervalName, at: Date): Date {
  switch (interval) {
    case 'hour':
      return new Date(at.getTime() + 3_600_000)
    case 'day':
      return new Date(at.getTime() + DAY_MS)
    case 'week':
      return new Date(at.getTime() + 7 * DAY_MS)
    case 'month':
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
  }
}
