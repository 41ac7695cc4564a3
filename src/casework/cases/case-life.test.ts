// Any interleaving of events, moves, merges, unmerges and splits, beside a small model that only
// knows which event is in which case.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { recountCases } from './recount/recount-cases.ts'

const CASES = '/beta/casework/cases'

const app = withApp()

type Step =
  | { readonly kind: 'event' | 'late'; readonly customer: number }
  | { readonly kind: 'merge' | 'unmerge' | 'split'; readonly one: number; readonly two: number }
  | { readonly kind: 'resolve' | 'reopen' | 'close'; readonly one: number }

// Of the cases there are, the one at this place; places beyond the last begin anew.
const place = fc.nat({ max: 7 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('event', 'late'), customer: fc.nat({ max: 2 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('merge', 'unmerge', 'split'),
      one: place,
      two: place,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('resolve', 'reopen', 'close'), one: place }),
  },
)

// A case that is empty after its unmerge gets another event.
const EMPTIED: Step[] = [
  { kind: 'event', customer: 0 },
  { kind: 'merge', one: 0, two: 1 },
  { kind: 'split', one: 0, two: 0 },
  { kind: 'split', one: 0, two: 0 },
  { kind: 'unmerge', one: 0, two: 1 },
  { kind: 'event', customer: 1 },
]

const MOVES = {
  resolve: { state: 'RESOLVED', resolution: 'fixed' },
  reopen: { state: 'IN_PROGRESS' },
  close: { state: 'CLOSED', close_reason: 'expired' },
}

interface ModelEvent {
  readonly caseId: string
  readonly date: string
  readonly resolved: boolean
  /** With what it was before each of the merges. */
  readonly cameFrom: readonly { readonly caseId: string; readonly resolved: boolean }[]
}

/**
 * Which event is in which case, whether it is settled, and by which merges it came there, the last
 * one first.
 */
class Model {
  readonly run: number
  readonly cases: string[] = []
  readonly events = new Map<string, ModelEvent>()
  /** By case: what is dated up to then is settled when it comes in from another one. */
  readonly resolvedAt = new Map<string, string | null>()

  constructor(run: number) {
    this.run = run
  }

  countOf(caseId: string): number {
    return [...this.events.values()].filter((event) => event.caseId === caseId).length
  }

  merge(target: string, source: string): void {
    for (const [id, event] of this.events) {
      if (event.caseId !== source) continue
      const cameFrom = [{ caseId: source, resolved: event.resolved }, ...event.cameFrom]
      const resolved = event.date <= (this.resolvedAt.get(target) ?? '')
      this.events.set(id, { ...event, caseId: target, resolved, cameFrom })
    }
  }

  unmerge(target: string, source: string): void {
    for (const [id, event] of this.events) {
      const [last, ...cameFrom] = event.cameFrom
      if (event.caseId !== target || last?.caseId !== source) continue
      this.events.set(id, { ...event, ...last, cameFrom })
    }
  }

  /** A case that was resolved settles what was dated up to then. */
  move(caseId: string, resolvedAt: string | null, isResolving: boolean): void {
    this.resolvedAt.set(caseId, resolvedAt)
    if (!isResolving || resolvedAt === null) return
    for (const [id, event] of this.events) {
      if (event.caseId !== caseId || event.date > resolvedAt) continue
      this.events.set(id, { ...event, resolved: true })
    }
  }
}

let sent = 0
function send(path: string, json: object): Promise<TestAnswer> {
  return app.send('POST', path, { token: app.token, json })
}

async function take(model: Model, step: Step): Promise<void> {
  const at = (index: number): string | undefined => model.cases[index % model.cases.length]
  if ('customer' in step) {
    sent += 1
    const date = step.kind === 'late' ? Date.UTC(2026, 0, 1) + sent * 1_000 : Date.now() + sent
    const answer = await send('/beta/casework/events', {
      event_date: new Date(date).toISOString(),
      event_type: sent % 2 === 0 ? 'Spam' : 'Phishing',
      ip: `192.0.2.${sent % 5}`,
      customer_id: `run-${model.run}-${step.customer}`,
      report_id: `report-${sent}`,
    })
    assert.equal(answer.status, 201, answer.text)
    const { case_id: caseId, event_id: eventId } = answer.json()
    if (!model.cases.includes(caseId)) model.cases.push(caseId)
    // A late one is settled from the start.
    const resolved = new Date(date).toISOString() <= (model.resolvedAt.get(caseId) ?? '')
    model.events.set(eventId, {
      caseId,
      date: new Date(date).toISOString(),
      resolved,
      cameFrom: [],
    })
    return
  }
  const one = at(step.one)
  if (one === undefined) return
  if (!('two' in step)) {
    const headers = { 'if-match': '*' }
    const answer = await app.send('PATCH', `${CASES}/${one}`, {
      token: app.token,
      json: MOVES[step.kind],
      headers,
    })
    assert.ok(answer.status === 200 || answer.status === 409, answer.text)
    if (answer.status === 200) {
      const { resolved_at: resolvedAt } = answer.json()
      model.move(one, resolvedAt ?? null, step.kind === 'resolve')
    }
    return
  }
  const two = at(step.two)
  if (two === undefined || (two === one && step.kind !== 'split')) return
  if (step.kind === 'split') {
    const [eventId, event] = [...model.events].find(([, each]) => each.caseId === one) ?? []
    if (eventId === undefined || event === undefined) return
    const answer = await send(`${CASES}/${one}/split`, { event_ids: [eventId] })
    if (answer.status === 409) return
    assert.equal(answer.status, 201, answer.text)
    model.cases.push(answer.json().id)
    const { date } = event
    model.events.set(eventId, { caseId: answer.json().id, date, resolved: false, cameFrom: [] })
    return
  }
  const answer = await send(`${CASES}/${one}/${step.kind}`, { from: [two] })
  assert.ok(answer.status === 200 || answer.status === 409, answer.text)
  if (answer.status === 200) model[step.kind](one, two)
}

test('whatever happens in whatever order, every event is where the model says and a recount finds nothing', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 8, maxLength: 24, size: 'max' }),
      async (plan) => {
        run += 1
        const model = new Model(run)
        for (const customer of [0, 1, 2]) await take(model, { kind: 'event', customer })
        for (const step of plan) await take(model, step)
        const { kysely, pool } = app.services.foundation.database
        const stored = await pool.query<{ event_id: string; case_id: string; resolved: boolean }>(
          'select event_id, case_id, resolved from event where customer_id = any($1)',
          [[0, 1, 2].map((customer) => `run-${run}-${customer}`)],
        )
        assert.equal(stored.rows.length, model.events.size)
        for (const row of stored.rows) {
          const { caseId, resolved } = model.events.get(row.event_id) ?? {}
          assert.deepEqual([row.case_id, row.resolved], [caseId, resolved])
        }
        for (const caseId of model.cases) {
          const { event_count: count } = (
            await app.send('GET', `${CASES}/${caseId}`, { token: app.token })
          ).json()
          assert.equal(count, model.countOf(caseId))
        }
        const { differences } = await recountCases(kysely, { tenantId: 'default' })
        assert.deepEqual(differences, [])
        const stray = await pool.query(
          `select 1 from case_slot left join abuse_case as held
           on held.tenant_id = case_slot.tenant_id and held.id = case_slot.case_id
         where held.ended_at is not null or held.id is null`,
        )
        assert.equal(stray.rowCount, 0, 'no slot of an ended case')
      },
    ),
    { numRuns: 10, examples: [[EMPTIED]] },
  )
})
