// The life of a playbook beside its versions: checking a graph, the kinds for editors, a new name,
// retirement and deletion.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { createActivePlaybook } from '../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { NODE_KINDS } from './nodes/node-kinds.ts'
import { renamePlaybook } from './playbook-store.ts'

const PATH = '/beta/casework/playbooks'
const NODES = [
  { id: 'begin', kind: 'start', paths: { next: 'stop' } },
  { id: 'stop', kind: 'end' },
]
const PROBLEM = { accept: 'application/problem+json' }

const app = withApp()

async function send(method: string, path: string, json?: unknown) {
  return await app.send(method, `${PATH}${path}`, {
    token: app.token,
    headers: { ...PROBLEM },
    ...(json === undefined ? {} : { json }),
  })
}

async function createDraft(name: string): Promise<string> {
  const made = await send('POST', '', { name, nodes: NODES })
  assert.equal(made.status, 201, made.text)
  return made.json().id
}

describe('POST /playbooks/validate', () => {
  test('200 for a valid graph, which is not stored', async () => {
    const before = (await send('GET', '')).json().items.length
    const answer = await send('POST', '/validate', { nodes: NODES })
    assert.deepEqual(
      [answer.status, answer.json()],
      [200, { valid: true, problems: [], warnings: [] }],
    )
    assert.equal((await send('GET', '')).json().items.length, before)
  })

  test('200 with every problem of one that is not, by node and field', async () => {
    const answer = await send('POST', '/validate', {
      nodes: [...NODES, { id: 'say', kind: 'comment', config: { text: '' } }],
    })
    assert.equal(answer.status, 200)
    const { valid, problems } = answer.json()
    assert.equal(valid, false)
    const [problem] = problems
    assert.deepEqual([problem.node, problem.field], ['say', 'config/text'])
  })
})

describe('GET /playbooks/node-kinds', () => {
  test('200 with each kind, whose example is valid in a graph', async () => {
    const answer = await send('GET', '/node-kinds')
    assert.equal(answer.status, 200)
    const { items } = answer.json()
    assert.deepEqual(
      items.map(({ kind }: { kind: string }) => kind),
      NODE_KINDS.map(({ kind }) => kind),
    )
    for (const { kind, config, example, paths } of items) {
      assert.equal(config.type, 'object', kind)
      if (kind === 'start' || kind === 'divider') continue
      // The body of a loop comes back, and a join stands behind a fork.
      const ways = Object.fromEntries(
        paths.map((path: string) => [path, path === 'each' ? 'one' : 'stop']),
      )
      const fork = { id: 'fork', kind: 'fork', config: { paths: ['a', 'b'] } }
      const nodes = [
        { id: 'begin', kind: 'start', paths: { next: kind === 'join' ? 'fork' : 'one' } },
        ...(kind === 'join' ? [{ ...fork, paths: { a: 'one', b: 'one' } }] : []),
        { id: 'one', kind, config: example, paths: ways },
        ...(paths.length === 0 ? [] : [{ id: 'stop', kind: 'end' }]),
      ]
      const checked = await send('POST', '/validate', { nodes })
      assert.deepEqual(checked.json(), { valid: true, problems: [], warnings: [] }, kind)
    }
  })
})

describe('PATCH /playbooks/{playbookId}', () => {
  test('200 with the new name, which the next steps of its runs have', async () => {
    const id = await createActivePlaybook(app, app.token, [
      { id: 'begin', kind: 'start', paths: { next: 'stop' } },
      { id: 'stop', kind: 'end' },
    ])
    const answer = await send('PATCH', `/${id}`, { name: '  Suspend at once ' })
    assert.deepEqual([answer.status, answer.json().name], [200, 'Suspend at once'])
    assert.equal((await send('GET', `/${id}`)).json().name, 'Suspend at once')
    assert.equal((await send('PATCH', `/${id}`, { name: 'Suspend at once' })).status, 200)
  })

  test('409 for the name of another playbook (CASEWORK_PLAYBOOK_NAME_TAKEN), 400 for a blank one', async () => {
    await createDraft('Taken')
    const id = await createDraft('Mine')
    const taken = await send('PATCH', `/${id}`, { name: 'Taken' })
    assert.deepEqual([taken.status, taken.json().code], [409, 'CASEWORK_PLAYBOOK_NAME_TAKEN'])
    assert.equal((await send('PATCH', `/${id}`, { name: '   ' })).status, 400)
    assert.equal((await send('GET', `/${id}`)).json().name, 'Mine')
  })
})

