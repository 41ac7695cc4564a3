// The table of sighting rules: what operators change is what look-ups apply, on every node.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { openSecondNode } from '../../../test/intel-fixtures.ts'
import { query } from '../../../test/query.ts'
import { DEFAULT_SIGHTING_RULES } from '../facts/sighting-rules.ts'

const app = withApp()
const PATH = '/beta/sighting-rules'
// The envelope of the group shows the sentence of a code.
const SENTENCES: readonly (readonly [string, RegExp])[] = [
  ['INTEL_RULE_UNKNOWN', /^There is no sighting rule of this name/],
  ['INTEL_RULE_NOT_VALID', /^The sighting rule is not valid: /],
  ['INTEL_RULE_IS_STALE', /^The sighting rule was changed after the version/],
  ['INTEL_TOO_MANY_RULES', /^There are 500 sighting rules already/],
]
const OWN = {
  kind: 'honeypot',
  types: ['door-knock'],
  countMin: 5,
  sourcesMin: 1,
  tags: ['scan:port'],
}

async function ask(method: string, path: string, json?: unknown, headers = {}) {
  const request = {
    token: app.token,
    headers,
    ...(json === undefined ? {} : { json }),
  }
  return await app.send(method, `${PATH}${path}`, request)
}

async function see(item: string, type: string, count = 1): Promise<void> {
  const lastSeen = new Date().toISOString()
  const row = { item, kind: 'honeypot', type, lastSeen, count, source: 'pot' }
  const pushed = await app.send('POST', '/beta/sightings', { token: app.token, json: [row] })
  assert.equal(pushed.json().result.accepted, 1, pushed.text)
}

async function listTags(item: string): Promise<readonly string[]> {
  return (await app.send('GET', `/beta/query/${item}`)).json().result.tags
}

describe('the table of a new installation', () => {
  test('is the shipped one, each rule with a name of its own', async () => {
    const { rules } = (await ask('GET', '')).json().result
    assert.equal(rules.length, DEFAULT_SIGHTING_RULES.length)
    assert.equal(new Set(rules.map(({ name }: { name: string }) => name)).size, rules.length)
    for (const shipped of DEFAULT_SIGHTING_RULES) {
      const found = rules.find(({ name }: { name: string }) => name === shipped.name)
      assert.deepEqual(found, { ...shipped, enabled: true, origin: 'shipped', version: 1 })
    }
  })

  test('is read with intel:read and changed with sources:manage only', async () => {
    const reader = await app.createToken({ scopes: ['intel:read', 'intel:write'] })
    assert.equal((await app.send('GET', PATH, { token: reader })).status, 200)
    const path = `${PATH}/report-phishing`
    const json = { enabled: false }
    assert.equal((await app.send('PATCH', path, { token: reader, json })).status, 403)
    assert.equal((await app.send('PUT', path, { token: reader, json: OWN })).status, 403)
    assert.equal((await app.send('DELETE', path, { token: reader })).status, 403)
    assert.equal((await app.send('GET', `${path}/history`, { token: reader })).status, 403)
    assert.equal((await app.send('GET', PATH)).status, 401)
  })
})

