// `casework source` against a running server and a list on loopback.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { type LoopbackServer, startLoopback } from '../../test/outbound-kit.ts'
import { readShippedTags } from '../intel/tags/shipped-tags.ts'
import { readPresets } from './source-command.ts'

describe('casework source', () => {
  const cleanups: (() => Promise<void>)[] = []
  let list = '192.0.2.1\n192.0.2.2\n192.0.2.3\n'
  let server: LoopbackServer
  let app: TestApp
  let url: string
  let token: string
  before(async () => {
    const keep = { after: (work: () => Promise<void>) => cleanups.push(work) }
    server = await startLoopback(keep, (_, response) => response.end(list))
    app = await openTestApp({ environment: { CASEWORK_OUTBOUND_ALLOW: server.socket } })
    url = await listen(app)
    token = await app.createToken()
  })
  after(async () => {
    await app.close()
    for (const cleanup of cleanups) await cleanup()
  })

  it('adds, fetches, lists and removes a list, and says what came of it', async (t) => {
    const run = (...args: string[]) => runCasework(t, ['source', ...args], { url, token })
    const own = 'mail-blocklist/own list'
    const added = await run('add', own, '--list-url', `${server.origin}/x`, '--licence', 'Ours.')
    assert.equal(added.code, 0, added.stderr)
    assert.match(added.stderr, /source fetch mail-blocklist\/own list/)
    const fetched = await run('fetch', own)
    assert.match(fetched.stderr, /3 entries, 0 removed, 0 lines/)
    list = '192.0.2.1\n'
    const shrank = await run('fetch', own)
    assert.equal(shrank.code, 1)
    assert.match(shrank.stderr, /has 1 entry and had 3; .*--allow-shrink/)
    assert.doesNotMatch(shrank.stderr, /allowShrink/)
    const [listed] = JSON.parse((await run('list', '-o', 'json')).stdout)
    assert.deepEqual(
      [listed.name, listed.state, listed.entries, listed.licence, listed.fetch.enabled],
      ['own list', 'failed', 3, 'Ours.', false],
    )
    const table = (await run('list')).stdout
    assert.match(table, /own list\s+failed\s+3.*--allow-shrink/)
    const taken = await run('fetch', own, '--allow-shrink')
    assert.deepEqual([taken.code, / 1 entry, 2 removed, 0 lines/.test(taken.stderr)], [0, true])
    const unsure = await run('remove', own)
    assert.deepEqual([unsure.code, unsure.stdout], [2, ''])
    assert.match(unsure.stderr, /--yes/)
    assert.equal((await run('remove', own, '--yes')).code, 0)
    assert.equal((await run('list')).stdout.includes('own list'), false)
    assert.equal((await run('remove', own, '--yes')).code, 4)
  })

  it('reads a list back and delists one entry of it, pasted as it came', async (t) => {
    const run = (...args: string[]) => runCasework(t, ['source', ...args], { url, token })
    const json = ['198.51.100.7', '198.51.100.8', '203.0.113.0/24'].map((item) => ({ item }))
    const path = '/beta/sources/mail-blocklist/read back/entries'
    const put = await app.send('PUT', encodeURI(path), { token, json })
    assert.equal(put.status, 200, put.text)
    const source = 'mail-blocklist/read back'
    assert.equal(
      (await run('entries', source)).stdout,
      '198.51.100.7\n198.51.100.8\n203.0.113.0/24\n',
    )
    const csv = (await run('entries', source, '-o', 'csv')).stdout.split('\r\n')
    assert.match(csv[0] ?? '', /^item,list,/)
    assert.deepEqual([csv[1]?.split(',')[0], csv.length], ['198.51.100.7', 5])
    assert.equal(JSON.parse((await run('entries', source, '-o', 'json')).stdout).length, 3)
    const link = 'hxxp://198.51.100[.]7/x'
    const shown = await run('delist', source, link, '--dry-run')
    assert.match(shown.stdout, /^DELETE \/beta\/sources\/.*\/entries\/198\.51\.100\.7\n$/)
    assert.equal((await run('delist', source, link)).code, 2)
    const delisted = await run('delist', source, link, '--yes')
    assert.deepEqual([delisted.code, delisted.stdout], [0, ''], delisted.stderr)
    assert.match(delisted.stderr, /1 entry of 198\.51\.100\.7 removed\. It comes back .*allowances/)
    assert.equal((await run('delist', source, '203.0.113.0/24', '--yes')).code, 0)
    const covered = await run('delist', source, '198.51.100.7', '--yes')
    assert.equal(covered.code, 4)
    assert.match(covered.stderr, /has no entry 198\.51\.100\.7/)
    assert.equal((await run('delist', source, '198.51.100.0/33', '--yes')).code, 2)
    const rest = await run('entries', source, '-o', 'jsonl')
    assert.equal(JSON.parse(rest.stdout).item, '198.51.100.8')
    assert.equal((await run('remove', source, '--yes')).code, 0)
  })

  it('adds a preset disabled, and refuses what is neither a preset nor a source', async (t) => {
    const run = (...args: string[]) => runCasework(t, ['source', ...args], { url, token })
    assert.equal((await run('add', 'tor-exits')).code, 0)
    const [preset] = JSON.parse((await run('list', '-o', 'json')).stdout)
    assert.deepEqual(
      [preset.kind, preset.name, preset.state, preset.fetch.enabled, preset.fetch.name],
      ['tag-list', 'tor-exits', 'never', false, 'anonymizer:tor-exit'],
    )
    assert.equal((await run('add', 'nothing')).code, 2)
    assert.equal((await run('add', 'mail-blocklist/x')).code, 2)
    assert.equal((await run('add', 'tor-exits', '--every', 'often')).code, 2)
  })

  it('has presets that a server takes, with terms and origin, none of them there by itself', async () => {
    const presets = readPresets()
    assert.ok(presets.length >= 5)
    const tags = new Set(readShippedTags().map((tag) => tag.name))
    for (const { preset, kind, name, fetch, ...terms } of presets) {
      assert.match(String(fetch['url']), /^https:/, preset)
      if (kind === 'tag-list') assert.ok(tags.has(String(fetch['name'])), preset)
      const json = { ...terms, fetch: { ...fetch, enabled: false } }
      const answer = await app.send('PUT', `/beta/sources/${kind}/${name}`, { token, json })
      assert.ok([200, 201].includes(answer.status), answer.text)
      const { origin, licence } = answer.json().result
      assert.ok(origin.length > 0 && licence.length > 0)
    }
    const { rows } = await app.services.foundation.database.pool.query(
      'select 1 from source_fetch where is_enabled',
    )
    assert.equal(rows.length, 0)
  })
})
