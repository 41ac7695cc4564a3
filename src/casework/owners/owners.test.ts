import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { countLockWaits } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { inTransaction } from '../../kernel/db/database.ts'

const CUSTOMERS = '/beta/casework/customers'
const CONTRACTS = '/beta/casework/contracts'
const RESOURCES = '/beta/casework/resources'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let token: string
let strangerToken: string
const app = withApp({}, async (opened) => {
  token = opened.token
  await opened.createTenant('other')
  strangerToken = await opened.createToken({ tenantId: 'other' })
})

const send = (method: string, path: string, json?: unknown, as = token): Promise<TestAnswer> =>
  app.send(method, path, { token: as, ...(json === undefined ? {} : { json }) })

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came, whatever it is
async function create(path: string, json: object, as = token): Promise<any> {
  const made = await send('POST', path, json, as)
  assert.equal(made.status, 201, made.text)
  return made.json()
}

/** The first problem of a refusal. */
function problemOf(answer: TestAnswer): unknown {
  return answer.json().errors[0]
}

/** Apart from the id of the request. */
function bodyOf(answer: TestAnswer): unknown {
  const { request_id: _, ...rest } = answer.json()
  return rest
}

/** As NDJSON; every row must be taken. */
async function bulk(path: string, rows: readonly object[]): Promise<void> {
  const lines = rows.map((row) => JSON.stringify(row)).join('\n')
  const answer = await app.send('POST', `${path}/bulk`, {
    token,
    body: `${lines}\n\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  assert.deepEqual(answer.json().rejected, [])
}

describe('one record', () => {
  test('201 with what was sent in canonical form, and Location and ETag name it', async () => {
    const made = await send('POST', CUSTOMERS, {
      id: 'K 1/2',
      name: 'Example Hosting',
      contacts: [{ email: 'abuse@example.com', language: 'pt-BR', purpose: 'abuse' }],
      metadata: { crm: 17 },
    })
    assert.equal(made.status, 201, made.text)
    const { created_at: createdAt, updated_at: updatedAt, ...rest } = made.json()
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(createdAt, updatedAt)
    assert.deepEqual(rest, {
      id: 'K 1/2',
      name: 'Example Hosting',
      contacts: [
        { email: 'abuse@example.com', language: 'pt-BR', purpose: 'abuse', state: 'active' },
      ],
      metadata: { crm: 17 },
      version: 1,
    })
    assert.equal(made.headers['etag'], '"1"')
    const location = String(made.headers['location'])
    const read = await send('GET', location)
    assert.deepEqual(read.json(), made.json())
    assert.equal(read.headers['etag'], '"1"')
  })

  test('201 for contracts and resources with the validity they were given', async () => {
    await create(CUSTOMERS, { id: 'valid' })
    const contract = await create(CONTRACTS, {
      id: 'valid-1',
      customer_id: 'valid',
      valid_from: '2026-01-01',
      valid_until: '2026-07-01T00:00:00+02:00',
    })
    assert.equal(contract.valid_from, '2026-01-01T00:00:00.000Z')
    assert.equal(contract.valid_until, '2026-06-30T22:00:00.000Z')
    const make = (kind: string, value: string) =>
      create(RESOURCES, { kind, value, customer_id: 'valid', contract_id: 'valid-1' })
    assert.equal((await make('ip_range', '192.0.2.0 - 192.0.2.255')).value, '192.0.2.0/24')
    assert.equal((await make('domain', 'WWW.Example.ORG.')).value, 'www.example.org')
    const account = await make('account', 'User.One')
    assert.equal(account.value, 'User.One')
    assert.equal('valid_from' in account, false)
  })

  test('400 names what is wrong by its path, and nothing is stored', async () => {
    await create(CUSTOMERS, { id: 'wrong' })
    await create(CONTRACTS, { id: 'wrong-1', customer_id: 'wrong' })
    await create(CUSTOMERS, { id: 'wrong-too' })
    for (const [path, json, place] of [
      [CUSTOMERS, { id: 'a', contacts: [{ email: 'no address' }] }, '/contacts/0/email'],
      [CUSTOMERS, { id: 'a', parent_customer_id: 'nobody' }, '/parent_customer_id'],
      [CUSTOMERS, { id: 'a', parent_customer_id: 'a' }, '/parent_customer_id'],
      [CUSTOMERS, { id: 'a', metadata: { x: 2 ** 60 } }, '/metadata/x'],
      [CUSTOMERS, { name: 'nameless' }, '/id'],
      [CUSTOMERS, { id: 'a', owner: 1 }, '/owner'],
      [CONTRACTS, { id: 'c', customer_id: 'nobody' }, '/customer_id'],
      [CONTRACTS, { id: 'c', customer_id: 'wrong', valid_from: '2026-02-30' }, '/valid_from'],
      [
        CONTRACTS,
        { id: 'c', customer_id: 'wrong', valid_from: '2026-02-02', valid_until: '2026-02-02' },
        '/valid_until',
      ],
      [RESOURCES, { kind: 'ip_range', value: '192.0.2.1/24', customer_id: 'wrong' }, '/value'],
      [RESOURCES, { kind: 'domain', value: '192.0.2.1', customer_id: 'wrong' }, '/value'],
      [RESOURCES, { kind: 'server', value: 'a', customer_id: 'wrong' }, '/kind'],
      [RESOURCES, { kind: 'account', value: 'a', customer_id: 'nobody' }, '/customer_id'],
      [
        RESOURCES,
        { kind: 'account', value: 'a', customer_id: 'wrong-too', contract_id: 'wrong-1' },
        '/contract_id',
      ],
    ] as const) {
      const answer = await send('POST', path, json)
      assert.equal(answer.status, 400, JSON.stringify(json))
      const paths = answer.json().errors.map((problem: { path: string }) => problem.path)
      assert.ok(paths.includes(place), `${place}: ${answer.text}`)
    }
    assert.equal((await send('GET', `${CUSTOMERS}/a`)).status, 404)
    const refused = await send('POST', CONTRACTS, { id: 'c', customer_id: 'nobody' })
    assert.equal(refused.json().code, 'CASEWORK_OWNER_NOT_VALID')
  })

  test('409 for one that is there already, by id or by kind, value and start', async () => {
    await create(CUSTOMERS, { id: 'twice' })
    const again = await send('POST', CUSTOMERS, { id: 'twice' })
    assert.equal(again.status, 409)
    assert.equal(again.json().code, 'CASEWORK_OWNER_TAKEN')
    const resource = { kind: 'ip_range', value: '198.51.100.0/24', customer_id: 'twice' }
    await create(RESOURCES, resource)
    const same = { ...resource, value: '198.51.100.0-198.51.100.255' }
    assert.equal((await send('POST', RESOURCES, same)).status, 409)
    const later = await create(RESOURCES, { ...resource, valid_from: '2026-03-01' })
    const moved = { version: 1, valid_from: null }
    assert.equal((await send('PATCH', `${RESOURCES}/${later.id}`, moved)).status, 409)
  })
})

describe('a change', () => {
  test('200 changes what is sent, null takes away, and the version rises only with a change', async () => {
    await create(CUSTOMERS, { id: 'reseller' })
    await create(CUSTOMERS, { id: 'changed', name: 'Old', metadata: { a: 1 } })
    const path = `${CUSTOMERS}/changed`
    const wish = { version: 1, name: null, parent_customer_id: 'reseller' }
    const changed = await send('PATCH', path, wish)
    assert.equal(changed.status, 200, changed.text)
    const { version, name, parent_customer_id: parent, metadata } = changed.json()
    assert.deepEqual([version, name, parent, metadata], [2, undefined, 'reseller', { a: 1 }])
    assert.equal(changed.headers['etag'], '"2"')
    const same = await app.send('PATCH', path, {
      token,
      json: { parent_customer_id: 'reseller' },
      headers: { 'if-match': '"2"' },
    })
    assert.equal(same.json().version, 2)
  })

  test('412 for another version, 400 without one, 400 for a parent that leads back', async () => {
    await create(CUSTOMERS, { id: 'top' })
    await create(CUSTOMERS, { id: 'below', parent_customer_id: 'top' })
    const path = `${CUSTOMERS}/top`
    const stale = await send('PATCH', path, { version: 7, name: 'x' })
    assert.equal(stale.status, 412)
    assert.equal(stale.json().code, 'CASEWORK_OWNER_IS_STALE')
    assert.deepEqual(problemOf(await send('PATCH', path, { name: 'x' })), {
      path: '/version',
      reason: 'is missing; send it, or If-Match',
    })
    const loop = await send('PATCH', path, { version: 1, parent_customer_id: 'below' })
    assert.equal(loop.status, 400)
    assert.deepEqual(problemOf(loop), {
      path: '/parent_customer_id',
      reason: 'leads back to a customer below it, or up more levels than resellers have',
    })
  })

  test('400 for the second of two changes at the same time that would make a loop of parents together', async () => {
    const chains = [{ id: 'one-top' }, { id: 'two-top' }]
    await bulk(CUSTOMERS, [
      ...chains,
      { id: 'one-low', parent_customer_id: 'one-top' },
      { id: 'two-low', parent_customer_id: 'two-top' },
    ])
    const { kysely } = app.services.foundation.database
    const { changing } = await inTransaction(kysely, async (tx) => {
      // Both wait for it before they end.
      await sql`select from audit_head where tenant_id = 'default' for update`.execute(tx)
      const answers = Promise.all([
        send('PATCH', `${CUSTOMERS}/one-top`, { version: 1, parent_customer_id: 'two-low' }),
        send('PATCH', `${CUSTOMERS}/two-top`, { version: 1, parent_customer_id: 'one-low' }),
      ])
      await waitUntil(
        async () => (await countLockWaits(app.connection)) === 2,
        'both changes wait for a lock',
      )
      return { changing: answers }
    })
    const statuses = (await changing).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200, 400]))
  })

  test('400 for a resource that would leave its contract behind', async () => {
    await create(CUSTOMERS, { id: 'from' })
    await create(CUSTOMERS, { id: 'to' })
    await create(CONTRACTS, { id: 'from-1', customer_id: 'from' })
    const made = await create(RESOURCES, {
      kind: 'account',
      value: 'mover',
      customer_id: 'from',
      contract_id: 'from-1',
    })
    const path = `${RESOURCES}/${made.id}`
    assert.equal((await send('PATCH', path, { version: 1, customer_id: 'to' })).status, 400)
    const wish = { version: 1, customer_id: 'to', contract_id: null }
    const moved = await send('PATCH', path, wish)
    assert.equal(moved.status, 200, moved.text)
    assert.equal('contract_id' in moved.json(), false)
  })
})

describe('a deletion', () => {
  test('409 while something refers to it, 204 afterwards, and then it is not there', async () => {
    await create(CUSTOMERS, { id: 'gone' })
    await create(CUSTOMERS, { id: 'gone-child', parent_customer_id: 'gone' })
    await create(CONTRACTS, { id: 'gone-1', customer_id: 'gone' })
    const { id } = await create(RESOURCES, {
      kind: 'ip_range',
      value: '203.0.113.1-203.0.113.6',
      customer_id: 'gone',
      contract_id: 'gone-1',
    })
    const inUse = await send('DELETE', `${CUSTOMERS}/gone`)
    assert.equal(inUse.status, 409)
    assert.equal(inUse.json().code, 'CASEWORK_OWNER_IN_USE')
    assert.equal((await send('DELETE', `${CONTRACTS}/gone-1`)).status, 409)
    for (const path of [
      `${RESOURCES}/${id}`,
      `${CONTRACTS}/gone-1`,
      `${CUSTOMERS}/gone-child`,
      `${CUSTOMERS}/gone`,
    ]) {
      assert.equal((await send('DELETE', path)).status, 204, path)
      assert.equal((await send('DELETE', path)).status, 404, path)
    }
    const { pool } = app.services.foundation.database
    const left = await pool.query('select 1 from resource_block where resource_id = $1', [id])
    assert.equal(left.rowCount, 0)
  })
})

describe('another tenant', () => {
  test('404, 400 and empty lists in the same bytes as for what does not exist', async () => {
    await create(CUSTOMERS, { id: 'mine' })
    await create(CONTRACTS, { id: 'mine-1', customer_id: 'mine' })
    const made = await create(RESOURCES, { kind: 'account', value: 'me', customer_id: 'mine' })
    for (const [path, id, missing] of [
      [CUSTOMERS, 'mine', 'nobody'],
      [CONTRACTS, 'mine-1', 'nothing'],
      [RESOURCES, made.id, UNKNOWN],
    ] as const) {
      for (const [method, json] of [
        ['GET', undefined],
        ['PATCH', { version: 1 }],
        ['DELETE', undefined],
      ] as const) {
        const theirs = await send(method, `${path}/${id}`, json, strangerToken)
        const nobodys = await send(method, `${path}/${missing}`, json, strangerToken)
        assert.equal(theirs.status, 404, `${method} ${path}`)
        assert.deepEqual(bodyOf(theirs), bodyOf(nobodys))
      }
      const list = await send('GET', path, undefined, strangerToken)
      assert.deepEqual(list.json().items, [])
    }
    const foreign = { id: 'x', customer_id: 'mine' }
    assert.equal((await send('POST', CONTRACTS, foreign, strangerToken)).status, 400)
    // The same ids are free there.
    await create(CUSTOMERS, { id: 'mine' }, strangerToken)
  })

  test('403 without the scopes for customers', async () => {
    const reader = await app.createToken({ scopes: ['customers:read'] })
    const agent = await app.createToken({ scopes: ['cases:write'] })
    assert.equal((await send('POST', CUSTOMERS, { id: 'r' }, reader)).status, 403)
    assert.equal((await send('POST', `${CUSTOMERS}/bulk`, [{ id: 'r' }], reader)).status, 403)
    assert.equal((await send('GET', CUSTOMERS, undefined, agent)).status, 403)
  })
})

describe('lists', () => {
  test('a walk gives every record once by id, and filters take what they name', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({ id: `list-${at}` }))
    await send('POST', `${CUSTOMERS}/bulk`, [{ id: 'list' }])
    await send(
      'POST',
      `${CUSTOMERS}/bulk`,
      rows.map((row) => ({ ...row, parent_customer_id: 'list' })),
    )
    const seen: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 10; pages += 1) {
      const query = `parent_customer_id=list&limit=5&order=asc${cursor === '' ? '' : `&cursor=${cursor}`}`
      const page = (await send('GET', `${CUSTOMERS}?${query}`)).json()
      seen.push(...page.items.map((item: { id: string }) => item.id))
      cursor = page.next_cursor
      if (cursor === '') break
    }
    assert.deepEqual(seen, rows.map((row) => row.id).toSorted())
    const resources = ['198.51.100.16/28', '198.51.100.32/28']
    for (const value of resources) {
      await create(RESOURCES, { kind: 'ip_range', value, customer_id: 'list-1' })
    }
    const find = async (query: string): Promise<readonly string[]> => {
      const answer = await send('GET', `${RESOURCES}?${query}&order=asc`)
      assert.equal(answer.status, 200, answer.text)
      return answer.json().items.map((item: { value: string }) => item.value)
    }
    assert.deepEqual(await find('customer_id=list-1'), resources)
    assert.deepEqual(await find('customer_id=list-1&kind=domain'), [])
    assert.deepEqual(await find('value=198.51.100.16-198.51.100.31'), [resources[0]])
    // An account is stored as it was sent, also where it looks like a domain or an address.
    for (const value of ['List.Example', '2001:DB8::1']) {
      await create(RESOURCES, { kind: 'account', value, customer_id: 'list-1' })
      assert.deepEqual(await find(`value=${value}`), [value])
      assert.deepEqual(await find(`value=${value}&kind=account`), [value])
    }
    await create(RESOURCES, { kind: 'domain', value: 'list.example', customer_id: 'list-1' })
    assert.deepEqual(await find('value=LIST.example&kind=domain'), ['list.example'])
    assert.equal((await send('GET', `${RESOURCES}?owner=x`)).status, 400)
    assert.equal((await send('GET', `${CONTRACTS}?cursor=x`)).status, 400)
  })
})

describe('many at once', () => {
  test('200 stores the sound rows and answers the others in their place', async () => {
    const answer = await send('POST', `${CUSTOMERS}/bulk`, [
      { id: 'bulk-child', parent_customer_id: 'bulk-parent' },
      { id: 'bulk-parent', name: 'Parent' },
      { id: 'bulk-orphan', parent_customer_id: 'bulk-refused' },
      { id: 'bulk-refused', parent_customer_id: 'bulk-nobody' },
      { name: 'no id' },
      { id: 'bulk-nul', name: '\u0000' },
      'no row',
    ])
    assert.equal(answer.status, 200, answer.text)
    const { accepted, rejected } = answer.json()
    assert.equal(accepted, 2)
    assert.deepEqual(
      rejected.map((row: { index: number }) => row.index),
      [2, 3, 4, 5, 6],
    )
    assert.equal(rejected[0].reason, '/parent_customer_id names no customer')
    const errors = [{ path: '/parent_customer_id', reason: 'names no customer' }]
    assert.deepEqual(rejected[0].errors, errors)
    const child = await send('GET', `${CUSTOMERS}/bulk-child`)
    assert.equal(child.json().parent_customer_id, 'bulk-parent')
    assert.equal((await send('GET', `${CUSTOMERS}/bulk-orphan`)).status, 404)
  })

  test('a row is refused that would make a loop with a record whose own row is refused', async () => {
    await bulk(CUSTOMERS, [
      { id: 'loop-top' },
      { id: 'loop-low', parent_customer_id: 'loop-top' },
      { id: 'loop-lowest', parent_customer_id: 'loop-low' },
    ])
    for (const parent of ['loop-low', 'loop-lowest']) {
      const answer = await send('POST', `${CUSTOMERS}/bulk`, [
        { id: 'loop-low', parent_customer_id: 'nobody' },
        { id: 'loop-top', parent_customer_id: parent },
      ])
      const reasons = answer.json().rejected.map((row: { reason: string }) => row.reason)
      assert.deepEqual(reasons, [
        '/parent_customer_id names no customer',
        '/parent_customer_id leads up to a customer whose row is refused',
      ])
    }
    const top = (await send('GET', `${CUSTOMERS}/loop-top`)).json()
    assert.equal(top.parent_customer_id, undefined)
  })

  test('repeated rows change nothing, and others change what they name and no more', async () => {
    await create(CUSTOMERS, { id: 'again', name: 'Name', metadata: { kept: true } })
    await bulk(CUSTOMERS, [{ id: 'again', name: 'Name' }])
    assert.equal((await send('GET', `${CUSTOMERS}/again`)).json().version, 1)
    await bulk(CUSTOMERS, [{ id: 'again', name: 'New' }])
    const changed = (await send('GET', `${CUSTOMERS}/again`)).json()
    assert.deepEqual([changed.version, changed.name, changed.metadata], [2, 'New', { kept: true }])
    await create(CUSTOMERS, { id: 'new-owner' })
    const row = { kind: 'ip_range', value: '2001:db8:5::/48', customer_id: 'again' }
    await bulk(RESOURCES, [row, row])
    await bulk(RESOURCES, [{ ...row, customer_id: 'new-owner' }])
    const found = (await send('GET', `${RESOURCES}?value=2001:db8:5::/48`)).json().items
    assert.equal(found.length, 1)
    assert.deepEqual([found[0].customer_id, found[0].version], ['new-owner', 2])
  })

  test('imports of the same rows at the same time store each once', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => ({ id: `race-${at}`, name: 'Racer' }))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, turn) =>
        send('POST', `${CUSTOMERS}/bulk`, turn % 2 === 0 ? rows : rows.toReversed()),
      ),
    )
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.json(), { accepted: 200, rejected: [] })
    }
    const { pool } = app.services.foundation.database
    const stored = await pool.query(
      "select count(*) as count, max(version) as version from customer where id like 'race-%'",
    )
    assert.deepEqual(stored.rows, [{ count: 200, version: 1 }])
  })

  test('400 CASEWORK_OWNERS_NOT_READABLE for no rows or too many, and 404 CASEWORK_OWNER_NOT_FOUND', async () => {
    for (const json of [[], {}, Array.from({ length: 10_001 }, () => ({}))]) {
      const answer = await send('POST', `${CUSTOMERS}/bulk`, json)
      assert.equal(answer.status, 400)
      assert.equal(answer.json().code, 'CASEWORK_OWNERS_NOT_READABLE')
    }
    const missing = await send('GET', `${CUSTOMERS}/nobody`)
    assert.equal(missing.json().code, 'CASEWORK_OWNER_NOT_FOUND')
  })
})
