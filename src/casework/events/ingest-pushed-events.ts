// Normalised events that a caller pushes: each is checked, gets its identity and goes in; one by
// one through the queue, many at once in a transaction of their own.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { type NewEvent, type NewEventResult, parseNewEvent } from '../../vocabulary/event.ts'
import { eventNotValid } from '../cases/errors.ts'
import type { EventQueue } from './batcher.ts'
import { type EventIdentity, fingerprintEvent, PUSHED } from './fingerprint.ts'
import type { EventOutcome, IncomingEvent } from './incoming-event.ts'
import type { CommitEvents } from './ingest.ts'

export interface PushRequest {
  readonly caller: Caller
  readonly nowMs: number
  readonly idempotencyKey: string | null
}

/** Stored when it resolves. Throws `eventNotValid` with every fault. */
export async function pushEvent(
  queue: EventQueue,
  request: PushRequest,
  input: unknown,
): Promise<EventOutcome> {
  const result = parse(request, input)
  if (result.kind === 'invalid') throw eventNotValid(result.problems)
  const { tenantId } = request.caller
  return await queue.push({ tenantId }, arrive(request, result.event, 0))
}

/** One entry of a bulk push: what was sent, or why not even that could be read. */
export type PushedInput =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly reason: string }

export type PushedOutcome = EventOutcome | { readonly kind: 'invalid'; readonly error: string }

// About a millisecond of work. Others wait no longer for their turn, among them the batch that
// holds what this one will wait for.
const EVENTS_A_TURN = 50

/**
 * One outcome for each input, in its order. The valid ones are stored together when it resolves, or
 * none of them, also when `inputs` throws.
 */
export async function pushEvents(
  commit: CommitEvents,
  request: PushRequest,
  inputs: Iterable<PushedInput>,
): Promise<readonly PushedOutcome[]> {
  const arrivals: IncomingEvent[] = []
  // Per input the place of its arrival, or what is wrong with it.
  const plan: (number | string)[] = []
  for (const input of inputs) {
    plan.push(readInput(request, input, plan.length, arrivals))
    if (plan.length % EVENTS_A_TURN === 0) await nextTurn()
  }
  const { tenantId } = request.caller
  const outcomes = arrivals.length === 0 ? [] : await commit({ tenantId }, arrivals)
  return plan.map((entry) => {
    if (typeof entry === 'string') return { kind: 'invalid', error: entry }
    const outcome = outcomes[entry]
    if (outcome === undefined) throw new Error('a pushed event got no outcome')
    if (outcome.kind !== 'refused') return outcome
    return { kind: 'invalid', error: describeProblems([outcome.problem]) }
  })
}

function readInput(
  request: PushRequest,
  input: PushedInput,
  index: number,
  arrivals: IncomingEvent[],
): number | string {
  if (input.kind === 'unreadable') return input.reason
  const result = parse(request, input.value)
  if (result.kind === 'invalid') return describeProblems(result.problems)
  return arrivals.push(arrive(request, result.event, index)) - 1
}

function parse({ caller, nowMs }: PushRequest, input: unknown): NewEventResult {
  const { contactEmail: senderEmail, tenantId } = caller
  return parseNewEvent(input, { senderEmail, tenantId, nowMs })
}

// One sentence a person can act on; the places are JSON pointers into the one event.
function describeProblems(problems: readonly FieldProblem[]): string {
  return problems.map((problem) => `${problem.path} ${problem.reason}`).join('; ')
}

function arrive(request: PushRequest, event: NewEvent, index: number): IncomingEvent {
  const { tenantId, tokenId, name } = request.caller
  return {
    event,
    fingerprint: fingerprintEvent(tenantId, identify(request, event, index), event),
    actor: { kind: 'token', id: tokenId, name },
    reportId: null,
  }
}

/**
 * The id its reporter gave the report comes first: it holds over all requests, a key over the
 * repeats of one (design section 10). What is pushed under one report id is told apart by what it
 * says, so the place in a request does not count.
 */
function identify(
  { caller, idempotencyKey }: PushRequest,
  event: NewEvent,
  index: number,
): EventIdentity {
  if (event.reportId !== null) {
    return { kind: 'report', source: PUSHED, reportId: event.reportId, index: 0 }
  }
  if (idempotencyKey !== null) {
    return { kind: 'idempotency_key', source: caller.tokenId, key: idempotencyKey, index }
  }
  return { kind: 'content' }
}
