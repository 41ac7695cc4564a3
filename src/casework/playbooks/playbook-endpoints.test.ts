import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { APPROVAL, createActivePlaybook } from '../../../test/playbook-fixtures.ts'

const PATH = '/beta/casework/playbooks'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const NODES = [
  { id: 'begin', kind: 'start', paths: { next: 'stop' } },
  { id: 'stop', kind: 'end' },
]

let token: string
let strangerToken: string
const app = withApp({}, async (opened) => {
  token = opened.token
  await opened.createTenant('other')
  strangerToken = await opened.createToken({ tenantId: 'other' })
})

function post(path: string, json?: unknown, as = token): Promise<TestAnswer> {
  return app.send('POST', path, { token: as, ...(json === undefined ? {} : { json }) })
}

function get(path: string, as = token): Promise<TestAnswer> {
  return app.send('GET', path, { token: as })
}

/** Apart from the id of the request. */
function bodyOf(answer: TestAnswer): unknown {
  const { request_id: _, ...rest } = answer.json()
  return rest
}

describe('POST /playbooks', () => {
  test('201 with version 1 as a draft, and Location names it', async () => {
    const made = await post(PATH, { name: '  Suspend  ', nodes: APPROVAL })
    assert.equal(made.status, 201, made.text)
    const { id } = made.json()
    assert.deepEqual(made.json(), { id, version: 1, state: 'draft' })
    assert.equal(made.headers['location'], `${PATH}/${id}`)
    const read = await get(`${PATH}/${id}`)
    assert.equal(read.status, 200)
    const { created_at: createdAt, versions, ...rest } = read.json()
    assert.deepEqual(rest, { id, name: 'Suspend', latest_version: 1 })
    assert.deepEqual(versions, [{ version: 1, state: 'draft', created_at: createdAt }])
  })

  test('400 names every problem of the name and the graph by its path', async () => {
    const answer = await post(PATH, {
      nodes: [
        { id: 'begin', kind: 'start', paths: { next: 'nowhere' } },
        { id: 'b c', kind: 'trigger', config: { paths: [] } },
        { kind: 'set_state', config: { state: 'NEW' } },
        { id: 'x', kind: 'magic' },
      ],
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.equal(answer.json().code, 'CASEWORK_PLAYBOOK_NOT_VALID')
    assert.deepEqual(
      answer.json().errors.map((problem: { path: string }) => problem.path),
      [
        '/name',
        '/nodes/1/id',
        '/nodes/1/config/paths',
        '/nodes/2/id',
        '/nodes/2/config/state',
        '/nodes/3/kind',
      ],
    )
  })

  test('400 for a body that is no object, an unknown member, and text that cannot be stored', async () => {
    for (const body of [[], 'text', null, { name: 'a', nodes: NODES, owner: 'me' }]) {
      assert.equal((await post(PATH, body)).status, 400, JSON.stringify(body))
    }
    const nodes = [...NODES.slice(0, 1), { ...NODES[1], config: { '\u0000': 1 } }]
    assert.equal((await post(PATH, { name: 'NUL', nodes })).status, 400)
    assert.equal((await post(PATH, { name: 'a\u0000', nodes: NODES })).status, 400)
  })

  test('409 for a name that the tenant has, 201 for one that only another tenant has', async () => {
    assert.equal((await post(PATH, { name: 'Twice', nodes: NODES })).status, 201)
    const again = await post(PATH, { name: 'Twice', nodes: NODES })
    assert.equal(again.status, 409)
    assert.equal(again.json().code, 'CASEWORK_PLAYBOOK_NAME_TAKEN')
    assert.equal((await post(PATH, { name: 'Twice', nodes: NODES }, strangerToken)).status, 201)
  })
})

describe('versions', () => {
  test('201 for the next draft, 200 with its nodes, and nothing changes what is there', async () => {
    const id = await createActivePlaybook(app, token, APPROVAL)
    const added = await post(`${PATH}/${id.toUpperCase()}/versions`, { nodes: NODES })
    assert.equal(added.status, 201, added.text)
    assert.deepEqual(added.json(), { id, version: 2, state: 'draft' })
    assert.equal(added.headers['location'], `${PATH}/${id}/versions/2`)
    const second = await get(`${PATH}/${id}/versions/2`)
    assert.equal(second.status, 200)
    assert.equal(second.json().state, 'draft')
    assert.deepEqual(second.json().nodes, NODES)
    const first = await get(`${PATH}/${id}/versions/1`)
    assert.equal(first.json().state, 'active')
    assert.deepEqual(first.json().nodes, APPROVAL)
  })

  test('twenty at once get twenty numbers', async () => {
    const id = await createActivePlaybook(app, token, NODES)
    const added = await Promise.all(
      Array.from({ length: 20 }, () => post(`${PATH}/${id}/versions`, { nodes: NODES })),
    )
    assert.deepEqual(
      added.map((answer) => answer.json().version).toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, at) => at + 2),
    )
  })

  test('412 for a version that was begun before somebody else added one, and nothing is stored', async () => {
    const id = await createActivePlaybook(app, token, NODES)
    const versions = `${PATH}/${id}/versions`
    const add = (ifMatch: string): Promise<TestAnswer> =>
      app.send('POST', versions, {
        token,
        json: { nodes: NODES },
        headers: { 'if-match': ifMatch },
      })
    const both = await Promise.all([add('"1"'), add('"1"')])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 412],
    )
    const refused = both.find(({ status }) => status === 412)
    assert.equal(refused?.json().code, 'CASEWORK_PLAYBOOK_IS_STALE')
    assert.equal((await get(`${PATH}/${id}`)).json().latest_version, 2)
    assert.equal((await add('"2"')).json().version, 3)
    assert.equal((await add('*')).json().version, 4)
    assert.equal((await add('latest')).status, 400)
    const gone = `${PATH}/${UNKNOWN}/versions`
    const headers = { 'if-match': '"1"' }
    assert.equal((await app.send('POST', gone, { token, json: {}, headers })).status, 404)
  })

  test('400 for a version that could not run, and no number is used up', async () => {
    const id = await createActivePlaybook(app, token, NODES)
    const answer = await post(`${PATH}/${id}/versions`, { nodes: [] })
    assert.equal(answer.status, 400)
    assert.equal(answer.json().errors[0].path, '/nodes')
    assert.equal((await post(`${PATH}/${id}/versions`, { nodes: NODES })).json().version, 2)
  })
})

