// What a case group leaves behind that was deleted: its id is not given again while a case names
// it, and no case is ever open in it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIncomingEvent } from '../../../test/build-incoming-event.ts'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { createActivePlaybook, runDueSteps, trigger } from '../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { recountCases } from '../cases/recount/recount-cases.ts'
import { ingest } from '../events/ingest.ts'

const GROUPS = '/beta/casework/case-groups'
const EVENTS = '/beta/casework/events'
const CASES = '/beta/casework/cases'
const DELETED = 'CASEWORK_CASE_GROUP_DELETED'

const app = withApp()

interface Tenant {
  readonly tenantId: string
  readonly token: string
}

let tenants = 0
async function enterTenant(): Promise<Tenant> {
  tenants += 1
  const tenantId = `deleting-${tenants}`
  await app.createTenant(tenantId)
  return { tenantId, token: await app.createToken({ tenantId }) }
}

function send({ token }: Tenant, method: string, path: string, json?: unknown) {
  const headers = method === 'PATCH' ? { 'if-match': '*' } : {}
  return app.send(method, path, { token, headers, ...(json === undefined ? {} : { json }) })
}

/** Takes the events of one address, ahead of all that are there. */
async function createGroup(tenant: Tenant, id: string, ip: string, members: object = {}) {
  const json = { id, name: 'Made up', order: 1, condition: `event.ip == "${ip}"`, ...members }
  const answer = await send(tenant, 'POST', GROUPS, json)
  assert.equal(answer.status, 201, answer.text)
}

async function deleteGroup(tenant: Tenant, id: string): Promise<void> {
  const answer = await send(tenant, 'DELETE', `${GROUPS}/${id}`)
  assert.equal(answer.status, 204, answer.text)
}

let reports = 0
async function push(tenant: Tenant, ip: string, eventDate = '2026-01-01T00:00:00Z') {
  reports += 1
  const json = { event_date: eventDate, event_type: 'Spam', ip, report_id: `report-${reports}` }
  const answer = await send(tenant, 'POST', EVENTS, json)
  assert.equal(answer.status, 201, answer.text)
  const { event_id: eventId, case_id: caseId } = answer.json()
  return { eventId, caseId } as { readonly eventId: string; readonly caseId: string }
}

async function move(tenant: Tenant, caseId: string, json: object): Promise<void> {
  const answer = await send(tenant, 'PATCH', `${CASES}/${caseId}`, json)
  assert.equal(answer.status, 200, answer.text)
}

const CLOSED = { state: 'CLOSED', close_reason: 'duplicate' }
const RESOLVED = { state: 'RESOLVED', resolution: 'fixed' }

async function assertRefused(answer: TestAnswer): Promise<void> {
  assert.equal(answer.status, 409, answer.text)
  assert.equal(answer.json().code, DELETED)
}

async function assertExact({ tenantId }: Tenant): Promise<void> {
  const { kysely } = app.services.foundation.database
  assert.deepEqual((await recountCases(kysely, { tenantId })).differences, [])
}

test('409 CASEWORK_CASE_GROUP_TAKEN for the id of a deleted group while a case names it, and 201 where none does', async () => {
  const tenant = await enterTenant()
  await createGroup(tenant, 'used', '192.0.2.1')
  const { caseId } = await push(tenant, '192.0.2.1')
  await move(tenant, caseId, CLOSED)
  await deleteGroup(tenant, 'used')
  const json = { id: 'used', name: 'Another' }
  const again = await send(tenant, 'POST', GROUPS, json)
  assert.equal(again.status, 409, again.text)
  assert.equal(again.json().code, 'CASEWORK_CASE_GROUP_TAKEN')
  // What another tenant had is nothing here.
  assert.equal((await send(await enterTenant(), 'POST', GROUPS, json)).status, 201)
  await createGroup(tenant, 'unused', '192.0.2.1')
  await deleteGroup(tenant, 'unused')
  await createGroup(tenant, 'unused', '192.0.2.1')
})

test('409 CASEWORK_CASE_GROUP_DELETED for opening a case of a deleted group again, alone and in bulk; other moves go on', async () => {
  const tenant = await enterTenant()
  await createGroup(tenant, 'gone', '192.0.2.1')
  const { caseId } = await push(tenant, '192.0.2.1')
  const other = await push(tenant, '192.0.2.2')
  for (const id of [caseId, other.caseId]) await move(tenant, id, CLOSED)
  await deleteGroup(tenant, 'gone')
  const change = { state: 'IN_PROGRESS' }
  await assertRefused(await send(tenant, 'PATCH', `${CASES}/${caseId}`, change))
  const bulk = { ids: [caseId, other.caseId], change }
  const { items } = (await send(tenant, 'POST', `${CASES}/bulk`, bulk)).json()
  assert.deepEqual(
    items.map(({ outcome, code }: Record<string, unknown>) => [outcome, code]),
    [
      ['refused', DELETED],
      ['changed', undefined],
    ],
  )
  assert.equal((await send(tenant, 'GET', `${CASES}/${caseId}`)).json().state, 'CLOSED')
  // What goes on can be worked where it is merged.
  const merged = await send(tenant, 'POST', `${CASES}/${other.caseId}/merge`, { from: [caseId] })
  assert.equal(merged.status, 200, merged.text)
  await assertExact(tenant)
})

