// What a tenant's resolver is asked about an event, and the strict reading of what it answers
// (docs/guides/customers.md).

import { isStorableText } from '../../values/storable-text.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import { ID_LENGTH_MAX, type NewEvent } from '../../vocabulary/event.ts'

/**
 * What of an event may be somebody's, at the time it happened. At least one of the three is there.
 */
export interface OwnerQuestion {
  /** The same for all questions about the same thing. */
  readonly target: string
  /** ISO 8601. */
  readonly at: string
  readonly account: string | null
  readonly ip: string | null
  readonly domain: string | null
}

/** Null for an event that names nothing which could be somebody's. */
export function buildQuestion(
  event: Pick<NewEvent, 'eventDate' | 'ip' | 'domain'>,
  account: string | null,
): OwnerQuestion | null {
  const { eventDate: at, ip, domain } = event
  if (account === null && ip === null && domain === null) return null
  return { target: JSON.stringify([account, ip, domain]), at, account, ip, domain }
}

/** Whose a target was in `[validFrom, validUntil)`; a bound is null where there is none. */
export interface ResolverAnswer {
  readonly target: string
  /** Null: nobody's. */
  readonly customerId: string | null
  readonly contractId: string | null
  readonly validFrom: string | null
  readonly validUntil: string | null
}

export interface ReadAnswers {
  readonly answers: readonly ResolverAnswer[]
  /** Questions that got no answer, or one that breaks a rule. */
  readonly unanswered: number
}

/** The body of a request; the place of a question is its id. */
export function presentQuestions(questions: readonly OwnerQuestion[]): string {
  return JSON.stringify({
    questions: questions.map(({ at, account, ip, domain }, index) => ({
      id: String(index),
      at,
      ...(account === null ? {} : { account }),
      ...(ip === null ? {} : { ip }),
      ...(domain === null ? {} : { domain }),
    })),
  })
}

/** Null when the whole body is none of ours. A fault in one answer costs that answer only. */
export function readAnswers(body: string, questions: readonly OwnerQuestion[]): ReadAnswers | null {
  const entries = readEntries(body)
  if (entries === null || entries.length > questions.length) return null
  const found = new Map<OwnerQuestion, ResolverAnswer>()
  const twice = new Set<OwnerQuestion>()
  for (const entry of entries) {
    const question = findQuestion(entry, questions)
    if (question === undefined) continue
    // Which of the two was meant?
    if (found.has(question)) twice.add(question)
    const answer = readAnswer(entry, question)
    if (answer !== null) found.set(question, answer)
  }
  const answers = [...found].flatMap(([question, answer]) => (twice.has(question) ? [] : [answer]))
  return { answers, unanswered: questions.length - answers.length }
}

type Members = ReadonlyMap<string, unknown>

function readEntries(body: string): readonly unknown[] | null {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return null
  }
  const answers = readMembers(json)?.get('answers')
  return Array.isArray(answers) ? answers : null
}

function readMembers(value: unknown): Members | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return new Map<string, unknown>(Object.entries(value))
}

function findQuestion(
  entry: unknown,
  questions: readonly OwnerQuestion[],
): OwnerQuestion | undefined {
  const id = readMembers(entry)?.get('id')
  // As it was sent: "01" and " 1" name no question.
  return typeof id === 'string' && /^(?:0|[1-9]\d{0,5})$/.test(id)
    ? questions[Number(id)]
    : undefined
}

function readAnswer(entry: unknown, question: OwnerQuestion): ResolverAnswer | null {
  const members = readMembers(entry)
  // Nobody's must be said: a member that was forgotten is no answer.
  if (members === null || !members.has('customer_id')) return null
  const customerId = readId(members.get('customer_id'))
  const contractId = readId(members.get('contract_id') ?? null)
  const validFrom = readBound(members.get('valid_from'), startOfDay(question.at))
  const validUntil = readBound(members.get('valid_until'), startOfDay(question.at, 1))
  if (customerId === 'wrong' || contractId === 'wrong') return null
  if (validFrom === 'wrong' || validUntil === 'wrong') return null
  if (contractId !== null && customerId === null) return null
  // An answer about another time than the one that was asked for is an answer to another question.
  if (validFrom !== null && validFrom.text > question.at) return null
  if (validUntil !== null && validUntil.text <= question.at) return null
  return {
    target: question.target,
    customerId: customerId?.text ?? null,
    contractId: contractId?.text ?? null,
    validFrom: validFrom?.text ?? null,
    validUntil: validUntil?.text ?? null,
  }
}

type Text = { readonly text: string } | null | 'wrong'

function readId(value: unknown): Text {
  if (value === null) return null
  if (typeof value !== 'string' || value === '' || value.length > ID_LENGTH_MAX) return 'wrong'
  return isStorableText(value) ? { text: value } : 'wrong'
}

/** Null is no bound; one that is left out ends with the day (UTC) that was asked about. */
function readBound(value: unknown, whenLeftOut: string): Text {
  if (value === undefined) return { text: whenLeftOut }
  if (value === null) return null
  const text = typeof value === 'string' ? parseTimestamp(value) : null
  return text === null ? 'wrong' : { text }
}

const DAY_MS = 24 * 60 * 60 * 1_000

function startOfDay(at: string, daysLater = 0): string {
  const day = Date.parse(`${at.slice(0, 10)}T00:00:00.000Z`)
  return new Date(day + daysLater * DAY_MS).toISOString()
}
