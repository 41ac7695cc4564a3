// The audit log over HTTP: who reads which chain, filters, pages, verification; and the job that
// signs.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { fillChain, verify } from '../../../test/audit-kit.ts'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { createPerson } from '../../../test/people-kit.ts'
import { createReadiness } from '../../kernel/readiness.ts'
import { ROLE_SCOPES } from '../../vocabulary/scopes.ts'
import { createAuditKeeper } from './keep-audit-log.ts'

const PATH = '/beta/admin/audit'
const HOUR_MS = 60 * 60 * 1_000
const clock = { ahead: 0, nowMs: () => Date.now() + clock.ahead }

const app = withApp({ clock }, async (opened) => {
  for (const id of ['filters', 'parts', 'hours', 'broken']) await opened.createTenant(id)
  await fillChain(opened, 'parts', 10_200)
})

async function get(query: string, token = app.token): Promise<TestAnswer> {
  return await app.send('GET', `${PATH}?${query}`, { token })
}

const seqs = (answer: TestAnswer): number[] =>
  answer.json().items.map(({ seq }: { seq: number }) => seq)

describe('the audit log', () => {
  test('200 the newest first, by act, kind, object, actor, request and time, page by page', async () => {
    const token = await app.createToken({ tenantId: 'filters' })
    const send = async (method: string, path: string, json?: unknown) => {
      const answer = await app.send(method, `/beta/casework/${path}`, {
        token,
        ...(json === undefined ? {} : { json }),
      })
      assert.ok(answer.status < 300, answer.text)
      return answer
    }
    await send('POST', 'customers', { id: 'k-1', name: 'One' })
    clock.ahead += HOUR_MS
    const changed = await send('PATCH', 'customers/k-1', { version: 1, name: 'Two' })
    const suppressed = 'suppressed-addresses/Ana@example.org'
    await send('PUT', suppressed, { note: 'Asked.' })
    const all = await get('tenant_id=filters')
    assert.deepEqual(seqs(all), [3, 2, 1])
    const { items } = all.json()
    assert.deepEqual(
      [items[1].before, items[1].after, items[1].values],
      [{ name: 'One' }, { name: 'Two' }, 'kept'],
    )
    assert.equal(items[1].actor.name, 'test')
    assert.equal(items[1].address, '127.0.0.1')
    assert.match(items[0].object.id, /^keyed-/)
    assert.equal(items[0].object.name, 'ana@example.org')
    const { at } = items[1]
    for (const [filter, expected] of [
      ['act=customer.create', [1]],
      ['object_kind=customer', [2, 1]],
      ['object_kind=customer&order=asc', [1, 2]],
      ['object_id=k-1', [2, 1]],
      ['object_id=ANA%40example.org', [3]],
      [`actor_id=${items[0].actor.id}`, [3, 2, 1]],
      ['actor_id=tok_other', []],
      [`request_id=${String(changed.headers['x-request-id'])}`, [2]],
      [`at_after=${at}`, [3, 2]],
      [`at_before=${at}`, [1]],
      ['act=customer.create&object_kind=tag', []],
    ] as const) {
      assert.deepEqual(seqs(await get(`tenant_id=filters&${filter}`)), expected, filter)
    }
    const first = await get('tenant_id=filters&limit=2')
    const { next_cursor: cursor } = first.json()
    assert.deepEqual(seqs(await get(`tenant_id=filters&limit=2&cursor=${cursor}`)), [1])
    const other = await get(`tenant_id=default&limit=2&cursor=${cursor}`)
    assert.deepEqual([other.status, other.json().code], [400, 'CASEWORK_CURSOR_NOT_VALID'])
    assert.equal((await get('act=customer.eat')).status, 400)
  })

  test('names users and groups beside their ids, and former users as such', async () => {
    await app.createTenant('people')
    const desk = await app.createToken({ tenantId: 'people', scopes: ROLE_SCOPES['tenant-admin'] })
    const person = await createPerson(app, desk, { roles: ['agent'], tenantId: 'people' })
    await person.browser.send('DELETE', '/beta/session')
    const json = { name: 'Night desk', user_ids: [person.id] }
    const group = (await app.send('POST', '/beta/admin/groups', { token: desk, json })).json()
    const namesOf = async () => {
      const { items } = (await get('', desk)).json()
      const ofAct = (act: string) => items.find((one: { act: string }) => one.act === act)
      return {
        invited: ofAct('user.invite').object,
        group: ofAct('group.create').object,
        ended: ofAct('session.end').actor,
      }
    }
    const { name } = person.browser.session.user
    assert.deepEqual(await namesOf(), {
      invited: { kind: 'user', id: person.id, name },
      group: { kind: 'group', id: group.id, name: 'Night desk' },
      ended: { kind: 'user', id: person.id, name },
    })
    await app.send('DELETE', `/beta/admin/users/${person.id}`, { token: desk })
    await app.send('DELETE', `/beta/admin/groups/${group.id}`, { token: desk })
    const { invited, group: gone, ended } = await namesOf()
    assert.deepEqual([invited.name, gone.name], ['former user', 'deleted group'])
    assert.equal(ended.name, name, 'the log keeps who acted, until an erasure or retention')
  })

  test('403 without audit:read; 404 for another tenant and for the instance, unless it is the operator who asks', async () => {
    const reader = await app.createToken({ tenantId: 'filters', scopes: ['audit:read'] })
    assert.deepEqual((await get('limit=1', reader)).json().items[0].tenant_id, 'filters')
    for (const tenant of ['default', '*', 'absent']) {
      const refused = await get(`tenant_id=${encodeURIComponent(tenant)}`, reader)
      assert.deepEqual([refused.status, refused.json().code], [404, 'APP_TENANT_NOT_FOUND'], tenant)
      const json = { tenant_id: tenant }
      const { status } = await app.send('POST', `${PATH}/verify`, { token: reader, json })
      assert.equal(status, 404)
    }
    const desk = await app.createToken({ tenantId: 'filters', scopes: ['tenant:admin'] })
    assert.equal((await get('', desk)).status, 403)
    const made = { id: 'seen', name: 'Seen' }
    await app.send('POST', '/beta/admin/tenants', { token: app.token, json: made })
    const [entry] = (await get('tenant_id=*')).json().items
    assert.deepEqual([entry.tenant_id, entry.act, entry.object.id], ['*', 'tenant.create', 'seen'])
  })
})

