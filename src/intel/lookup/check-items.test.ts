import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestApp, type TestAnswer, withApp } from '../../../test/harness.ts'
import {
  holdClock,
  listingRow,
  NOON_MS,
  sightingRow,
  taggingRow,
} from '../../../test/intel-fixtures.ts'

const UNKNOWN = { serviceMailBlocklist: 'INACTIVE', intent: 'unknown', activity: false }

function explain(answer: TestAnswer): string {
  return answer.json().errors.$
}

function unknown(item: string, type: string, bogon: boolean): object {
  return { item, type, bogon, ...UNKNOWN }
}

describe('POST /beta/quick-check', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken()
  })

  const check = (json: unknown, path = '/beta/quick-check') => app.send('POST', path, { json })
  const status = async (item: string) => (await check([item])).json().result[0]
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', path, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }

  it('200 with the six members of each item, in order, duplicates kept', async () => {
    const items = ['8.8.8.8', 'example.com', '2001:DB8::0001', '8.8.8.8', 'mail.google.com']
    const answer = await check(items)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(answer.json(), {
      status: 'success',
      statusCode: 200,
      result: [
        unknown('8.8.8.8', 'IP', false),
        unknown('example.com', 'DOMAIN', true),
        unknown('2001:DB8::0001', 'IP', true),
        unknown('8.8.8.8', 'IP', false),
        unknown('mail.google.com', 'DOMAIN', false),
      ],
    })
    assert.deepEqual(Object.keys(answer.json().result[0]), [
      'item',
      'serviceMailBlocklist',
      'type',
      'bogon',
      'intent',
      'activity',
    ])
  })

  it('200 for 1 and for 1000 items, 400 for none and for 1001', async () => {
    const items = Array.from({ length: 1_001 }, (_, at) => `10.0.${at >> 8}.${at & 255}`)
    assert.equal((await check(items.slice(0, 1))).json().result.length, 1)
    const full = (await check(items.slice(0, 1_000))).json()
    assert.deepEqual(
      full.result.map((result: { item: string }) => result.item),
      items.slice(0, 1_000),
    )
    for (const wrong of [[], items]) {
      const answer = await check(wrong)
      assert.equal(answer.status, 400)
      assert.deepEqual(Object.keys(answer.json()), ['status', 'statusCode', 'errors'])
      assert.equal(answer.json().status, 'failure')
      assert.equal(answer.json().statusCode, 400)
      assert.match(explain(answer), /1 to 1000/)
    }
  })

  it('400 with the position of a string that is no item', async () => {
    const answer = await check(['8.8.8.8', 'not an item', 'neither this'])
    assert.equal(answer.status, 400)
    assert.match(explain(answer), /position 1\b/)
    assert.ok(!answer.text.includes('INTEL_QUICK_CHECK_NOT_READABLE'))
  })

  it('400 for a body that is no array of strings', async () => {
    for (const wrong of [{}, 'text', null, 3, [1], ['8.8.8.8', null], [['8.8.8.8']], [true]]) {
      assert.equal((await check(wrong)).status, 400, JSON.stringify(wrong))
    }
    const broken = await app.send('POST', '/beta/quick-check', {
      body: '["8.8.8.8"',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(broken.status, 400)
    assert.equal(broken.json().statusCode, 400)
  })

  it('200 with type INVALID in place when invalid=report asks for it', async () => {
    const answer = await check(['x y', '8.8.8.8', '"'], '/beta/quick-check?invalid=report')
    assert.equal(answer.status, 200)
    const result = answer.json().result
    // No member of a verdict: a script that reads one must not take garbage for clean.
    assert.deepEqual(result[0], { item: 'x y', type: 'INVALID' })
    assert.equal(result[1].type, 'IP')
    assert.deepEqual(result[2], { item: '"', type: 'INVALID' })
    const envelope = answer.json()
    assert.deepEqual([envelope.status, envelope.errors], ['success', undefined])
  })

  it('200 for defanged and wrapped items when refang=true asks for it, each repeated as it was sent', async () => {
    await push('/beta/listings', [listingRow('198.51.100.9'), listingRow('evil.example')])
    const texts = [
      '198.51.100[.]9',
      'hxxp://evil[.]example/x',
      '"198.51.100.9"',
      '<https://198.51.100.9:8443/>',
      'evil.example.',
      '198.51.100.9',
    ]
    const answer = await check(texts, '/beta/quick-check?refang=true')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json().status, 'success')
    assert.deepEqual(
      answer
        .json()
        .result.map((one: Record<string, string>) => [one['item'], one['serviceMailBlocklist']]),
      texts.map((text) => [text, 'ACTIVE']),
    )
    // Without it such a text is no item, and the refusal says what would read it.
    const refused = await check(['198.51.100[.]9'])
    assert.equal(refused.status, 400)
    assert.match(explain(refused), /no[rt]? .*with \?refang=true it is read as 198\.51\.100\.9\.$/)
    const both = await check(
      ['nothing', 'evil[.]example'],
      '/beta/quick-check?refang=true&invalid=report',
    )
    assert.deepEqual(
      both.json().result.map(({ type }: { type: string }) => type),
      ['INVALID', 'DOMAIN'],
    )
  })

  it('400 for a value of invalid that is not known, and for text that JSON cannot carry on', async () => {
    assert.equal((await check(['8.8.8.8'], '/beta/quick-check?invalid=skip')).status, 400)
    for (const text of ['a\u0000b', '\ud800']) {
      const answer = await check([text])
      assert.equal(answer.status, 400)
      assert.match(explain(answer), /U\+0000 or a lone surrogate/)
    }
  })

  it('200 in place for such text when invalid=report asks for it, half a character as U+FFFD', async () => {
    const path = '/beta/quick-check?invalid=report'
    const answer = await check(['a\u0000b', '8.8.8.8', 'x\ud800.example'], path)
    assert.equal(answer.status, 200)
    assert.deepEqual(
      answer.json().result.map((one: { item: string; type: string }) => [one.item, one.type]),
      [
        ['a\u0000b', 'INVALID'],
        ['8.8.8.8', 'IP'],
        ['x\ufffd.example', 'INVALID'],
      ],
    )
  })

  it('repeats a domain as it was sent, whatever its form', async () => {
    const items = ['Example.COM.', 'bücher.example', 'xn--bcher-kva.example']
    const { result } = (await check(items)).json()
    assert.deepEqual(
      result.map((one: { item: string }) => one.item),
      items,
    )
  })

  it('tells listed, active and malicious items from the rest', async () => {
    await push('/beta/listings', [listingRow('198.51.100.0/24')])
    await push('/beta/sightings', [sightingRow('203.0.113.5')])
    await push('/beta/taggings', [taggingRow('bad.example.com', 'phishing:host')])
    const { result } = (
      await check(['198.51.100.7', '203.0.113.5', 'www.bad.example.com', 'example.com'])
    ).json()
    const seen = result.map((one: Record<string, unknown>) => [
      one['serviceMailBlocklist'],
      one['intent'],
      one['activity'],
    ])
    assert.deepEqual(seen, [
      ['ACTIVE', 'unknown', false],
      ['INACTIVE', 'malicious', true],
      ['INACTIVE', 'malicious', false],
      ['INACTIVE', 'unknown', false],
    ])
  })

  it('follows the clock: what expires or leaves the look-back no longer counts', async () => {
    const expires = new Date(NOON_MS + 60_000).toISOString()
    await push('/beta/listings', [listingRow('192.0.2.77', { expires })])
    assert.equal((await status('192.0.2.77')).serviceMailBlocklist, 'ACTIVE')
    assert.equal((await status('203.0.113.5')).activity, true)
    clock.set(NOON_MS + 61_000)
    assert.equal((await status('192.0.2.77')).serviceMailBlocklist, 'INACTIVE')
    clock.set(NOON_MS + 31 * 86_400_000)
    const later = await status('203.0.113.5')
    assert.deepEqual([later.activity, later.intent], [false, 'unknown'])
    clock.set(NOON_MS)
  })

  it('413 past 1 MiB and 415 for another media type, in the envelope', async () => {
    const large = await check([`${'a'.repeat(1_100_000)}.example`])
    assert.deepEqual([large.status, large.json().statusCode], [413, 413])
    const text = await app.send('POST', '/beta/quick-check', {
      body: '["8.8.8.8"]',
      headers: { 'content-type': 'text/plain' },
    })
    assert.deepEqual([text.status, text.json().status], [415, 'failure'])
  })

  it('405 for another method and 404 for another path, in the envelope', async () => {
    const wrong = await app.send('GET', '/beta/quick-check')
    assert.deepEqual([wrong.status, wrong.json().statusCode], [405, 405])
    assert.equal(wrong.headers['allow'], 'POST')
    const missing = await app.send('POST', '/beta/quick-checks', { json: ['8.8.8.8'] })
    assert.deepEqual([missing.status, missing.json().statusCode], [404, 404])
  })

  it('401 for a wrong token although none is needed, 403 for one without intel:read', async () => {
    const headers = { authorization: 'Bearer cw_api_wrong' }
    const json = ['8.8.8.8']
    const wrong = await app.send('POST', '/beta/quick-check', { json, headers })
    assert.deepEqual([wrong.status, wrong.json().statusCode], [401, 401])
    const other = await app.createToken({ scopes: ['events:read'] })
    const refused = await app.send('POST', '/beta/quick-check', { json, token: other })
    assert.deepEqual([refused.status, refused.json().statusCode], [403, 403])
    const reader = await app.createToken({ scopes: ['intel:read'] })
    const taken = await app.send('POST', '/beta/quick-check', {
      json,
      headers: { 'x-api-key': reader },
    })
    assert.equal(taken.status, 200)
  })
})