test('409 CASEWORK_CASE_GROUP_DELETED for undoing a merge that would open a case of a deleted group; one that had ended comes back', async () => {
  const tenant = await enterTenant()
  await createGroup(tenant, 'gone', '192.0.2.1')
  const target = await push(tenant, '192.0.2.2')
  const ended = await push(tenant, '192.0.2.1')
  await move(tenant, ended.caseId, CLOSED)
  const open = await push(tenant, '192.0.2.1')
  assert.notEqual(open.caseId, ended.caseId)
  const path = `${CASES}/${target.caseId}`
  const from = [ended.caseId, open.caseId]
  assert.equal((await send(tenant, 'POST', `${path}/merge`, { from })).status, 200)
  await deleteGroup(tenant, 'gone')
  await assertRefused(await send(tenant, 'POST', `${path}/unmerge`, { from }))
  await assertRefused(await send(tenant, 'POST', `${path}/unmerge`, { from: [open.caseId] }))
  const back = await send(tenant, 'POST', `${path}/unmerge`, { from: [ended.caseId] })
  assert.equal(back.status, 200, back.text)
  await assertExact(tenant)
})

test('409 CASEWORK_CASE_GROUP_DELETED for splitting a case of a deleted group', async () => {
  const tenant = await enterTenant()
  await createGroup(tenant, 'gone', '192.0.2.1')
  const { caseId, eventId } = await push(tenant, '192.0.2.1')
  await push(tenant, '192.0.2.1')
  await move(tenant, caseId, CLOSED)
  await deleteGroup(tenant, 'gone')
  const json = { event_ids: [eventId] }
  await assertRefused(await send(tenant, 'POST', `${CASES}/${caseId}/split`, json))
  await assertExact(tenant)
})

test('a playbook does not open a case of a deleted group again: its run fails and says why', async () => {
  const tenant = await enterTenant()
  const playbookId = await createActivePlaybook(app, tenant.token, [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'work' } },
    { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS', reopen: true } },
  ])
  await createGroup(tenant, 'gone', '192.0.2.1', { playbook_id: playbookId })
  const { caseId } = await push(tenant, '192.0.2.1')
  await runDueSteps(app)
  await move(tenant, caseId, CLOSED)
  await deleteGroup(tenant, 'gone')
  await trigger(app, tenant.token, caseId, { node: 'ask', path: 'go' })
  await runDueSteps(app)
  const { items } = (await send(tenant, 'GET', `${CASES}/${caseId}/runs`)).json()
  assert.deepEqual([items[0].state, items[0].failure], ['failed', 'case_group_was_deleted'])
  assert.equal((await send(tenant, 'GET', `${CASES}/${caseId}`)).json().state, 'CLOSED')
})

test('a relapse does not reopen a case of a deleted group that took in the case of its key: the next one is linked to it', async () => {
  const tenant = await enterTenant()
  await createGroup(tenant, 'gone', '192.0.2.1')
  await createGroup(tenant, 'kept', '192.0.2.2', { relapse: 'reopen' })
  const root = await push(tenant, '192.0.2.1')
  const { caseId } = await push(tenant, '192.0.2.2')
  const path = `${CASES}/${root.caseId}`
  assert.equal((await send(tenant, 'POST', `${path}/merge`, { from: [caseId] })).status, 200)
  await move(tenant, root.caseId, RESOLVED)
  await deleteGroup(tenant, 'gone')
  const next = await push(tenant, '192.0.2.2', new Date(Date.now() + 3_600_000).toISOString())
  assert.equal([caseId, root.caseId].includes(next.caseId), false)
  const opened = (await send(tenant, 'GET', `${CASES}/${next.caseId}`)).json()
  assert.deepEqual([opened.case_group, opened.linked_case_id], ['kept', root.caseId])
  assert.equal((await send(tenant, 'GET', path)).json().state, 'RESOLVED')
  await assertExact(tenant)
})

test('409 for deleting a group whose first case is being opened: the deletion waits for the events that open it', async () => {
  const tenant = await enterTenant()
  await createGroup(tenant, 'busy', '192.0.2.1')
  const { database, ids } = app.services.foundation
  const { conditions } = app.services.casework
  const { deleting } = await inTransaction(database.kysely, async (tx) => {
    const taken = await ingest(
      tx,
      { ids, ...conditions },
      tenant,
      [buildIncomingEvent('0'.repeat(64), { ip: '192.0.2.1' })],
      new Date(),
    )
    assert.equal(taken.outcomes[0]?.kind, 'created')
    const answer = send(tenant, 'DELETE', `${GROUPS}/busy`)
    await waitUntil(isWaitingForGroup, 'a deletion that waits')
    return { deleting: answer }
  })
  const answer = await deleting
  assert.equal(answer.json().code, 'CASEWORK_CASE_GROUP_IN_USE')
})

async function isWaitingForGroup(): Promise<boolean> {
  return (await countLockWaits(app.connection, 'case_group')) > 0
}
