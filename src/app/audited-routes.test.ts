// Every operation that changes something leaves its act in the audit log, or stands in a table with
// the reason. The request ids of the answers tell which entry came of which request.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AUDITED_OPERATIONS,
  PEOPLE_OPERATIONS,
  UNAUDITED_OPERATIONS,
} from '../../test/audit-table.ts'
import { type TestAnswer, withApp } from '../../test/harness.ts'
import { runSamples } from '../../test/operation-examples.ts'
import type { Route } from '../kernel/http/route.ts'
import type { AuditAct } from '../vocabulary/audit-acts.ts'
import { buildRoutes } from './routes.ts'

const GRAPH = [
  { id: 'begin', kind: 'start', paths: { next: 'end' } },
  { id: 'end', kind: 'end' },
]
const RANGE = { item: '198.51.100.0/24', list: 'desk', reason: 'Sends spam.' }
const TIMES = { firstSeen: '2026-04-01T00:00:00Z', lastSeen: '2026-04-02T00:00:00Z' }
const TAG = { intent: 'malicious', category: 'activity', description: 'Seen.' }
const MAIL = 'From: ana@example.org\r\nSubject: spam\r\n\r\nFrom 192.0.2.9, spam.\r\n'

let routes: readonly Route[] = []
const answered = new Map<string, TestAnswer[]>()
const acts = new Map<string, AuditAct[]>()

const app = withApp({}, async () => {
  routes = buildRoutes(app.services)
  for (const { route, answer } of await runSamples(app, routes)) {
    note(route.operationId, answer)
  }
  await runRest()
  const { pool } = app.services.foundation.database
  const entries = await pool.query<{ requestId: string; act: AuditAct }>(
    'select request_id as "requestId", act from audit_entry where request_id is not null',
  )
  for (const { requestId, act } of entries.rows) {
    acts.set(requestId, [...(acts.get(requestId) ?? []), act])
  }
})

function note(operationId: string, answer: TestAnswer): void {
  answered.set(operationId, [...(answered.get(operationId) ?? []), answer])
}

async function send(operationId: string, method: string, path: string, json?: unknown) {
  const given = { token: app.token, ...(json === undefined ? {} : { json }) }
  const answer = await app.send(method, `/beta/${path}`, given)
  assert.ok(answer.status < 300, `${operationId}: ${answer.status} ${answer.text}`)
  note(operationId, answer)
  return answer
}

