// POST /beta/casework/events: normalised events, one as an object, up to 1,000 as an array or
// NDJSON (design sections 5.1, 9 and 10). Each is checked and gets its identity; a single event
// waits in the queue for company, a bulk push is a batch of its own.

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { AnswerKey } from '../../kernel/db/idempotency-store.ts'
import { idempotencyKeyReused } from '../../kernel/errors.ts'
import { parseJsonBody } from '../../kernel/http/read-body.ts'
import { readIdempotencyKey } from '../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Reply, type Route } from '../../kernel/http/route.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { type NewEvent, type NewEventResult, parseNewEvent } from '../../vocabulary/event.ts'
import { eventNotValid, eventsNotReadable } from '../cases/errors.ts'
import type { EventQueue } from './batcher.ts'
import {
  NEW_EVENTS_MAX,
  NewEvents,
  PushedEvent,
  PushedEvents,
  type PushedOutcome,
  presentPushedEntry,
  presentPushedEvent,
} from './event-wire.ts'
import { type EventIdentity, fingerprintEvent, PUSHED } from './fingerprint.ts'
import type { IncomingEvent } from './incoming-event.ts'
import type { CommitEvents } from './ingest.ts'

// 1,000 events of the average size met in practice, eight times over (design section 10).
const BODY_BYTES_MAX = 8 * 1024 * 1024

export interface PushEventsDeps {
  readonly clock: Clock
  /** For single events. */
  readonly eventQueue: Pick<EventQueue, 'push'>
  /** For bulk pushes. */
  readonly commitBulk: CommitEvents
}

interface PushRequest {
  readonly caller: Caller
  readonly nowMs: number
  readonly requestKey: AnswerKey | null
}

/** One entry of a bulk push: the value that was sent, or why it is not readable. */
type PushedInput =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly reason: string }

export function pushEventsRoute({ clock, eventQueue, commitBulk }: PushEventsDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/events',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:ingest' },
    operationId: 'pushEvents',
    idempotency: 'own',
    summary: 'Push events',
    description:
      'An object is answered 201 (or 200 when it is stored already), an array or NDJSON 200 with one entry for each event. A repeat with the same Idempotency-Key and body within 24 hours is answered by the events that are there.',
    body: NewEvents,
    consumes: ['application/json', 'application/x-ndjson', 'application/jsonl'],
    // In bulk each invalid event is answered in its place; the body is never refused as a whole.
    checksOwnBody: true,
    bodyLimit: BODY_BYTES_MAX,
    responses: {
      200: { description: 'In bulk: the outcome of each event.', schema: PushedEvents },
      201: { description: 'The event is stored.', schema: PushedEvent },
      400: {
        description:
          'The one event is not valid or names a customer or contract that is not there, or the body is no JSON.',
      },
      422: { description: 'The Idempotency-Key was used for another request.' },
    },
    async handle({ caller, body, headers }) {
      const given: unknown = body
      const person = requireCaller(caller)
      const requestKey = await buildRequestKey(person, readIdempotencyKey(headers), given)
      const request = { caller: person, nowMs: clock.nowMs(), requestKey }
      if (Buffer.isBuffer(given)) return await pushMany(request, readLines(given))
      if (!Array.isArray(given)) return await pushOne(request, given)
      if (given.length === 0 || given.length > NEW_EVENTS_MAX) throw tooManyOrNone()
      const inputs = given.map((value: unknown): PushedInput => ({ kind: 'value', value }))
      return await pushMany(request, inputs)
    },
  })

  async function pushOne(request: PushRequest, input: unknown): Promise<Reply> {
    const result = parse(request, input)
    if (result.kind === 'invalid') throw eventNotValid(result.problems)
    const { tenantId } = request.caller
    const outcome = await eventQueue.push({ tenantId }, identify(request, result.event, 0))
    return {
      status: outcome.kind === 'duplicate' ? 200 : 201,
      json: presentPushedEvent(outcome),
      headers: { location: `/beta/casework/events/${outcome.eventId}` },
    }
  }

  async function pushMany(request: PushRequest, inputs: Iterable<PushedInput>): Promise<Reply> {
    const { incoming, entries } = await readInputs(request, inputs)
    const { tenantId } = request.caller
    const outcomes = incoming.length === 0 ? [] : await commitBulk({ tenantId }, incoming)
    const items = entries.map((entry, index) => {
      const outcome = typeof entry === 'string' ? invalid(entry) : outcomes[entry]
      if (outcome === undefined) throw new Error('a pushed event got no outcome')
      if (outcome.kind === 'key_reused') throw idempotencyKeyReused()
      const refused = outcome.kind === 'refused'
      return presentPushedEntry(
        refused ? invalid(describeProblems([outcome.problem])) : outcome,
        index,
      )
    })
    return { status: 200, json: { items } }
  }
}

