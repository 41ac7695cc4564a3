// POST /beta/casework/events: normalised events, one as an object, up to 1,000 as an array or
// NDJSON (design sections 5.1, 9 and 10).

import type { Casework } from '../../app/open-casework.ts'
import { parseJsonBody } from '../../kernel/http/parse-json-body.ts'
import { defineRoute, type Reply, type Route, requireCaller } from '../../kernel/http/route.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { eventsNotReadable } from '../cases/errors.ts'
import {
  type PushedInput,
  type PushRequest,
  pushEvent,
  pushEvents,
} from './ingest-pushed-events.ts'
import { NEW_EVENTS_MAX, NewEvents, PushedEvent, PushedEvents } from './new-event-wire.ts'
import { presentPushedEntry, presentPushedEvent } from './present-event.ts'

// 1,000 events of the average size met in practice, eight times over (design section 10).
const BODY_BYTES_MAX = 8 * 1024 * 1024
const IDEMPOTENCY_KEY_PATTERN = /^[\x20-\x7e]{1,255}$/

export function pushEventsRoute({ eventQueue, commitBulk, foundation }: Casework): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/events',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:ingest' },
    operationId: 'pushEvents',
    summary: 'Store one event, or up to 1,000 at once',
    description:
      'An object is answered 201 (or 200 when it is stored already), an array or NDJSON 200 with one entry for each event. A repeated Idempotency-Key means the same events.',
    body: NewEvents,
    consumes: ['application/json', 'application/x-ndjson', 'application/jsonl'],
    // In bulk a wrong event is answered in its place, so the whole body is never refused for it.
    checksOwnBody: true,
    bodyLimit: BODY_BYTES_MAX,
    responses: {
      200: { description: 'In bulk: what became of each event.', schema: PushedEvents },
      201: { description: 'The event is stored.', schema: PushedEvent },
      400: {
        description:
          'The one event is not valid or names a customer or contract that is not there, or the body is no JSON.',
      },
    },
    async handle({ caller, body, headers }) {
      const given: unknown = body
      const request = {
        caller: requireCaller(caller),
        nowMs: foundation.clock.nowMs(),
        idempotencyKey: readIdempotencyKey(headers['idempotency-key']),
      }
      if (Buffer.isBuffer(given)) return await pushMany(request, readLines(given))
      if (!Array.isArray(given)) return await pushOne(request, given)
      if (given.length === 0 || given.length > NEW_EVENTS_MAX) throw tooManyOrNone()
      const inputs = given.map((value: unknown): PushedInput => ({ kind: 'value', value }))
      return await pushMany(request, inputs)
    },
  })

  async function pushOne(request: PushRequest, input: unknown): Promise<Reply> {
    const outcome = await pushEvent(eventQueue, request, input)
    const status = outcome.kind === 'duplicate' ? 200 : 201
    return {
      status,
      json: presentPushedEvent(outcome),
      headers: { location: `/beta/casework/events/${outcome.eventId}` },
    }
  }

  async function pushMany(request: PushRequest, inputs: Iterable<PushedInput>): Promise<Reply> {
    const outcomes = await pushEvents(commitBulk, request, inputs)
    return { status: 200, json: { items: outcomes.map(presentPushedEntry) } }
  }
}

function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && IDEMPOTENCY_KEY_PATTERN.test(header)) return header
  throw eventsNotReadable('The Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

/**
 * NDJSON: one event a line, blank lines are none. A line that is no JSON is answered in its place.
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