/** What the samples cannot do, because a record is in use or absent. */
async function runRest(): Promise<void> {
  await send('createCustomer', 'POST', 'casework/customers', { id: 'rest' })
  await send('changeCustomer', 'PATCH', 'casework/customers/rest', { version: 1, name: 'Rest' })
  await send('createContract', 'POST', 'casework/contracts', { id: 'rest', customer_id: 'rest' })
  await send('deleteContract', 'DELETE', 'casework/contracts/rest')
  await send('deleteCustomer', 'DELETE', 'casework/customers/rest')
  await send('createCaseGroup', 'POST', 'casework/case-groups', { id: 'rest', name: 'Rest' })
  await send('changeCaseGroup', 'PATCH', 'casework/case-groups/rest', { name: 'Other' })
  await send('deleteCaseGroup', 'DELETE', 'casework/case-groups/rest')
  await send('putTag', 'PUT', 'tags/rest:tag', { ...TAG, references: [], timeline: [] })
  await send('deleteTag', 'DELETE', 'tags/rest:tag')
  await send('pushListings', 'POST', 'listings', [
    { ...RANGE, ...TIMES, source: 'rest', status: 'active' },
  ])
  const entries = 'sources/mail-blocklist/rest/entries'
  await send('deleteEntryBySegments', 'DELETE', `${entries}/198.51.100.0/24`)
  const made = await send('createPlaybook', 'POST', 'casework/playbooks', {
    name: 'Rest',
    nodes: GRAPH,
  })
  const playbook = `casework/playbooks/${made.json().id}`
  await send('createPlaybookVersion', 'POST', `${playbook}/versions`, { nodes: GRAPH })
  await send('deletePlaybookVersion', 'DELETE', `${playbook}/versions/2`)
  await send('deletePlaybook', 'DELETE', playbook)
  const active = await send('createPlaybook', 'POST', 'casework/playbooks', {
    name: 'Active',
    nodes: GRAPH,
  })
  const version = `casework/playbooks/${active.json().id}/versions/1`
  await send('activatePlaybookVersion', 'POST', `${version}/activate`)
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  await send('putSecret', 'PUT', 'casework/secrets/rest', { value: secret })
  const adapter = 'casework/mitigation-adapters/rest'
  const settings = { url: 'https://blocks.example/x', secret: 'rest', kinds: ['null_route'] }
  await send('putMitigationAdapter', 'PUT', adapter, settings)
  await send('deleteMitigationAdapter', 'DELETE', adapter)
  await send('eraseAddress', 'POST', 'casework/erasures', { address: 'nobody@example.org' })
  const view = { name: 'Rest', list: 'cases', query: {}, shared: true }
  const { id } = (await send('createView', 'POST', 'casework/views', view)).json()
  await send('changeView', 'PATCH', `casework/views/${id}`, { name: 'Other' })
  await send('deleteView', 'DELETE', `casework/views/${id}`)
  const report = await app.send('POST', '/beta/casework/reports', {
    token: app.token,
    body: MAIL,
    headers: { 'content-type': 'message/rfc822' },
  })
  assert.ok(report.status < 300, report.text)
  const path = `casework/reports/${report.json().report_id ?? report.json().id}`
  await send('getRawReport', 'GET', `${path}/raw`)
  await send('getRegressionCase', 'GET', `${path}/regression-case`)
}

const actsOf = (answer: TestAnswer): readonly AuditAct[] =>
  acts.get(String(answer.headers['x-request-id'])) ?? []

describe('every operation', () => {
  test('that is not a GET stands in exactly one table, and no table names another', () => {
    const known = [
      ...Object.keys(AUDITED_OPERATIONS),
      ...Object.keys(PEOPLE_OPERATIONS),
      ...Object.keys(UNAUDITED_OPERATIONS),
    ]
    assert.equal(new Set(known).size, known.length)
    const changing = routes.filter(({ method }) => method !== 'GET')
    const missing = changing.filter(({ operationId }) => !known.includes(operationId))
    assert.deepEqual(
      missing.map(({ operationId }) => operationId),
      [],
    )
    const present = routes.map(({ operationId }) => operationId)
    assert.deepEqual(
      known.filter((name) => !present.includes(name)),
      [],
    )
  })

  test('of the first table leaves its act, once, in the transaction of its request', () => {
    const wrong: string[] = []
    for (const [operationId, allowed] of Object.entries(AUDITED_OPERATIONS)) {
      const found = (answered.get(operationId) ?? [])
        .filter(({ status }) => status < 300)
        .map(actsOf)
      const isRight = (one: readonly AuditAct[]): boolean =>
        one.length === 1 && one.every((act) => allowed.includes(act))
      if (!found.some(isRight)) wrong.push(`${operationId}: ${JSON.stringify(found)}`)
      if (found.some((one) => one.length > 1)) wrong.push(`${operationId} twice`)
    }
    assert.deepEqual(wrong, [])
  })

  test('that is refused, or stands in the other table, or only reads, leaves none', () => {
    const wrong = [...answered].flatMap(([operationId, answers]) => {
      const isAudited = operationId in AUDITED_OPERATIONS || operationId in PEOPLE_OPERATIONS
      return answers
        .filter((answer) => actsOf(answer).length > 0 && (answer.status >= 400 || !isAudited))
        .map(() => operationId)
    })
    assert.deepEqual(wrong, [])
    assert.ok(answered.size > 200, 'the samples were sent')
  })
})