describe('closed and limited look-ups', () => {
  it('401 without a token when look-ups are closed', async () => {
    const app = await openTestApp({ environment: { CASEWORK_INTEL_ACCESS: 'token' } })
    try {
      const paths = ['/beta/query/8.8.8.8', '/beta/tags', '/beta/tags/scan:port']
      for (const path of paths) assert.equal((await app.send('GET', path)).status, 401, path)
      const closed = await app.send('POST', '/beta/quick-check', { json: ['8.8.8.8'] })
      assert.equal(closed.status, 401)
      const token = await app.createToken({ scopes: ['intel:read'] })
      for (const path of paths) assert.equal((await app.send('GET', path, { token })).status, 200)
    } finally {
      await app.close()
    }
  })

  it('429 past the limit of look-ups, in the envelope and with Retry-After', async () => {
    const app = await openTestApp({
      clock: holdClock(),
      environment: { CASEWORK_LOOKUP_RATE_LIMIT: '4' },
    })
    try {
      const json = ['8.8.8.8']
      const answers = [
        await app.send('POST', '/beta/quick-check', { json }),
        await app.send('GET', '/beta/query/8.8.8.8'),
        await app.send('GET', '/beta/tags'),
        await app.send('GET', '/beta/tags/scan:port'),
      ]
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [200, 200, 200, 200],
      )
      for (const path of ['/beta/query/8.8.8.8', '/beta/tags', '/beta/tags/scan:port']) {
        const answer = await app.send('GET', path)
        assert.deepEqual([answer.status, answer.json().statusCode], [429, 429])
        assert.equal(answer.headers['retry-after'], '60')
      }
    } finally {
      await app.close()
    }
  })
})
