import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { holdClock } from '../../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'

const LIST = '/beta/sources/mail-blocklist/example-list/entries'
const NDJSON = { 'content-type': 'application/x-ndjson' }

describe('PUT /beta/sources/{kind}/{name}/entries', () => {
  let token: string
  const app = withApp({ clock: holdClock() }, async (opened) => {
    token = await opened.createToken({ scopes: ['sources:manage', 'intel:write'] })
  })

  const replace = (items: readonly string[], path = LIST) =>
    app.send('PUT', path, { token, json: items.map((item) => ({ item })) })
  const listed = async (...items: string[]): Promise<string[]> => {
    const answer = await app.send('POST', '/beta/quick-check', { json: items })
    return answer
      .json()
      .result.map((one: { serviceMailBlocklist: string }) => one.serviceMailBlocklist)
  }
  /** What is told of the source, or the status of a refusal. */
  const source = async (name: string): Promise<unknown> => {
    const answer = await app.send('GET', `/beta/sources/mail-blocklist/${name}`, {
      token: app.token,
    })
    return answer.status === 200 ? answer.json().result : answer.status
  }
  const serial = () => app.services.intel.index.state().serial

  it('200 and the list is the new one, in one serial', async () => {
    const first = await replace(['192.0.2.1', '192.0.2.2', '198.51.100.0/24', 'host.example'])
    assert.equal(first.status, 200)
    assert.deepEqual(first.json().result, { accepted: 4, removed: 0, rejected: [] })
    const earlier = serial()
    const second = await replace(['192.0.2.2', '192.0.2.3', 'host.example'])
    assert.deepEqual(second.json().result, { accepted: 3, removed: 2, rejected: [] })
    assert.equal(serial(), earlier + 1)
    const items = ['192.0.2.1', '198.51.100.7', '192.0.2.2', '192.0.2.3', 'www.host.example']
    assert.deepEqual(await listed(...items), ['INACTIVE', 'INACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE'])
  })

  it('changes nothing when it is repeated, not even the serial', async () => {
    const earlier = serial()
    const again = await replace(['192.0.2.2', '192.0.2.3', 'host.example'])
    assert.deepEqual(again.json().result, { accepted: 3, removed: 0, rejected: [] })
    assert.equal(serial(), earlier)
  })

  it('leaves what others say, and what the source says in another kind', async () => {
    const json = [{ item: '203.0.113.1', list: 'spam', source: 'other' }]
    await app.send('POST', '/beta/listings', { token, json })
    await replace(['203.0.113.1'], '/beta/sources/allow-list/example-list/entries')
    assert.deepEqual(await listed('203.0.113.1'), ['INACTIVE'])
    await replace([], '/beta/sources/allow-list/example-list/entries?allowShrink=true')
    assert.deepEqual(await listed('203.0.113.1', '192.0.2.2'), ['ACTIVE', 'ACTIVE'])
  })

  it('409 for a list that shrank by more than half, and nothing is changed', async () => {
    const earlier = serial()
    // INTEL_SOURCE_SHRANK
    const refused = await replace(['192.0.2.2'])
    assert.equal(refused.status, 409)
    assert.match(refused.json().errors.$, /has 1 entry and had 3; .*allowShrink=true/)
    assert.equal(serial(), earlier)
    assert.deepEqual(await listed('192.0.2.3'), ['ACTIVE'])
    const taken = await replace(['192.0.2.2'], `${LIST}?allowShrink=true`)
    assert.deepEqual(taken.json().result, { accepted: 1, removed: 2, rejected: [] })
    assert.deepEqual(await listed('192.0.2.2', '192.0.2.3'), ['ACTIVE', 'INACTIVE'])
  })

  it('200 with rejected entries told by their place, the others taken', async () => {
    const body = [
      '{"item":"192.0.2.2"}',
      '{"item":"192.0.2.300"}',
      '{"item":"192.0.2.4","source":"x"}',
      '{"item":"0.0.0.0/0"}',
    ]
    const answer = await app.send('PUT', LIST, { token, body: body.join('\n'), headers: NDJSON })
    assert.equal(answer.json().result.accepted, 1)
    assert.deepEqual(
      answer.json().result.rejected.map((one: { index: number }) => one.index),
      [1, 2, 3],
    )
    const tags = await app.send('PUT', '/beta/sources/tag-list/example-list/entries', {
      token,
      json: [
        { item: '192.0.2.9', tag: 'phishing:host' },
        { item: '192.0.2.9', tag: 'nope' },
      ],
    })
    assert.equal(tags.json().result.accepted, 1)
    assert.match(tags.json().result.rejected[0].reason, /GET \/beta\/tags/)
  })

  it('200 for a list of which nothing can be read, which changes nothing', async () => {
    const earlier = serial()
    const former = await source('example-list')
    for (const path of [LIST, `${LIST}?allowShrink=true`]) {
      const answer = await replace(['<html>', '192.0.2.300'], path)
      const { accepted, removed, rejected } = answer.json().result
      assert.deepEqual([answer.status, accepted, removed, rejected.length], [200, 0, 0, 2])
    }
    assert.equal(serial(), earlier)
    assert.deepEqual(await source('example-list'), former)
    await replace(['<html>'], '/beta/sources/mail-blocklist/broken/entries')
    assert.equal(await source('broken'), 404)
  })

  it('400 for a kind without lists, a name that is none and a body that is no UTF-8', async () => {
    for (const path of [
      '/beta/sources/honeypot/x/entries',
      '/beta/sources/mail-blocklist/%20/entries',
      `${LIST}?allowShrink=perhaps`,
    ]) {
      assert.equal((await replace(['192.0.2.2'], path)).status, 400, path)
    }
    const broken = await app.send('PUT', LIST, {
      token,
      body: Buffer.from([0x7b, 0xff, 0x0a]),
      headers: NDJSON,
    })
    assert.equal(broken.status, 400)
  })

  it('403 without the scope to manage sources', async () => {
    const weak = await app.createToken({ scopes: ['intel:write'] })
    const answer = await app.send('PUT', LIST, { token: weak, json: [] })
    assert.equal(answer.status, 403)
  })

  it('shows the old list or the new one at every moment, with thousands of entries under look-ups', async () => {
    const path = '/beta/sources/mail-blocklist/turns/entries'
    const lists = [0, 1].map((which) =>
      Array.from({ length: 3_000 }, (_, at) => `10.${which}.${at >> 8}.${at & 255}`),
    )
    await replace(lists[0] ?? [], path)
    const probes = [...(lists[0] ?? []), ...(lists[1] ?? [])].filter((_, at) => at % 150 === 0)
    let turns = 0
    for (let round = 1; round <= 4; round += 1) {
      let isDone = false
      const replacing = replace(lists[round % 2] ?? [], path).then((answer) => {
        isDone = true
        return answer
      })
      await waitUntil(async () => {
        const states = new Set<string>()
        const answers = await listed(...probes)
        for (const [at, state] of answers.entries()) {
          states.add(`${at < probes.length / 2 ? 0 : 1}:${state}`)
        }
        assert.equal(states.size, 2, [...states].join())
        assert.notEqual(answers[0], answers.at(-1))
        turns += 1
        return isDone
      })
      assert.deepEqual((await replacing).json().result.removed, 3_000)
    }
    assert.ok(turns >= 4)
  })
})