describe('a rule', () => {
  test('of one’s own sets its tag at once, here and on another node, and goes without a trace', async () => {
    const node = await openSecondNode(app)
    try {
      await see('192.0.2.1', 'door-knock', 5)
      assert.deepEqual(await listTags('192.0.2.1'), [])
      const put = await ask('PUT', '/own-knock', OWN)
      assert.equal(put.status, 201, put.text)
      assert.equal(put.json().result.origin, 'own')
      assert.equal(put.headers['etag'], '"1"')
      assert.deepEqual(await listTags('192.0.2.1'), ['scan:port'])
      await node.services.intel.index.refreshNow()
      const there = await node.send('GET', '/beta/query/192.0.2.1')
      assert.deepEqual(there.json().result.tags, ['scan:port'])
      assert.equal((await ask('DELETE', '/own-knock')).status, 204)
      assert.deepEqual(await listTags('192.0.2.1'), [])
    } finally {
      await node.close()
    }
  })

  test('takes another threshold, is switched off, and is reset to the shipped one', async () => {
    await see('192.0.2.2', 'port-scan', 2)
    assert.deepEqual(await listTags('192.0.2.2'), ['scan:port'])
    const raised = await ask('PATCH', '/honeypot-port-scan', { countMin: 3 })
    assert.equal(raised.json().result.origin, 'edited')
    assert.deepEqual(await listTags('192.0.2.2'), [])
    await ask('PATCH', '/honeypot-port-scan', { countMin: 2, withinSeconds: 3_600 })
    assert.deepEqual(await listTags('192.0.2.2'), ['scan:port'])
    await ask('PATCH', '/honeypot-port-scan', { enabled: false })
    assert.deepEqual(await listTags('192.0.2.2'), [])
    const check = await app.send('POST', '/beta/quick-check', { json: ['192.0.2.2'] })
    assert.equal(check.json().result[0].intent, 'unknown')
    assert.equal((await ask('DELETE', '/honeypot-port-scan')).status, 204)
    const { name, enabled, origin, countMin, withinSeconds } = (
      await ask('GET', '/honeypot-port-scan')
    ).json().result
    assert.deepEqual(
      [name, enabled, origin, countMin, withinSeconds],
      ['honeypot-port-scan', true, 'shipped', 1, undefined],
    )
    assert.deepEqual(await listTags('192.0.2.2'), ['scan:port'])
  })

  test('that was edited is kept by the next start, the others are renewed', async () => {
    await ask('PATCH', '/honeypot-nmap-scan', { countMin: 9 })
    await query(
      app.connection,
      `update sighting_rule set count_min = 77 where name = 'honeypot-masscan-scan'`,
    )
    const node = await openSecondNode(app)
    try {
      const found = await Promise.all(
        ['nmap', 'masscan'].map(async (name) => await ask('GET', `/honeypot-${name}-scan`)),
      )
      assert.deepEqual(
        found.map((one) => one.json().result.countMin),
        [9, 1],
      )
    } finally {
      await node.close()
      await ask('DELETE', '/honeypot-nmap-scan')
    }
  })

  test('tells its history: who, when, before and after; also of a deleted one', async () => {
    await ask('PUT', '/own-history', OWN)
    await ask('PATCH', '/own-history', { countMin: 7 })
    await ask('DELETE', '/own-history')
    const { changes } = (await ask('GET', '/own-history/history')).json().result
    assert.deepEqual(
      changes.map((one: { kind: string; before: unknown; after: unknown }) => [
        one.kind,
        (one.before as { countMin?: number } | null)?.countMin,
        (one.after as { countMin?: number } | null)?.countMin,
      ]),
      [
        ['deleted', 7, undefined],
        ['changed', 5, 7],
        ['created', undefined, 5],
      ],
    )
    assert.match(changes[0].actor, /^tok_/)
    const unknown = await ask('GET', '/never-was/history')
    assert.deepEqual([unknown.status, codeOf(unknown)], [404, 'INTEL_RULE_UNKNOWN'])
  })

  test('is changed from the version that was read', async () => {
    await ask('PUT', '/own-version', OWN)
    const stale = await ask('PATCH', '/own-version', { countMin: 6 }, { 'if-match': '"7"' })
    assert.deepEqual([stale.status, codeOf(stale)], [412, 'INTEL_RULE_IS_STALE'])
    const fresh = await ask('PATCH', '/own-version', { countMin: 6 }, { 'if-match': '"1"' })
    assert.deepEqual([fresh.status, fresh.headers['etag']], [200, '"2"'])
    assert.equal(
      (await ask('DELETE', '/own-version', undefined, { 'if-match': '"1"' })).status,
      412,
    )
    assert.equal((await ask('DELETE', '/own-version')).status, 204)
  })
})

