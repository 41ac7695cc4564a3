import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { openSecondNode } from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { readShippedTags } from './shipped-tags.ts'

describe('the tag catalogue', () => {
  const app = withApp()

  const get = (path: string, headers: Record<string, string> = {}) =>
    app.send('GET', path, { headers })
  const read = async (name: string): Promise<string> =>
    (await get(`/beta/tags/${name}`)).json().result.description

  it('200 with every shipped tag, by name, each with its four members', async () => {
    const answer = await get('/beta/tags')
    assert.equal(answer.status, 200)
    const { status, statusCode, result } = answer.json()
    assert.deepEqual([status, statusCode], ['success', 200])
    const names = readShippedTags()
      .map((tag) => tag.name)
      .toSorted()
    assert.ok(names.includes('credentials:brute-force'))
    assert.deepEqual(
      result.map((tag: { name: string }) => tag.name),
      names,
    )
    for (const tag of result) {
      assert.deepEqual(Object.keys(tag), ['name', 'intent', 'category', 'description'])
    }
  })

  it('gives the first sentence of each description unless includeDescriptions asks for all', async () => {
    const shipped = readShippedTags().find((tag) => tag.name === 'credentials:ssh-brute-force')
    const description = async (path: string): Promise<string> =>
      (await get(path)).json().result.find((tag: { name: string }) => tag.name === shipped?.name)
        .description
    const short = 'Guesses passwords or keys on SSH, usually on port 22.'
    assert.equal(await description('/beta/tags'), short)
    assert.equal(await description('/beta/tags?includeDescriptions=false'), short)
    assert.equal(await description('/beta/tags?includeDescriptions=true'), shipped?.description)
  })

  it('200 with a query parameter that is not known, 400 with a value of includeDescriptions that is no boolean', async () => {
    assert.equal((await get('/beta/tags?limit=1')).status, 200)
    const wrong = await get('/beta/tags?includeDescriptions=maybe')
    assert.deepEqual([wrong.status, wrong.json().statusCode], [400, 400])
  })

  it('200 with one tag in full, also by a percent-encoded name', async () => {
    for (const name of ['credentials:brute-force', 'credentials%3Abrute-force']) {
      const answer = await get(`/beta/tags/${name}`)
      assert.equal(answer.status, 200)
      const shipped = readShippedTags().find((tag) => tag.name === 'credentials:brute-force')
      assert.deepEqual(answer.json(), { status: 'success', statusCode: 200, result: shipped })
    }
  })

  it('400 for a tag that is not there', async () => {
    // INTEL_TAG_UNKNOWN
    const answer = await get('/beta/tags/no:such-tag')
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.json(), {
      status: 'failure',
      statusCode: 400,
      errors: { $: 'There is no tag of this name; GET /beta/tags lists all tags.' },
    })
  })

  it('304 without a body for a client that holds the answer', async () => {
    for (const path of ['/beta/tags', '/beta/tags/scan:port']) {
      const etag = String((await get(path)).headers['etag'])
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await get(path, { 'if-none-match': held })
        assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [304, '', etag])
        assert.equal(answer.headers['content-length'], undefined)
      }
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
    }
    const short = (await get('/beta/tags')).headers['etag']
    const full = (await get('/beta/tags?includeDescriptions=true')).headers['etag']
    assert.notEqual(short, full)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    for (const path of ['/beta/tags', '/beta/tags/scan:port', '/beta/query/8.8.8.8']) {
      const head = await app.send('HEAD', path)
      assert.deepEqual([head.status, head.text], [200, ''])
      const given = await get(path)
      assert.equal(head.headers['content-length'], given.headers['content-length'])
      assert.equal(head.headers['etag'], given.headers['etag'])
    }
  })

  it('401 for a wrong token, 403 without intel:read, 405 and 404, all in the envelope', async () => {
    const other = await app.createToken({ scopes: ['events:read'] })
    for (const path of ['/beta/tags', '/beta/tags/scan:port', '/beta/query/8.8.8.8']) {
      const unknown = await get(path, { 'x-api-key': 'wrong' })
      const refused = await get(path, { 'x-api-key': other })
      const method = await app.send('PATCH', path)
      const missing = await get(`${path}/more/here`)
      const failures = [unknown, refused, method, missing]
      assert.deepEqual(
        failures.map((answer) => answer.status),
        [401, 403, 405, 404],
      )
      for (const answer of failures) {
        assert.equal(answer.json().status, 'failure')
        assert.equal(answer.json().statusCode, answer.status)
        assert.equal(typeof answer.json().errors.$, 'string')
      }
    }
  })

  it('keeps what an operator edited when a node starts, restores what nobody did, and says so everywhere', async () => {
    const { pool } = app.services.foundation.database
    await pool.query(
      `update tag set description = 'Ours.', is_edited = true where name = 'scan:port'`,
    )
    await pool.query(`update tag set description = 'Old.' where name = 'web:scraper'`)
    await pool.query('update intel_serial set tag_serial = tag_serial + 1')
    await waitUntil(async () => (await read('scan:port')) === 'Ours.')
    const second = await openSecondNode(app)
    try {
      await waitUntil(async () => (await read('web:scraper')) !== 'Old.')
      assert.equal(await read('scan:port'), 'Ours.')
      const serial = 'select tag_serial from intel_serial'
      const earlier = (await pool.query(serial)).rows
      const third = await openSecondNode(app)
      await third.close()
      assert.deepEqual((await pool.query(serial)).rows, earlier)
    } finally {
      await second.close()
    }
  })
})