describe('activate', () => {
  test('200, the former version drains, and once more is 200 too', async () => {
    const id = await createActivePlaybook(app, token, NODES)
    await post(`${PATH}/${id}/versions`, { nodes: APPROVAL })
    for (const _ of ['first', 'again']) {
      const answer = await post(`${PATH}/${id}/versions/2/activate`)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.json(), { id, version: 2, state: 'active', warnings: [] })
    }
    const { active_version: active, versions } = (await get(`${PATH}/${id}`)).json()
    assert.equal(active, 2)
    assert.deepEqual(
      versions.map((one: { version: number; state: string }) => [one.version, one.state]),
      [
        [2, 'active'],
        [1, 'draining'],
      ],
    )
  })

  test('409 for a version that was active before', async () => {
    const id = await createActivePlaybook(app, token, NODES)
    await post(`${PATH}/${id}/versions`, { nodes: NODES })
    await post(`${PATH}/${id}/versions/2/activate`)
    const answer = await post(`${PATH}/${id}/versions/1/activate`)
    assert.equal(answer.status, 409)
    assert.equal(answer.json().code, 'CASEWORK_PLAYBOOK_VERSION_NOT_DRAFT')
  })

  test('of two drafts activated at once exactly one is active in the end', async () => {
    const id = await createActivePlaybook(app, token, NODES)
    for (const nodes of [NODES, NODES]) await post(`${PATH}/${id}/versions`, { nodes })
    const answers = await Promise.all(
      [2, 3].map((version) => post(`${PATH}/${id}/versions/${version}/activate`)),
    )
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200],
    )
    const { active_version: active, versions } = (await get(`${PATH}/${id}`)).json()
    const live = versions.filter((one: { state: string }) => one.state === 'active')
    assert.deepEqual(
      live.map((one: { version: number }) => one.version),
      [active],
    )
  })
})

