// The work of conditions is bounded by event, by batch and by tenant, and an event that costs too
// much is stored all the same.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildIncomingEvent } from '../../../test/build-incoming-event.ts'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { readIngestRules } from '../rules/case-group-store.ts'
import { EVENT_UNITS_MAX } from '../rules/condition-work.ts'
import { type KeyedBatch, keyEvents } from './key-events.ts'

const GROUPS = '/beta/casework/case-groups'
const EVENTS = '/beta/casework/events'
const NOON = Date.UTC(2026, 0, 31, 12)

let nowMs = NOON
let app: TestApp
before(async () => {
  app = await openTestApp({ clock: { nowMs: () => nowMs } })
})
after(async () => app.close())

// Each look takes 5,100 units of work: 32,768 letters, 8 and 32 at a time.
const LOOK = 'event.details.big.lowerAscii().contains("aaaaab")'
const FIVE_LOOKS = Array(5).fill(LOOK).join(' || ')
const BIG = { big: 'A'.repeat(32_768) }

interface Tenant {
  readonly tenantId: string
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
}

async function openTenant(tenantId: string): Promise<Tenant> {
  await app.createTenant(tenantId)
  const token = await app.createToken({ tenantId })
  return { tenantId, send: (method, path, json) => app.send(method, path, { token, json }) }
}

async function createGroups({ send }: Tenant, conditions: readonly string[]): Promise<void> {
  for (const [at, condition] of conditions.entries()) {
    const answer = await send('POST', GROUPS, { id: `g-${at}`, name: `Group ${at}`, condition })
    assert.equal(answer.status, 201, answer.text)
  }
}

let sent = 0
function buildEvent(details: object = BIG): object {
  sent += 1
  return {
    event_date: new Date(NOON).toISOString(),
    event_type: 'Spam',
    ip: '192.0.2.7',
    report_id: `report-${sent}`,
    event_details: details,
  }
}

async function readGroupOf({ send }: Tenant, caseId: string): Promise<string> {
  return (await send('GET', `/beta/casework/cases/${caseId}`)).json().case_group
}

async function countExceeded(): Promise<number> {
  const text = await app.services.collectMetrics()
  return Number(/^casework_conditions_exceeded_total\S* (\d+)/m.exec(text)?.[1])
}

test('400 names the steps of a condition that loops too often', async () => {
  const { send } = await openTenant('looping')
  const condition = `[${Array(150).fill(1).join()}].exists(t, ${Array(18).fill(LOOK).join(' || ')})`
  const answer = await send('POST', GROUPS, { name: 'Slow', condition })
  assert.equal(answer.status, 400)
  const [field] = answer.json().errors
  assert.equal(field.pointer ?? field.path, '/condition')
  assert.match(answer.text, /may take \d+ steps for one event, and the limit is 5000/)
})

test('201 for an event whose condition takes too much work: it fails, is counted, and the next group takes the event', async () => {
  const tenant = await openTenant('exceeding')
  await createGroups(tenant, [FIVE_LOOKS, 'event.event_type == "Spam"'])
  const countBefore = await countExceeded()
  const pushed = await tenant.send('POST', EVENTS, buildEvent())
  assert.equal(pushed.status, 201, pushed.text)
  assert.equal(await readGroupOf(tenant, pushed.json().case_id), 'g-1')
  assert.equal((await countExceeded()) - countBefore, 1)
  const small = await tenant.send('POST', EVENTS, buildEvent({ big: 'aaaaab' }))
  assert.equal(await readGroupOf(tenant, small.json().case_id), 'g-0')
})

test('a dry run names the rules that took too much work, and those that had none left', async () => {
  const tenant = await openTenant('explained')
  await createGroups(tenant, [FIVE_LOOKS, FIVE_LOOKS, FIVE_LOOKS, 'event.event_type == "Spam"'])
  const answer = await tenant.send('POST', `${GROUPS}/test`, buildEvent())
  assert.equal(answer.status, 200)
  const { case_groups: all, case_group: chosen } = answer.json()
  assert.equal(chosen, 'default')
  const groups = all.filter(({ id }: { id: string }) => id.startsWith('g-'))
  assert.deepEqual(
    groups.map(({ answer: kind }: { answer: string }) => kind),
    ['failed', 'failed', 'failed', 'failed'],
  )
  assert.match(groups[0].reason, /^It takes more work for this event than a condition may do/)
  assert.match(groups[3].reason, /^The conditions before it have used up the work/)
})

