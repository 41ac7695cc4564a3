import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { openSecondNode, taggingRow } from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { TAGS_MAX } from '../facts/tag-catalogue.ts'
import { readShippedTags } from './shipped-tags.ts'
import { seedTags } from './tag-store.ts'

const TAG = {
  intent: 'malicious',
  category: 'activity',
  description: 'Seen by our own desk. It counts for a week.',
}

describe('PUT and DELETE /beta/tags/{name}', () => {
  let token: string
  const app = withApp({}, async (opened) => {
    token = await opened.createToken({ scopes: ['sources:manage', 'intel:read', 'intel:write'] })
  })

  const send = (method: string, name: string, json?: unknown) =>
    app.send(method, `/beta/tags/${name}`, { token, ...(json === undefined ? {} : { json }) })
  const push = async (item: string, tag: string, more: Record<string, unknown> = {}) => {
    const json = [taggingRow(item, tag, more)]
    return (await app.send('POST', '/beta/taggings', { token, json })).json().result.accepted
  }
  const intent = async (item: string): Promise<string> =>
    (await app.send('POST', '/beta/quick-check', { json: [item] })).json().result[0].intent

  it('201 for a new tag, which pushes and look-ups know at once, here and on another node', async () => {
    const node = await openSecondNode(app)
    try {
      assert.equal(await push('192.0.2.1', 'desk:seen'), 0)
      const made = await send('PUT', 'desk:seen', TAG)
      assert.equal(made.status, 201, made.text)
      const expected = { name: 'desk:seen', ...TAG, references: [], timeline: [] }
      assert.deepEqual(made.json().result, expected)
      assert.deepEqual((await send('GET', 'desk:seen')).json().result, expected)
      assert.equal(await push('192.0.2.1', 'desk:seen'), 1)
      assert.equal(await intent('192.0.2.1'), 'malicious')
      await waitUntil(async () => (await node.send('GET', '/beta/tags/desk%3Aseen')).status === 200)
      const elsewhere = async () =>
        (await node.send('POST', '/beta/quick-check', ['192.0.2.1'])).json().result[0].intent
      await waitUntil(async () => (await elsewhere()) === 'malicious')

      const changed = await send('PUT', 'desk:seen', { ...TAG, intent: 'suspicious' })
      assert.equal(changed.status, 200)
      assert.equal(await intent('192.0.2.1'), 'suspicious')
      await waitUntil(async () => (await elsewhere()) === 'suspicious')
    } finally {
      await node.close()
    }
  })

  it('keeps the operator’s wording of a shipped tag when the program brings its own again', async () => {
    const [shipped] = readShippedTags()
    assert.ok(shipped)
    const answer = await send('PUT', shipped.name, { ...TAG, intent: shipped.intent })
    assert.equal(answer.status, 200)
    await seedTags(app.services.foundation.database.kysely, readShippedTags())
    await app.services.intel.index.refreshNow()
    assert.equal((await send('GET', shipped.name)).json().result.description, TAG.description)
  })

  it('204 deletes a tag that nothing carries; 409 while something does (INTEL_TAG_IN_USE)', async () => {
    await send('PUT', 'desk:used', TAG)
    assert.equal(await push('192.0.2.2', 'desk:used'), 1)
    const refused = await send('DELETE', 'desk:used')
    assert.deepEqual([refused.status, refused.json().status], [409, 'failure'])
    await push('192.0.2.2', 'desk:used', { expires: '2026-01-01T00:00:00Z' })
    const fetch = {
      url: 'https://lists.example.org/x',
      format: 'plain',
      name: 'desk:used',
      intervalSeconds: 3_600,
      enabled: false,
    }
    const source = '/beta/sources/tag-list/fetched'
    assert.equal((await app.send('PUT', source, { token, json: { fetch } })).status, 201)
    assert.equal((await send('DELETE', 'desk:used')).status, 409)
    assert.equal((await app.send('DELETE', source, { token })).status, 204)
    assert.equal((await send('DELETE', 'desk:used')).status, 204)
    assert.equal((await send('GET', 'desk:used')).status, 400)
    assert.equal((await send('DELETE', 'desk:used')).status, 400)
  })

  it('409 for deleting a shipped tag, also one that was changed (INTEL_TAG_SHIPPED)', async () => {
    for (const { name } of readShippedTags().slice(0, 2)) {
      assert.equal((await send('DELETE', name)).status, 409)
      assert.equal((await send('GET', name)).status, 200)
    }
  })

  it('400 for a tag that cannot be taken, 401 and 403 without the scope to manage sources', async () => {
    for (const [name, json] of [
      ['Desk', TAG],
      ['a:b:c:d', TAG],
      ['desk:%20x', TAG],
      ['desk:x', { ...TAG, intent: 'evil' }],
      ['desk:x', { ...TAG, category: '' }],
      ['desk:x', { ...TAG, description: '' }],
      ['desk:x', { ...TAG, colour: 'red' }],
      ['desk:x', { ...TAG, references: [{ url: 'javascript:1', description: '' }] }],
      ['desk:x', { ...TAG, timeline: [{ date: 'now', action: 'x', description: '' }] }],
    ] as const) {
      assert.equal((await send('PUT', name, json)).status, 400, JSON.stringify([name, json]))
    }
    const weak = await app.createToken({ scopes: ['intel:read', 'intel:write'] })
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { json: TAG } : {}
      assert.equal((await app.send(method, '/beta/tags/desk:x', body)).status, 401)
      assert.equal(
        (await app.send(method, '/beta/tags/desk:x', { token: weak, ...body })).status,
        403,
      )
    }
  })

  it('409 for one tag more than there may be (INTEL_TOO_MANY_TAGS), changes go on', async () => {
    const { pool } = app.services.foundation.database
    await pool.query(
      `insert into tag (name, intent, category, description, reference_links, timeline)
       select 'filler:' || n, 'none', 'none', 'x', '[]', '[]'
       from generate_series(1, $1 - (select count(*) from tag)) as made (n)`,
      [TAGS_MAX],
    )
    assert.equal((await send('PUT', 'desk:more', TAG)).status, 409)
    assert.equal((await send('PUT', 'desk:seen', TAG)).status, 200)
  })
})