describe('what is refused, with one sentence', () => {
  const refused: readonly (readonly [string, string, object, RegExp])[] = [
    ['a tag that is not there', '/own-a', { ...OWN, tags: ['no:such'] }, /there is no tag no:such/],
    ['a kind without sightings', '/own-b', { ...OWN, kind: 'tag-list' }, /has no sightings/],
    ['a name that is none', '/Own_C', OWN, /its name must be/],
    [
      'more than suspicious for unverified reports',
      '/own-d',
      { ...OWN, kind: 'report', services: ['unverified'], tags: ['phishing:host'] },
      /count for no more than suspicious/,
    ],
    [
      'unverified reports beside others',
      '/own-e',
      { ...OWN, kind: 'report', services: ['unverified', 'ssh'], tags: ['reports:unverified'] },
      /must stand alone/,
    ],
  ]
  for (const [what, path, rule, sentence] of refused) {
    test(what, async () => {
      const done = await ask('PUT', path, rule)
      assert.equal(done.status, 400)
      assert.equal(codeOf(done), 'INTEL_RULE_NOT_VALID')
      assert.match(done.json().errors.$, sentence)
    })
  }

  test('a member that is none, thresholds below one, and a rule that is not there', async () => {
    assert.equal((await ask('PUT', '/own-f', { ...OWN, weight: 3 })).status, 400)
    assert.equal((await ask('PUT', '/own-f', { ...OWN, countMin: 0 })).status, 400)
    assert.equal((await ask('PATCH', '/absent', { enabled: false })).status, 404)
    assert.equal((await ask('DELETE', '/absent')).status, 404)
    assert.equal((await ask('GET', '/absent')).status, 404)
  })

  test('more rules than look-ups bear', async () => {
    await query(
      app.connection,
      `insert into sighting_rule (name, kind, types, count_min, sources_min, tags)
       select 'full-' || n, 'honeypot', '{x}', 1, 1, '{scan:port}' from generate_series(1, 500) as n`,
    )
    const done = await ask('PUT', '/one-more', OWN)
    assert.deepEqual([done.status, codeOf(done)], [409, 'INTEL_TOO_MANY_RULES'])
    await query(app.connection, `delete from sighting_rule where name like 'full-%'`)
  })
})

test('a tag that becomes malicious later is set by no rule of unverified reports', async () => {
  const tag = { intent: 'suspicious', category: 'activity', description: 'Ours.' }
  const send = (method: string, path: string, json: unknown) =>
    app.send(method, path, { token: app.token, json })
  await send('PUT', '/beta/tags/ours:odd', tag)
  const rule = { ...OWN, kind: 'report', types: ['Odd'], countMin: 1 }
  await ask('PUT', '/own-odd', { ...rule, services: ['unverified'], tags: ['ours:odd'] })
  const lastSeen = new Date().toISOString()
  const row = { item: '192.0.2.9', kind: 'report', type: 'Odd', lastSeen, source: 'gate' }
  await send('POST', '/beta/sightings', [{ ...row, service: 'unverified' }])
  assert.deepEqual(await listTags('192.0.2.9'), ['ours:odd'])
  await send('PUT', '/beta/tags/ours:odd', { ...tag, intent: 'malicious' })
  assert.deepEqual(await listTags('192.0.2.9'), [])
  const check = await app.send('POST', '/beta/quick-check', { json: ['192.0.2.9'] })
  assert.equal(check.json().result[0].intent, 'unknown')
})

test('a tag that a rule sets cannot be deleted before the rule', async () => {
  const tag = { intent: 'suspicious', category: 'activity', description: 'Ours.' }
  await app.send('PUT', '/beta/tags/ours:kept', { token: app.token, json: tag })
  await ask('PUT', '/own-kept', { ...OWN, tags: ['ours:kept'] })
  const remove = async () => await app.send('DELETE', '/beta/tags/ours:kept', { token: app.token })
  assert.equal((await remove()).status, 409)
  await ask('DELETE', '/own-kept')
  assert.equal((await remove()).status, 204)
})

test('nobody pushes sightings in the name of accepted reports', async () => {
  const lastSeen = new Date().toISOString()
  const row = { item: '192.0.2.8', kind: 'report', type: 'Spam', lastSeen, source: 'casework:x:1' }
  const pushed = await app.send('POST', '/beta/sightings', { token: app.token, json: [row] })
  assert.match(pushed.json().result.rejected[0].reason, /must not begin with casework:/)
})

function codeOf(answer: { readonly json: () => { readonly errors: { readonly $: string } } }) {
  return SENTENCES.find(([, sentence]) => sentence.test(answer.json().errors.$))?.[0]
}