describe('GET /playbooks', () => {
  test('200 page by page, newest first, without a gap or a twin', async () => {
    const ids: string[] = []
    let path = `${PATH}?limit=3`
    for (let page = 0; page < 100; page += 1) {
      const answer = await get(path)
      assert.equal(answer.status, 200, answer.text)
      ids.push(...answer.json().items.map((item: { id: string }) => item.id))
      if (answer.json().next_cursor === '') break
      path = `${PATH}?limit=3&cursor=${answer.json().next_cursor}`
    }
    const all = (await get(`${PATH}?limit=1000`)).json().items
    assert.deepEqual(
      ids,
      all.map((item: { id: string }) => item.id),
    )
    assert.deepEqual(ids, ids.toSorted().toReversed())
  })

  test('400 for an unknown parameter, a limit out of range and a cursor of another list', async () => {
    for (const query of ['name=x', 'limit=0', 'limit=1001', 'cursor=', 'cursor=abc']) {
      assert.equal((await get(`${PATH}?${query}`)).status, 400, query)
    }
    const cursor = (await get(`${PATH}?limit=1`)).json().next_cursor
    assert.notEqual(cursor, '')
    assert.equal((await get(`${PATH}?limit=1&order=asc&cursor=${cursor}`)).status, 400)
    assert.equal((await get(`${PATH}?cursor=${cursor}`, strangerToken)).status, 400)
  })
})

describe('who may', () => {
  const calls = [
    ['GET', PATH, 'playbooks:read'],
    ['POST', PATH, 'playbooks:write'],
    ['GET', `${PATH}/${UNKNOWN}`, 'playbooks:read'],
    ['POST', `${PATH}/${UNKNOWN}/versions`, 'playbooks:write'],
    ['GET', `${PATH}/${UNKNOWN}/versions/1`, 'playbooks:read'],
    ['POST', `${PATH}/${UNKNOWN}/versions/1/activate`, 'playbooks:activate'],
  ] as const

  test('401 without a token, 403 with every scope but the one that is needed', async () => {
    const scopes = ['playbooks:read', 'playbooks:write', 'playbooks:activate', 'playbooks:trigger']
    for (const [method, path, needed] of calls) {
      assert.equal((await app.send(method, path)).status, 401, path)
      const without = await app.createToken({
        scopes: (scopes as 'playbooks:read'[]).filter((scope) => scope !== needed),
      })
      const answer = await app.send(method, path, {
        token: without,
        ...(method === 'POST' ? { json: {} } : {}),
      })
      assert.equal(answer.status, 403, `${method} ${path}`)
    }
  })

  test("404 for another tenant's playbook is the same as for one that does not exist", async () => {
    const theirs = await createActivePlaybook(app, strangerToken, NODES)
    for (const [method, path] of calls.slice(2)) {
      const json = path.endsWith('/versions') ? { json: { nodes: [] } } : {}
      const unknown = await app.send(method, path, { token, ...json })
      const foreign = await app.send(method, path.replace(UNKNOWN, theirs), { token, ...json })
      assert.equal(unknown.status, 404, path)
      assert.equal(foreign.status, 404, path)
      assert.deepEqual(bodyOf(foreign), bodyOf(unknown))
      assert.equal(unknown.json().code, 'CASEWORK_PLAYBOOK_NOT_FOUND')
    }
    assert.equal((await get(`${PATH}/${theirs}/versions/1`, strangerToken)).status, 200)
  })

  test('404 for ids and versions that cannot be', async () => {
    const id = await createActivePlaybook(app, token, NODES)
    for (const path of ['nothing', `${id}/versions/2`, `${id}/versions/0`, `${id}/versions/1e0`]) {
      assert.equal((await get(`${PATH}/${path}`)).status, 404, path)
    }
    const unknown = await post(`${PATH}/${id}/versions/2/activate`)
    assert.equal(unknown.status, 404)
    assert.equal(unknown.json().code, 'CASEWORK_PLAYBOOK_VERSION_NOT_FOUND')
    assert.equal((await post(`${PATH}/${id}/versions/one/activate`)).status, 404)
  })
})