const ask = (json: object): Promise<TestAnswer> =>
  app.send('POST', `${PATH}/verify`, { token: app.token, json })

describe('a verification over HTTP', () => {
  test('goes part by part to the head, which can be kept and expected', async () => {
    const first = (await ask({ tenant_id: 'parts' })).json()
    assert.deepEqual([first.intact, first.entries], [true, 10_000])
    const rest = (await ask({ tenant_id: 'parts', cursor: first.next_cursor })).json()
    assert.deepEqual([rest.intact, rest.entries, rest.signed_seq], [true, 200, 10_000])
    assert.equal(rest.next_cursor, '')
    for (const head of [first.head, rest.head]) {
      const part = { tenant_id: 'parts', expect_head: head }
      const { next_cursor: cursor, intact } = (await ask(part)).json()
      assert.equal(intact, true)
      assert.equal((await ask({ ...part, cursor })).json().intact, true)
    }
    const gone = { tenant_id: 'parts', expect_head: `10300:${'0'.repeat(64)}` }
    const { next_cursor: cursor } = (await ask(gone)).json()
    const found = (await ask({ ...gone, cursor })).json()
    assert.deepEqual([found.intact, found.faults[0].kind], [false, 'head'])
  })

  test('400 for a cursor of another verification, and for a head that is none', async () => {
    const { next_cursor: cursor } = (await ask({ tenant_id: 'parts' })).json()
    assert.equal((await ask({ tenant_id: 'filters', cursor })).status, 400)
    assert.equal((await ask({ tenant_id: 'parts', expect_head: 'x' })).status, 400)
  })
})

function openKeeper() {
  const { foundation } = app.services
  const { database, secrets, log } = foundation
  const [metrics, readiness] = [new Registry(), createReadiness()]
  const deps = { db: database.kysely, clock, log, secrets }
  const keep = createAuditKeeper({ ...deps, metrics, readiness })
  const look = async () => {
    const [gauge] = await metrics.getMetricsAsJSON()
    const [check] = readiness.list()
    return [gauge?.values[0]?.value, (await check?.check())?.state]
  }
  return { keep: () => keep(new AbortController().signal), look }
}

describe('the job that signs', () => {
  test('covers the end of a chain an hour after its first entry without a signature', async () => {
    const { keep } = openKeeper()
    await fillChain(app, 'hours', 3)
    await keep()
    assert.equal((await verify(app, 'hours')).signedSeq, 0)
    clock.ahead += HOUR_MS + 1_000
    await keep()
    const report = await verify(app, 'hours')
    assert.deepEqual([report.signedSeq, report.faultCount], [3, 0])
    await keep()
    assert.equal((await verify(app, 'hours')).signedSeq, 3)
  })

  test('signs nothing that is not intact, and says so after two hours', async () => {
    const { keep, look } = openKeeper()
    const { pool } = app.services.foundation.database
    clock.ahead += HOUR_MS + 1_000
    await keep()
    assert.deepEqual(await look(), [0, 'ok'])
    await fillChain(app, 'broken', 3)
    await pool.query('alter table audit_entry disable trigger all')
    await pool.query(`update audit_entry set act = 'x.y' where tenant_id = 'broken' and seq = 2`)
    await pool.query('alter table audit_entry enable trigger all')
    clock.ahead += 3 * HOUR_MS
    await keep()
    assert.equal((await verify(app, 'broken')).signedSeq, 0)
    const [seconds, state] = await look()
    assert.ok(Number(seconds) >= 3 * 3_600)
    assert.equal(state, 'degraded')
  })
})
