// Correlation held against a small reference model, whatever the policy of the group and the order
// of events, late ones, relapses, mutes, moves, merges and unmerges.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { CorrelationModel, type ModelPolicy } from '../../../test/correlation-model.ts'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { recountCases } from '../cases/recount/recount-cases.ts'

const CASES = '/beta/casework/cases'
const HOUR = 3_600
const START = Date.UTC(2026, 0, 10) / 1_000

let app: TestApp
let now = START
before(async () => {
  app = await openTestApp({ clock: { nowMs: () => now * 1_000 } })
})
after(async () => app.close())

const hours = (max: number) => fc.integer({ min: 1, max }).map((count) => count * HOUR)
const orNone = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: null })
const policies: fc.Arbitrary<ModelPolicy> = fc.record({
  threshold: fc.constantFrom(1, 1, 3),
  window: orNone(hours(12)),
  maxAge: orNone(hours(48)),
  maxGap: orNone(hours(12)),
  relapse: fc.constantFrom('reopen', 'reopen', 'link', 'new', 'attach_only'),
  relapseWindow: orNone(hours(24)),
  lateEvent: fc.constantFrom('attach', 'attach', 'open_case'),
})

type Step =
  | { readonly kind: 'event'; readonly key: number; readonly hoursAgo: number }
  | { readonly kind: 'mute'; readonly key: number }
  | { readonly kind: 'resolve' | 'close' | 'reopen'; readonly one: number }
  | { readonly kind: 'merge' | 'unmerge'; readonly one: number; readonly two: number }

const key = fc.nat({ max: 2 })
// The place of a case in the list of all; places beyond the last begin at the first again.
const place = fc.nat({ max: 7 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('event'),
      key,
      hoursAgo: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mute'), key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('resolve', 'resolve', 'close', 'reopen'),
      one: place,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('merge', 'unmerge'), one: place, two: place }),
  },
)

const MOVES = {
  resolve: { state: 'RESOLVED', resolution: 'fixed' },
  close: { state: 'CLOSED', close_reason: 'expired' },
  reopen: { state: 'IN_PROGRESS' },
}

let runs = 0
let sent = 0

/** One tenant with the policy on the group that takes everything. */
class Run {
  readonly tenantId: string
  readonly model: CorrelationModel
  readonly #rules = new Map<string, string>()
  #token = ''

  constructor(policy: ModelPolicy) {
    runs += 1
    this.tenantId = `model-${runs}`
    this.model = new CorrelationModel(policy)
  }

  async open(): Promise<void> {
    await app.createTenant(this.tenantId)
    this.#token = await app.createToken({ tenantId: this.tenantId })
    const { policy } = this.model
    const answer = await this.send('PATCH', '/beta/casework/case-groups/default', {
      threshold: {
        events: policy.threshold,
        ...(policy.window === null ? {} : { window_seconds: policy.window }),
      },
      max_age_seconds: policy.maxAge,
      max_gap_seconds: policy.maxGap,
      relapse: policy.relapse,
      relapse_window_seconds: policy.relapseWindow,
      late_event: policy.lateEvent,
    })
    assert.equal(answer.status, 200, answer.text)
  }

  send(method: string, path: string, json?: object): Promise<TestAnswer> {
    const headers = { 'if-match': '*' }
    const body = json === undefined ? {} : { json }
    return app.send(method, path, { token: this.#token, headers, ...body })
  }

  async take(step: Step): Promise<void> {
    // No two things happen in the same second.
    now += 60
    switch (step.kind) {
      case 'event':
        return this.#pushEvent(`key-${step.key}`, now - step.hoursAgo * HOUR)
      case 'mute':
        return this.#mute(`key-${step.key}`)
      case 'resolve':
      case 'close':
      case 'reopen':
        return this.#move(step)
      case 'merge':
      case 'unmerge':
        return this.#merge(step)
    }
  }

  async #pushEvent(name: string, date: number): Promise<void> {
    sent += 1
    const { expected, assign } = this.model.correlate(name, date)
    const answer = await this.send('POST', '/beta/casework/events', {
      event_date: new Date(date * 1_000).toISOString(),
      event_type: 'Spam',
      customer_id: name,
      report_id: `report-${sent}`,
    })
    assert.equal(answer.status, 201, answer.text)
    const pushed = answer.json()
    if (expected.kind === 'muted' || expected.kind === 'held') {
      assert.equal(pushed.outcome, expected.kind)
      assign(pushed.event_id, '')
      return
    }
    assert.equal(pushed.outcome, 'created')
    if (expected.kind === 'case') assert.equal(pushed.case_id, expected.caseId)
    else assert.equal(this.model.cases.has(pushed.case_id), false, 'a case of its own')
    assign(pushed.event_id, pushed.case_id)
  }

  async #mute(name: string): Promise<void> {
    const rule = this.#rules.get(name)
    if (rule !== undefined) {
      await this.send('POST', `/beta/casework/mute-rules/${rule}/end`)
      this.#rules.delete(name)
      this.model.muted.delete(name)
      return
    }
    const until = new Date((now + 1_000 * HOUR) * 1_000).toISOString()
    const json = { key: { customer_id: name }, reason: 'Made up.', until }
    const answer = await this.send('POST', '/beta/casework/mute-rules', json)
    this.#rules.set(name, answer.json().id)
    this.model.muted.add(name)
  }