test('an answer depends on the event alone: each of a bulk push has the work of a single one', async () => {
  const tenant = await openTenant('in-bulk')
  // Nine looks fit into the work of an event, the tenth does not.
  const looks = Math.floor(EVENT_UNITS_MAX / 5_130)
  await createGroups(tenant, [...Array(looks).fill(LOOK), 'event.event_type == "Spam"'])
  const answer = await tenant.send(
    'POST',
    EVENTS,
    Array.from({ length: 20 }, () => buildEvent()),
  )
  assert.equal(answer.status, 200)
  for (const { outcome, case_id: caseId } of answer.json().items) {
    assert.equal(outcome, 'created')
    assert.equal(await readGroupOf(tenant, caseId), `g-${looks}`)
  }
})

test('503 with Retry-After for a tenant whose conditions are far over their rate, and for nobody else', async () => {
  const tenant = await openTenant('over-rate')
  const conditions = Array(3).fill(Array(15).fill(LOOK).join(' || '))
  await createGroups(tenant, conditions)
  // Each event costs 50,000 units, and 24 million are five seconds beyond the first one.
  const events = Array.from({ length: 600 }, () => buildEvent({ big: 'A'.repeat(8_192) }))
  assert.equal((await tenant.send('POST', EVENTS, events)).status, 200)
  for (const [path, json] of [
    [EVENTS, buildEvent()],
    [EVENTS, [buildEvent()]],
    [`${EVENTS}/replay`, {}],
  ] as const) {
    const refused = await tenant.send('POST', path, json)
    assert.equal(refused.status, 503, `${path} ${refused.text}`)
    assert.equal(refused.json().code, 'CASEWORK_CONDITIONS_BUSY')
    assert.ok(Number(refused.headers['retry-after']) > 5)
  }
  assert.equal((await tenant.send('POST', `${GROUPS}/test`, buildEvent())).status, 200)
  // A trial asks the rules of today and the drafted ones, with the work of dry runs.
  const draft = { case_group: { id: 'default' }, limit: 300 }
  assert.equal((await tenant.send('POST', `${GROUPS}/try`, draft)).status, 200)
  const refused = await tenant.send('POST', `${GROUPS}/try`, draft)
  assert.equal(refused.json().code, 'CASEWORK_CONDITIONS_BUSY')
  const other = await openTenant('beside')
  assert.equal((await other.send('POST', EVENTS, buildEvent())).status, 201)
  nowMs += 60_000
  assert.equal((await tenant.send('POST', EVENTS, buildEvent())).status, 201)
})

/** Keys one or more events in this thread, and counts the turns that others have meanwhile. */
async function keyInTurns(
  tenant: Tenant,
  events: number,
): Promise<{ readonly keyed: KeyedBatch; readonly turns: number }> {
  const { foundation, casework } = app.services
  const rules = await readIngestRules(foundation.database.kysely, tenant)
  const ownership = { customerId: 'C-1', contractId: null, resourceId: null }
  const batch = Array.from({ length: events }, (_, at) => ({
    incoming: buildIncomingEvent(String(at), { ip: '192.0.2.7', details: BIG }),
    eventId: foundation.ids.nextUuid(),
  }))
  let turns = 0
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const owners = batch.map(() => ({ kind: 'owned', ownership }) as const)
  const deps = { ids: foundation.ids, ...casework.conditions }
  const at = new Date(nowMs)
  const keyed = await keyEvents(deps, { scope: tenant, rules, events: batch, owners, at })
  clearImmediate(next)
  return { keyed, turns }
}

test('other work of the thread has its turn after every expensive rule of a batch', async () => {
  const tenant = await openTenant('in-turns')
  await createGroups(tenant, Array(2).fill(FIVE_LOOKS))
  const { keyed, turns } = await keyInTurns(tenant, 20)
  assert.equal(keyed.failures.exceeded, 40)
  assert.ok(turns >= 40, `${turns} turns`)
})

test('other work of the thread has its turn while the conditions of a batch are compiled', async () => {
  const tenant = await openTenant('compiling')
  await createGroups(
    tenant,
    Array.from({ length: 10 }, (_, at) => {
      const texts = Array.from({ length: 200 }, (__, one) => `"${at}-${one}"`)
      return `event.event_type in [${texts.join()}]`
    }),
  )
  assert.ok((await keyInTurns(tenant, 1)).turns >= 10)
  // Then they are known.
  assert.ok((await keyInTurns(tenant, 1)).turns < 10)
})
