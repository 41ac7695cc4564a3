// The questions to a tenant's resolver, and the strict parser of its answers
// (docs/guides/customers.md).

import { isStorableText } from '../../values/json-value.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import { ID_LENGTH_MAX, type NewEvent } from '../../vocabulary/event.ts'

/** The parts of an event that may have an owner at its time; at least one of the three is set. */
export interface OwnerQuestion {
  /** Equal for all questions about the same account, address and domain. */
  readonly target: string
  /** ISO 8601. */
  readonly at: string
  readonly account: string | null
  readonly ip: string | null
  readonly domain: string | null
}

/** Null for an event without account, address and domain. */
export function buildQuestion(
  event: Pick<NewEvent, 'eventDate' | 'ip' | 'domain'>,
  account: string | null,
): OwnerQuestion | null {
  const { eventDate: at, ip, domain } = event
  if (account === null && ip === null && domain === null) return null
  return { target: JSON.stringify([account, ip, domain]), at, account, ip, domain }
}

/** The owner of a target in `[validFrom, validUntil)`; null stands for no limit. */
export interface ResolverAnswer {
  readonly target: string
  /** Null: the target has no owner. */
  readonly customerId: string | null
  readonly contractId: string | null
  readonly validFrom: string | null
  readonly validUntil: string | null
}

export interface ReadAnswers {
  readonly answers: readonly ResolverAnswer[]
  /** The number of questions without an answer, or with one that breaks a rule. */
  readonly unanswered: number
}

/** The body of a request; the index of a question is its id. */
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

/** Null when the body as a whole is not valid. A fault in one answer drops that answer only. */
export function readAnswers(body: string, questions: readonly OwnerQuestion[]): ReadAnswers | null {
  const entries = readEntries(body)
  if (entries === null || entries.length > questions.length) return null
  const found = new Map<OwnerQuestion, ResolverAnswer>()
  const twice = new Set<OwnerQuestion>()
  for (const entry of entries) {
    const question = findQuestion(entry, questions)
    if (question === undefined) continue
    // Two answers to one question: neither counts.
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
  // The id exactly as it was sent: "01" and " 1" are not ids.
  return typeof id === 'string' && /^(?:0|[1-9]\d{0,5})$/.test(id)
    ? questions[Number(id)]
    : undefined
}

function readAnswer(entry: unknown, question: OwnerQuestion): ResolverAnswer | null {
  const members = readMembers(entry)
  // "No owner" must be stated: an answer without the member is not valid.
  if (members === null || !members.has('customer_id')) return null
  const customerId = readId(members.get('customer_id'))
  const contractId = readId(members.get('contract_id') ?? null)
  const validFrom = readBound(members.get('valid_from'), startOfDay(question.at))
  const validUntil = readBound(members.get('valid_until'), startOfDay(question.at, 1))
  if (customerId === 'wrong' || contractId === 'wrong') return null
  if (validFrom === 'wrong' || validUntil === 'wrong') return null
  if (contractId !== null && customerId === null) return null
  // The interval must include the time that was asked about.
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

/** Null stands for no limit. A limit that is left out is that of the day (UTC) of the question. */
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
