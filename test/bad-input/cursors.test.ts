// Cursors of every list: altered, cut, swapped, of another list, another filter or another tenant,
// too long. Each is refused and shows no row.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../harness.ts'
import { createRecords, fillPath, findSample, type RecordParams } from '../operation-samples.ts'
import { forEachOf, PATIENT } from './input-kit.ts'
import { OPERATIONS, type Operation } from './operations.ts'

const TENANTS = ['pages', 'elsewhere'] as const
const tokens = new Map<string, string>()
const records = new Map<string, RecordParams>()

const app = withApp({ environment: PATIENT }, async (opened) => {
  for (const tenantId of TENANTS) {
    await opened.createTenant(tenantId)
    const token = await opened.createToken({ tenantId })
    tokens.set(tenantId, token)
    records.set(tenantId, await createRecords(opened, tenantId, token))
    for (let at = 0; at < 3; at += 1) await addRecords(opened, token, at)
  }
})

/** More than one row in as many lists as a few requests can fill. */
async function addRecords(
  { send }: Pick<typeof app, 'send'>,
  token: string,
  at: number,
): Promise<void> {
  const post = (path: string, json: unknown) =>
    send('POST', `/beta/casework${path}`, { token, json })
  const event = { event_date: '2026-04-01T00:00:00Z', event_type: 'Spam', ip: `192.0.2.${at + 10}` }
  const { case_id: caseId } = (await post('/events', event)).json()
  await post(`/cases/${caseId}/comments`, { text: `x ${at}` })
  await post('/reports', { x: at })
  await post('/customers', { id: `page-${at}` })
  await post('/contracts', { id: `page-${at}`, customer_id: `page-${at}` })
  await post('/resources', { kind: 'account', value: `page-${at}`, customer_id: `page-${at}` })
  const role = { name: `page-${at}`, scopes: ['cases:read'] }
  await send('POST', '/beta/admin/roles', { token, json: role })
}

const lists = OPERATIONS.filter(
  ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'cursor'),
)

function ask(
  operation: Operation,
  tenantId: string,
  query: Record<string, string>,
): Promise<TestAnswer> {
  const sample = findSample(operation)
  const own = records.get(tenantId)?.get(sample.record ?? 'instance')
  const path = fillPath(operation, { ...sample.params, ...own })
  const token = tokens.get(tenantId) ?? ''
  return app.send('GET', `${path}?${new URLSearchParams(query).toString()}`, { token })
}

const hasOrder = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === 'order')

/** About 30 texts that are no cursor of this list; `cursor` is one. */
function spoilCursor(cursor: string): readonly string[] {
  const swap = (at: number): string => {
    const letters = cursor.split('')
    letters[at] = letters[at] === 'A' ? 'B' : 'A'
    return letters.join('')
  }
  const half = Math.floor(cursor.length / 2)
  return [
    ...[0, 1, 5, 10, 20, half, cursor.length - 2].map(swap),
    ...[1, 2, 4, half, 21, 22].map((length) => cursor.slice(0, length)),
    ...[1, 2, half].map((start) => cursor.slice(start)),
    cursor.slice(half) + cursor.slice(0, half),
    cursor.split('').toReversed().join(''),
    cursor + cursor,
    `${cursor}A`,
    `${cursor}=`,
    `${cursor} `,
    ` ${cursor}`,
    `${cursor}.`,
    cursor.toUpperCase(),
    Buffer.from('["2026-01-01T00:00:00.000Z","x"]').toString('base64url'),
    Buffer.alloc(16).toString('base64url'),
    'A'.repeat(10_240),
    `${cursor}${'A'.repeat(10_240)}`,
    '../../x',
    "' or 1=1--",
    'null',
    '0',
    '\u{1F600}',
  ].filter((one) => one !== cursor)
}

test('400 for 30 altered cursors, and those of another list, order, filter and tenant, on every list', async () => {
  assert.ok(lists.length > 20, `only ${lists.length} lists`)
  const wrong: string[] = []
  const cursors = new Map<string, string>()
  for (const operation of lists) {
    const answer = await ask(operation, 'pages', { limit: '1' })
    assert.ok(answer.status < 500, `${operation.operationId} ${answer.text}`)
    if (answer.status !== 200) continue
    const cursor: unknown = answer.json().next_cursor
    if (typeof cursor === 'string' && cursor !== '') cursors.set(operation.operationId, cursor)
  }
  let count = 0
  for (const operation of lists) {
    const { operationId } = operation
    const cursor = cursors.get(operationId)
    const others = [...cursors].filter(([id]) => id !== operationId).map(([, text]) => text)
    const spoilt = [...spoilCursor(cursor ?? others[0] ?? ''), ...others]
    await forEachOf(spoilt, async (text) => {
      const { status } = await ask(operation, 'pages', { limit: '1', cursor: text })
      count += 1
      if (status !== 400) wrong.push(`${operationId} took ${text.slice(0, 60)}: ${status}`)
    })
    if (cursor === undefined) continue
    assert.equal((await ask(operation, 'pages', { limit: '1', cursor })).status, 200, operationId)
    const foreign = await ask(operation, 'elsewhere', { limit: '1', cursor })
    const isShared = SHARED.has(operationId)
    if ((foreign.status === 200) !== isShared) {
      wrong.push(`${operationId} elsewhere: ${foreign.status}`)
    }
    if (!hasOrder(operation)) continue
    const turned = await ask(operation, 'pages', { limit: '1', cursor, order: 'asc' })
    if (turned.status !== 400) wrong.push(`${operationId} in another order: ${turned.status}`)
  }
  assert.deepEqual(wrong, [])
  assert.ok(cursors.size >= 8, `only ${cursors.size} lists had a second page`)
  assert.ok(count > 600, `only ${count} cursors were sent`)
})

/** Lists of the instance for a caller who administers it: the same in every tenant. */
const SHARED = new Set(['listReportAddresses', 'listTenants', 'listTokens', 'listUsers'])
