// What an act leaves in the audit log, and what an erasure leaves of it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../../test/audit-kit.ts'
import { withApp } from '../../../test/harness.ts'
import { eraseAddress } from '../../../test/privacy-kit.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { INSTANCE_CHAIN } from './audit-entry.ts'
import { type DetailedEntry, listEntries } from './audit-store.ts'

const app = withApp()

async function list(chain: string): Promise<readonly DetailedEntry[]> {
  const query = { acts: null, objectIds: null, actorId: null, requestId: null, from: null }
  const all = { ...query, chain, before: null, order: 'asc', afterSeq: null, limit: 1_000 } as const
  return await listEntries(app.services.foundation.database.kysely, all)
}

async function send(method: string, path: string, json?: unknown) {
  const given = { token: app.token, ...(json === undefined ? {} : { json }) }
  const answer = await app.send(method, `/beta/${path}`, given)
  assert.ok(answer.status < 300, answer.text)
  return answer
}

describe('an act', () => {
  test('is recorded with who, from where, and what was changed, in the chain of its tenant', async () => {
    await send('POST', 'admin/tenants', { id: 'north', name: 'North' })
    await send('PATCH', 'admin/tenants/north', { name: 'The North' })
    const answer = await send('POST', 'admin/tokens', {
      name: 'Desk of Ana',
      scopes: ['cases:read'],
      tenant_id: 'north',
      contact_email: 'ana@example.org',
    })
    const { id } = answer.json()
    await send('DELETE', `admin/tokens/${id}`)
    const instance = await list(INSTANCE_CHAIN)
    assert.deepEqual(
      instance.map(({ seq, act, objectId }) => [seq, act, objectId]),
      [[1, 'tenant.create', 'north']],
    )
    const [changed, created, revoked, ...more] = await list('north')
    assert.deepEqual(more, [])
    assert.deepEqual(
      [changed?.act, created?.act, revoked?.act],
      ['tenant.change', 'token.create', 'token.revoke'],
    )
    assert.deepEqual(changed?.detail?.before, { name: 'North' })
    assert.deepEqual(changed?.detail?.after, { name: 'The North' })
    assert.equal(created?.objectId, id)
    assert.equal(created?.requestId, answer.headers['x-request-id'])
    assert.equal(created?.actor.kind, 'token')
    assert.equal(created?.detail?.actorName, 'test')
    assert.equal(created?.detail?.address, '127.0.0.1')
    assert.ok(!JSON.stringify(created).includes(answer.json().token), 'the secret is not in it')
    assert.deepEqual((await verify(app, 'north')).faults, [])
  })

  test('that is refused or undone leaves nothing', async () => {
    const before = (await list('default')).length
    const { database, audit } = app.services.foundation
    const body = { name: 'x', scopes: ['no:scope'] }
    const refused = await app.send('POST', '/beta/admin/tokens', { token: app.token, json: body })
    assert.equal(refused.status, 400)
    await assert.rejects(
      inTransaction(database.kysely, async (tx) => {
        const by = { kind: 'program', id: 'test' } as const
        await audit.record(tx, 'tag.set', { tenantId: 'default', id: 'x', by })
        throw new Error('undone')
      }),
      /undone/,
    )
    assert.equal((await list('default')).length, before)
  })

  test('of a tenant on what belongs to the instance stands in the chain of the instance', async () => {
    const token = await app.createToken({ scopes: ['sources:manage'] })
    const json = { intent: 'benign', category: 'none', description: 'Own.' }
    const answer = await app.send('PUT', '/beta/tags/own:tag', { token, json })
    assert.equal(answer.status, 201, answer.text)
    const last = (await list(INSTANCE_CHAIN)).at(-1)
    assert.deepEqual([last?.act, last?.objectId], ['tag.set', 'own:tag'])
    assert.equal(last?.requestId, answer.headers['x-request-id'])
  })

  test('needs an actor: a request, or the program by name', async () => {
    const { database, audit } = app.services.foundation
    await assert.rejects(
      inTransaction(database.kysely, (tx) =>
        audit.record(tx, 'tag.set', { tenantId: null, id: 'x' }),
      ),
      /nobody is the actor/,
    )
  })

  test('of many at once has its place in the chain, and the chain stays clean', async () => {
    const body = { name: 'many', scopes: ['cases:read'] }
    await Promise.all(Array.from({ length: 20 }, () => send('POST', 'admin/tokens', body)))
    const report = await verify(app, 'default')
    assert.deepEqual(report.faults, [])
    assert.ok(report.entries >= 20)
  })
})

async function findReportAddresses(): Promise<string> {
  const entries = await list(INSTANCE_CHAIN)
  return JSON.stringify(entries.filter(({ act }) => act === 'report_address.set'))
}

describe('the audit log after an erasure', () => {
  test('knows the address no more, and the chain is clean', async () => {
    const email = 'ben@example.org'
    const made = await send('POST', 'admin/tokens', {
      name: `Desk of ${email}`,
      scopes: ['cases:read'],
      contact_email: email,
    })
    const { id } = made.json()
    const find = async () => (await list('default')).find(({ objectId }) => objectId === id)
    assert.ok(JSON.stringify(await find()).includes(email))
    await eraseAddress(app, app.token, email)
    const entry = await find()
    assert.ok(!JSON.stringify(entry).includes(email))
    assert.match(JSON.stringify(entry?.detail?.after), /@erased\.invalid/)
    const report = await verify(app, 'default')
    assert.deepEqual(report.faults, [])
    assert.ok(report.values.erased >= 1)
  })

  test('of the instance knows it no more when the operator asks, and not when a tenant does', async () => {
    const email = 'eva@example.org'
    const address = `/beta/admin/report-addresses/${email}`
    const json = { tenant_id: 'default' }
    assert.equal((await app.send('PUT', address, { token: app.token, json })).status, 200)
    const desk = await app.createToken({ scopes: ['privacy:erase'] })
    await eraseAddress(app, desk, email)
    assert.ok((await findReportAddresses()).includes(email))
    await eraseAddress(app, app.token, email)
    assert.ok(!(await findReportAddresses()).includes(email))
    const report = await verify(app, INSTANCE_CHAIN)
    assert.deepEqual([report.faults, report.values.erased], [[], 1])
  })
})