  async #move({ kind, one }: Step & { kind: 'resolve' | 'close' | 'reopen' }): Promise<void> {
    const id = this.#at(one)
    if (id === undefined) return
    const was = (await this.send('GET', `${CASES}/${id}`)).json()
    const answer = await this.send('PATCH', `${CASES}/${id}`, MOVES[kind])
    assert.ok(answer.status === 200 || answer.status === 409, answer.text)
    if (answer.status === 409 || was.state === MOVES[kind].state) return
    if (kind !== 'reopen') this.model.end(id, now, kind)
    else if (was.state !== 'NEW') this.model.reopen(id)
  }

  async #merge({ kind, one, two }: Step & { kind: 'merge' | 'unmerge' }): Promise<void> {
    const [target, source] = [this.#at(one), this.#at(two)]
    if (target === undefined || source === undefined || target === source) return
    const answer = await this.send('POST', `${CASES}/${target}/${kind}`, { from: [source] })
    assert.ok(answer.status === 200 || answer.status === 409, answer.text)
    if (answer.status === 409) return
    if (kind === 'merge') this.model.merge(target, source, now)
    else this.model.unmerge(target, source)
  }

  #at(index: number): string | undefined {
    const ids = [...this.model.cases.keys()]
    return ids[index % ids.length]
  }

  async check(): Promise<void> {
    const { kysely } = app.services.foundation.database
    assert.deepEqual((await recountCases(kysely, { tenantId: this.tenantId })).differences, [])
    const events = await query<{ event_id: string; case_id: string | null }>(
      app,
      'select event_id, case_id from event where tenant_id = $1 order by event_id',
      [this.tenantId],
    )
    assert.deepEqual(
      events.map((row) => [row.event_id, row.case_id]),
      this.model.events
        .map((event) => [event.id, event.caseId])
        .toSorted(([one = ''], [other = '']) => (String(one) < String(other) ? -1 : 1)),
    )
    const slots = await query<{ customer_id: string; case_id: string }>(
      app,
      `select case_id, (select customer_id from abuse_case as keyed where keyed.tenant_id = slot.tenant_id
         and keyed.key_hash = slot.key_hash limit 1) as customer_id
       from case_slot as slot where tenant_id = $1`,
      [this.tenantId],
    )
    assert.deepEqual(
      new Map(slots.map((row) => [row.customer_id, row.case_id])),
      this.model.openCases,
    )
    for (const one of this.model.cases.values()) {
      const row = (await this.send('GET', `${CASES}/${one.id}`)).json()
      assert.equal(row.event_count, this.model.eventsOf(one.id).length)
      assert.equal(row.linked_case_id ?? null, one.linked)
      assert.equal(row.state === 'NEW' || row.state === 'IN_PROGRESS', one.isOpen)
    }
  }
}

const REOPENS: ModelPolicy = {
  threshold: 1,
  window: null,
  maxAge: null,
  maxGap: null,
  relapse: 'reopen',
  relapseWindow: null,
  lateEvent: 'attach',
}

// Rules that the few drawn plans of a run seldom meet.
const EXAMPLES: [ModelPolicy, Step[]][] = [
  // A case that took in another, was resolved and came back by itself is moved to where it is: that
  // gives it no slot (found 2026-11-22).
  [
    REOPENS,
    [
      { kind: 'event', key: 2, hoursAgo: 0 },
      { kind: 'event', key: 0, hoursAgo: 0 },
      { kind: 'resolve', one: 0 },
      { kind: 'resolve', one: 1 },
      { kind: 'merge', one: 0, two: 1 },
      { kind: 'event', key: 2, hoursAgo: 0 },
      { kind: 'reopen', one: 0 },
    ],
  ],
  // A resolved case that was closed is not reopened by a relapse.
  [
    REOPENS,
    [
      { kind: 'event', key: 0, hoursAgo: 0 },
      { kind: 'resolve', one: 0 },
      { kind: 'close', one: 0 },
      { kind: 'event', key: 0, hoursAgo: 0 },
    ],
  ],
  // A resolved case is not reopened for a merged key while its own key has another open case.
  [
    { ...REOPENS, lateEvent: 'open_case' },
    [
      { kind: 'event', key: 0, hoursAgo: 0 },
      { kind: 'event', key: 1, hoursAgo: 0 },
      { kind: 'merge', one: 0, two: 1 },
      { kind: 'resolve', one: 0 },
      { kind: 'event', key: 0, hoursAgo: 1 },
      { kind: 'event', key: 1, hoursAgo: 0 },
    ],
  ],
]

test('whatever the policy and the order, events are where the reference model says, in at most one case a key that takes them', async () => {
  await fc.assert(
    fc.asyncProperty(
      policies,
      fc.array(steps, { minLength: 12, maxLength: 30, size: 'max' }),
      async (policy, plan) => {
        const run = new Run(policy)
        await run.open()
        for (const step of plan) await run.take(step)
        await run.check()
      },
    ),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 15), examples: EXAMPLES },
  )
})