/** Null without a key. The hash is that of the parsed body, so spaces do not make another one. */
async function buildRequestKey(
  { tokenId }: Caller,
  key: string | null,
  body: unknown,
): Promise<AnswerKey | null> {
  if (key === null) return null
  const hash = createHash('sha256')
  if (Buffer.isBuffer(body)) hash.update(body)
  else if (!Array.isArray(body)) hash.update(JSON.stringify(body ?? null))
  else {
    for (const [index, event] of body.entries()) {
      hash.update(`${index === 0 ? '[' : ','}${JSON.stringify(event)}`)
      if (index % EVENTS_A_TURN === EVENTS_A_TURN - 1) await nextTurn()
    }
  }
  return { tokenId, operation: 'pushEvents', key, requestHash: hash.digest('hex') }
}

/**
 * NDJSON: one event a line, blank lines are skipped. A line that is no JSON is answered in its
 * place.
 */
function* readLines(bytes: Buffer): Generator<PushedInput> {
  let [start, count] = [0, 0]
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline === -1 ? bytes.length : newline
    const line = bytes.subarray(start, end)
    start = end + 1
    if (isBlank(line)) continue
    if (count === NEW_EVENTS_MAX) throw tooManyOrNone()
    count += 1
    yield readLine(line)
  }
  if (count === 0) throw tooManyOrNone()
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

function readLine(line: Buffer): PushedInput {
  try {
    return { kind: 'value', value: parseJsonBody(line) }
  } catch (error) {
    if (!(error instanceof OperatingError)) throw error
    return { kind: 'unreadable', reason: 'The line is not valid JSON.' }
  }
}

function tooManyOrNone(): OperatingError {
  return eventsNotReadable(`Send 1 to ${NEW_EVENTS_MAX} events at once.`)
}

// About a millisecond of work. Then other requests get their turn, among them the batch whose lock
// this one will wait for.
const EVENTS_A_TURN = 50

/** The valid events, and for each input the index of its event or the reason why it is invalid. */
async function readInputs(
  request: PushRequest,
  inputs: Iterable<PushedInput>,
): Promise<{
  readonly incoming: readonly IncomingEvent[]
  readonly entries: readonly (number | string)[]
}> {
  const incoming: IncomingEvent[] = []
  const entries: (number | string)[] = []
  for (const input of inputs) {
    entries.push(readInput(request, input, entries.length, incoming))
    if (entries.length % EVENTS_A_TURN === 0) await nextTurn()
  }
  return { incoming, entries }
}

function readInput(
  request: PushRequest,
  input: PushedInput,
  index: number,
  incoming: IncomingEvent[],
): number | string {
  if (input.kind === 'unreadable') return input.reason
  const result = parse(request, input.value)
  if (result.kind === 'invalid') return describeProblems(result.problems)
  return incoming.push(identify(request, result.event, index)) - 1
}

function parse({ caller, nowMs }: PushRequest, input: unknown): NewEventResult {
  const { contactEmail: senderEmail, tenantId } = caller
  return parseNewEvent(input, { senderEmail, tenantId, nowMs })
}

function invalid(error: string): PushedOutcome {
  return { kind: 'invalid', error }
}

// One sentence for a person; the places are JSON pointers into the one event.
function describeProblems(problems: readonly FieldProblem[]): string {
  return problems.map((problem) => `${problem.path} ${problem.reason}`).join('; ')
}

function identify(request: PushRequest, event: NewEvent, index: number): IncomingEvent {
  const { tenantId, tokenId, name } = request.caller
  return {
    event,
    fingerprint: fingerprintEvent(tenantId, chooseIdentity(request, event, index), event),
    actor: { kind: 'token', id: tokenId, name },
    reportId: null,
    ...(request.requestKey === null ? {} : { requestKey: request.requestKey }),
  }
}

/**
 * The reporter's id of the report comes first: it holds over all requests, a key over the repeats
 * of one request (design section 10). Events of one report id differ by their content, so the index
 * in the request does not count.
 */
function chooseIdentity(
  { caller, requestKey }: PushRequest,
  event: NewEvent,
  index: number,
): EventIdentity {
  if (event.reportId !== null) {
    return { kind: 'report', source: PUSHED, reportId: event.reportId, index: 0 }
  }
  if (requestKey !== null) {
    const { key, requestHash } = requestKey
    return { kind: 'idempotency_key', source: caller.tokenId, key, requestHash, index }
  }
  return { kind: 'content' }
}
