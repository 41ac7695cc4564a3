// Delay: waits for a time, for hours of opening, or until a moment.

import { type Static, Type } from 'typebox'
import { parseInstant } from '../../../values/timestamp.ts'
import { findOpening } from '../calendars/calendar.ts'
import type { FactExpression, Facts } from '../case-facts.ts'
import {
  type ConfigReading,
  type Decision,
  defineNodeKind,
  type Refused,
  type TokenAtNode,
} from '../node-kind.ts'
import {
  addSpan,
  BUSINESS_MEMBERS,
  durationOf,
  readSpan,
  refuseCalendar,
  type Span,
} from './duration-config.ts'
import { readValue, valueOf } from './value-config.ts'

const OPENING = 'opening'

type DelayConfig =
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: 'until'; readonly at: Date }
  | { readonly kind: 'opening'; readonly calendar: string }
  | { readonly kind: 'value'; readonly expression: FactExpression }

const DelayMembers = Type.Object(
  {
    duration: Type.Optional(durationOf('How long, from the arrival at the node.')),
    until: Type.Optional(
      valueOf(
        Type.String(),
        'A moment, such as 2027-01-31T08:00:00Z; the past is over. Or `opening` with a calendar: its next opening, at once when it is open. An expression, such as `case.deadline_at`, is asked once, on arrival; the run fails when it gives no moment.',
      ),
    ),
    business: Type.Optional(BUSINESS_MEMBERS.business),
    calendar: Type.Optional(BUSINESS_MEMBERS.calendar),
  },
  {
    additionalProperties: false,
    description: 'Exactly one of duration, until and business; a calendar for hours of opening.',
  },
)

export const DELAY = defineNodeKind({
  kind: 'delay',
  title: 'Delay',
  description: 'Waits for a time, for hours of opening of a calendar, or until a moment.',
  config: DelayMembers,
  read: readDelay,
  paths: () => ['next'],
  calendars: listCalendars,
  breaksLoops: true,
  needsFacts: ({ kind }) => kind === 'value',
  decide: decideDelay,
  example: { config: { business: 'PT8H', calendar: 'office' } },
})

function readDelay(
  { duration, until, business, calendar }: Static<typeof DelayMembers>,
  reading: ConfigReading,
): DelayConfig | null {
  const { refuse } = reading
  const given = Object.entries({ duration, until, business }).filter(([, one]) => one !== undefined)
  const [, second] = given
  if (second !== undefined) return refuse(second[0], `cannot stand beside ${given[0]?.[0]}`)
  const isByCalendar = business !== undefined || until === OPENING
  if (isByCalendar && calendar === undefined) return refuse('calendar', 'is missing')
  if (!isByCalendar && calendar !== undefined) {
    return refuse('calendar', 'belongs to business, and to until with opening')
  }
  if (until === OPENING && calendar !== undefined) return { kind: 'opening', calendar }
  if (typeof until === 'object') {
    const value = readValue(until, 'until', reading)
    return value?.kind === 'expression' ? { kind: 'value', expression: value.expression } : null
  }
  if (until !== undefined) {
    const atMs = parseInstant(until)
    return atMs === null
      ? refuse(
          'until',
          'must be an ISO 8601 date-time with a zone, such as 2027-01-31T08:00:00Z, or opening',
        )
      : { kind: 'until', at: new Date(atMs) }
  }
  const asked = business === undefined || calendar === undefined ? duration : { business, calendar }
  if (asked === undefined) return refuse('duration', 'is missing; give duration, until or business')
  const span = readSpan(asked)
  if (typeof span !== 'string') return { kind: 'span', span }
  return refuse(business === undefined ? 'duration' : 'business', span)
}

function listCalendars(config: DelayConfig): readonly string[] {
  if (config.kind === 'opening') return [config.calendar]
  return config.kind === 'span' && config.span.calendar !== null ? [config.span.calendar] : []
}

function decideDelay(config: DelayConfig, token: TokenAtNode, facts: Facts): Decision {
  if (token.timerRang) return { kind: 'leave', path: 'next' }
  const timerAt =
    config.kind === 'value' ? findMoment(config.expression, token, facts) : findEnd(config, token)
  if ('kind' in timerAt) return timerAt
  const wait = { kind: 'wait', waitsFor: 'timer', timerAt, watchesCase: false } as const
  return config.kind === 'value' ? { ...wait, memo: { until: timerAt.toISOString() } } : wait
}

/** As it was decided at this visit before: a deadline that is moved later moves no timer. */
function findMoment(
  expression: FactExpression,
  { memo, work }: TokenAtNode,
  facts: Facts,
): Date | Refused {
  const known = memo !== null && 'until' in memo ? readMoment(memo.until) : null
  if (known !== null) return known
  const answer = expression.evaluate(facts, work)
  if (answer.kind === 'failed') return refuseMoment(answer.reason)
  return readMoment(answer.value) ?? refuseMoment(NO_MOMENT)
}

const NO_MOMENT = 'the expression gives no moment of the years 1970 to 9999'

function refuseMoment(explanation: string): Refused {
  return { kind: 'refused', reason: 'value_failed', output: { explanation } }
}

function readMoment(value: unknown): Date | null {
  const isTime = value instanceof Date && !Number.isNaN(value.getTime())
  const text = isTime ? value.toISOString() : value
  const atMs = typeof text === 'string' ? parseInstant(text) : null
  return atMs === null ? null : new Date(atMs)
}

function findEnd(
  config: Exclude<DelayConfig, { kind: 'value' }>,
  { enteredAt, calendars }: Pick<TokenAtNode, 'enteredAt' | 'calendars'>,
): Date | Refused {
  switch (config.kind) {
    case 'until':
      return config.at
    case 'span':
      return addSpan(config.span, enteredAt, calendars)
    case 'opening': {
      const calendar = calendars.get(config.calendar)
      if (calendar === undefined) return refuseCalendar('calendar_not_found', config.calendar)
      return (
        findOpening(calendar, enteredAt) ?? refuseCalendar('calendar_is_closed', config.calendar)
      )
    }
  }
}