describe('two playbooks at once', () => {
  test('409 for the name that the other one gets', async () => {
    const [first, second] = [await createDraft('One of two'), await createDraft('Two of two')]
    const { kysely } = app.services.foundation.database
    const { renaming } = await inTransaction(kysely, async (tx) => {
      await renamePlaybook(tx, { tenantId: 'default' }, first, 'Both')
      const answer = send('PATCH', `/${second}`, { name: 'Both' })
      await waitUntil(
        async () => (await countLockWaits(app.connection, 'update playbook')) > 0,
        'the second waits for the first',
      )
      return { renaming: answer }
    })
    const refused = await renaming
    assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_PLAYBOOK_NAME_TAKEN'])
  })
})

describe('POST /playbooks/{playbookId}/retire', () => {
  test('200: no run starts any more, and a new version brings it back', async () => {
    const id = await createActivePlaybook(app, app.token, [
      { id: 'begin', kind: 'start', paths: { next: 'stop' } },
      { id: 'stop', kind: 'end' },
    ])
    await app.send('PATCH', '/beta/casework/case-groups/default', {
      token: app.token,
      json: { playbook_id: id },
    })
    const retired = await send('POST', `/${id}/retire`)
    assert.equal(retired.status, 200)
    assert.equal('active_version' in retired.json(), false)
    assert.equal((await send('POST', `/${id}/retire`)).status, 200, 'a second time changes nothing')
    const countRuns = async (customer: string): Promise<number> => {
      const event = await app.send('POST', '/beta/casework/events', {
        token: app.token,
        json: {
          event_date: '2026-11-20T10:00:00Z',
          event_type: 'Spam',
          ip: '192.0.2.7',
          customer_id: customer,
          report_id: customer,
        },
      })
      const runs = await app.send('GET', `/beta/casework/cases/${event.json().case_id}/runs`, {
        token: app.token,
      })
      return runs.json().items.length
    }
    assert.equal(await countRuns('a'), 0)
    const { version } = (await send('POST', `/${id}/versions`, { nodes: NODES })).json()
    assert.equal((await send('POST', `/${id}/versions/${version}/activate`)).status, 200)
    assert.equal(await countRuns('b'), 1)
  })
})

describe('DELETE /playbooks/{playbookId}', () => {
  test('204 for one that was never used, and its name is free again', async () => {
    const id = await createDraft('Passing')
    assert.equal((await send('DELETE', `/${id}`)).status, 204)
    assert.equal((await send('GET', `/${id}`)).status, 404)
    assert.equal((await send('DELETE', `/${id}`)).status, 404)
    await createDraft('Passing')
  })

  test('409 for one that was active, or that a case group names (CASEWORK_PLAYBOOK_IN_USE)', async () => {
    const used = await createActivePlaybook(app, app.token, [
      { id: 'begin', kind: 'start', paths: { next: 'stop' } },
      { id: 'stop', kind: 'end' },
    ])
    const refused = await send('DELETE', `/${used}`)
    assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_PLAYBOOK_IN_USE'])
    assert.match(refused.json().detail, /a version of it was active/)
    const attached = await createDraft('Attached')
    await app.send('PATCH', '/beta/casework/case-groups/default', {
      token: app.token,
      json: { playbook_id: attached },
    })
    assert.match((await send('DELETE', `/${attached}`)).json().detail, /a case group names it/)
  })

  test('409 for one that a node of another playbook names, until that is gone', async () => {
    const inner = await createDraft('Inner one')
    const outer = await send('POST', '', {
      name: 'Outer one',
      nodes: [
        { id: 'begin', kind: 'start', paths: { next: 'run' } },
        { id: 'run', kind: 'sub_playbook', config: { playbook: inner.toUpperCase() } },
      ],
    })
    const refused = await send('DELETE', `/${inner}`)
    assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_PLAYBOOK_IN_USE'])
    assert.match(refused.json().detail, /another playbook names it/)
    assert.equal((await send('DELETE', `/${outer.json().id}`)).status, 204)
    assert.equal((await send('DELETE', `/${inner}`)).status, 204)
  })
})

/** Runs another playbook, and nothing else. */
const callOf = (playbook: string) => [
  { id: 'begin', kind: 'start', paths: { next: 'call' } },
  { id: 'call', kind: 'sub_playbook', config: { playbook } },
]

describe('POST /playbooks/{playbookId}/versions/{version}/activate', () => {
  test('400 for a playbook that runs itself, also through others, with node and way', async () => {
    const [first, second, third] = [
      await createDraft('First of a ring'),
      await createDraft('Second of a ring'),
      await createDraft('Third of a ring'),
    ]
    for (const [id, next] of [
      [first, second],
      [second, third],
      [third, first],
      [third, third],
    ] as const) {
      assert.equal((await send('POST', `/${id}/versions`, { nodes: callOf(next) })).status, 201)
    }
    assert.equal((await send('POST', `/${first}/versions/2/activate`)).status, 200)
    assert.equal((await send('POST', `/${second}/versions/2/activate`)).status, 200)
    const ring = await send('POST', `/${third}/versions/2/activate`)
    assert.deepEqual([ring.status, ring.json().code], [400, 'CASEWORK_PLAYBOOK_NOT_VALID'])
    const [problem] = ring.json().errors
    assert.deepEqual(
      [problem.path, problem.node, problem.field],
      ['/nodes/1/config/playbook', 'call', 'config/playbook'],
    )
    assert.match(
      problem.reason,
      /First of a ring \(node call\) → Second of a ring \(node call\) → Third of a ring/,
    )
    const itself = await send('POST', `/${third}/versions/3/activate`)
    assert.equal(itself.status, 400)
    assert.match(itself.json().errors[0].reason, /runs this playbook itself/)
    // Without the way back it is fine, and the ring cannot be closed at another place.
    assert.equal((await send('POST', `/${third}/versions/1/activate`)).status, 200)
    assert.equal((await send('POST', `/${second}/retire`)).status, 200)
    await send('POST', `/${third}/versions`, { nodes: callOf(first) })
    assert.equal((await send('POST', `/${third}/versions/4/activate`)).status, 200)
    await send('POST', `/${second}/versions`, { nodes: callOf(third) })
    assert.equal((await send('POST', `/${second}/versions/3/activate`)).status, 400)
  })

  test('400 for a node that names a playbook that is not there, and of another tenant', async () => {
    const id = await createDraft('Calls nobody')
    const gone = '01900000-0000-7000-8000-00000000dead'
    await send('POST', `/${id}/versions`, { nodes: callOf(gone) })
    const refused = await send('POST', `/${id}/versions/2/activate`)
    assert.equal(refused.status, 400, refused.text)
    assert.equal(refused.json().errors[0].node, 'call')
    assert.match(refused.json().errors[0].reason, /is not there/)
  })
})

describe('DELETE /playbooks/{playbookId}/versions/{version}', () => {
  test('204 for a draft, whose number is not given again, and an import compares with what is left', async () => {
    const id = await createDraft('Drafts')
    const document = (await send('GET', `/${id}/versions/1/export`)).json()
    await send('POST', `/${id}/versions`, { nodes: NODES, description: 'Passing' })
    assert.equal((await send('DELETE', `/${id}/versions/2`)).status, 204)
    assert.equal((await send('GET', `/${id}/versions/2`)).status, 404)
    assert.equal((await send('DELETE', `/${id}/versions/2`)).status, 404)
    const same = await send('POST', '/import', document)
    assert.deepEqual([same.json().outcome, same.json().version], ['unchanged', 1])
    assert.equal((await send('DELETE', `/${id}/versions/1`)).status, 204)
    const again = await send('POST', '/import', document)
    assert.deepEqual([again.json().outcome, again.json().version], ['version_created', 3])
  })

  test('409 for a version that was active once (CASEWORK_PLAYBOOK_VERSION_IN_USE)', async () => {
    const id = await createActivePlaybook(app, app.token, [
      { id: 'begin', kind: 'start', paths: { next: 'stop' } },
      { id: 'stop', kind: 'end' },
    ])
    for (const _ of ['active', 'draining']) {
      const refused = await send('DELETE', `/${id}/versions/1`)
      assert.deepEqual(
        [refused.status, refused.json().code],
        [409, 'CASEWORK_PLAYBOOK_VERSION_IN_USE'],
      )
      await send('POST', `/${id}/retire`)
    }
    assert.equal((await send('GET', `/${id}/versions/1`)).json().state, 'draining')
  })
})
