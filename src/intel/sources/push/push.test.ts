import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { openDatabaseProxy } from '../../../../test/database-proxy.ts'
import { withApp } from '../../../../test/harness.ts'
import {
  holdClock,
  listingRow,
  NOON_MS,
  openSecondNode,
  sightingRow,
  taggingRow,
} from '../../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'

const NOON = new Date(NOON_MS).toISOString()
const NDJSON = 'application/x-ndjson'
const PATHS = ['/beta/sightings', '/beta/listings', '/beta/taggings'] as const
const TAG = 'phishing:host'

function rowFor(path: string, item: string): object {
  if (path === '/beta/sightings') return sightingRow(item)
  return path === '/beta/listings' ? listingRow(item) : taggingRow(item, TAG)
}

function hoursBeforeNoon(hours: number): string {
  return new Date(NOON_MS - hours * 3_600_000).toISOString()
}

describe('the three pushes', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken({ scopes: ['intel:write'] })
  })

  const push = (path: string, json: unknown) => app.send('POST', path, { token, json })
  const stream = (path: string, body: string | Buffer, contentType = NDJSON) =>
    app.send('POST', path, { token, body, headers: { 'content-type': contentType } })
  const serial = async (): Promise<number> =>
    (await app.services.foundation.database.pool.query('select serial from intel_serial')).rows[0]
      .serial
  const result = async (item: string) =>
    (await app.send('GET', `/beta/query/${encodeURIComponent(item)}`)).json().result

  it('200 with how many rows were taken, which a look-up sees at once', async () => {
    for (const [at, path] of PATHS.entries()) {
      const answer = await push(path, [
        rowFor(path, `203.0.113.${at}`),
        rowFor(path, `192.0.2.${at}`),
      ])
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json(), {
        status: 'success',
        statusCode: 200,
        result: { accepted: 2, rejected: [] },
      })
    }
    assert.deepEqual((await result('203.0.113.0')).lastSeen, NOON)
    assert.equal((await result('203.0.113.1')).serviceMailBlocklist, 'ACTIVE')
    assert.deepEqual((await result('192.0.2.2')).tags, [TAG])
  })

  it('200 for null in a member that may be left out, which is as if it were', async () => {
    const left = { firstSeen: null }
    const sighting = sightingRow('203.0.113.40', { ...left, service: null, count: null })
    const listing = { ...listingRow('203.0.113.41'), ...left, reason: null, status: null }
    const tagging = { ...taggingRow('203.0.113.42', TAG), ...left, expires: null }
    const rows = { sightings: sighting, listings: listing, taggings: tagging }
    for (const [path, row] of Object.entries(rows)) {
      const answer = await push(`/beta/${path}`, [row])
      assert.deepEqual(answer.json().result, { accepted: 1, rejected: [] })
    }
    assert.equal((await result('203.0.113.40')).intent, 'malicious')
    assert.equal((await result('203.0.113.41')).serviceMailBlocklist, 'ACTIVE')
    assert.deepEqual((await result('203.0.113.42')).tags, [TAG])
  })

  it('200 with the rows that were not taken and why; the others are kept', async () => {
    const answer = await push('/beta/sightings', [
      sightingRow('203.0.113.20'),
      sightingRow('no item'),
      sightingRow('203.0.113.0/24'),
      'text',
      sightingRow('203.0.113.21', { lastSeen: 'yesterday' }),
      sightingRow('203.0.113.22', { count: 0 }),
      sightingRow('203.0.113.23', { kind: 'mail-blocklist' }),
      sightingRow('203.0.113.24', { firstSeen: new Date(NOON_MS + 1_000).toISOString() }),
      sightingRow('203.0.113.25', { lastSeen: new Date(NOON_MS + 3 * 86_400_000).toISOString() }),
      sightingRow('203.0.113.26', { source: 'a\u0000b' }),
      sightingRow('203.0.113.27', { lastseen: NOON }),
      sightingRow('203.0.113.28', { type: null }),
      sightingRow('203.0.113.29'),
    ])
    const { accepted, rejected } = answer.json().result
    assert.equal(accepted, 2)
    assert.deepEqual(
      rejected.map((one: { index: number; reason: string }) => [one.index, one.reason]),
      [
        [1, 'item is neither an IP address nor a domain name.'],
        [2, 'item is neither an IP address nor a domain name.'],
        [3, 'The row is no JSON object.'],
        [4, 'lastSeen must be a date-time with a zone, such as 2026-01-31T12:00:00Z.'],
        [5, 'count must be a whole number from 1 to 4294967295.'],
        [6, 'kind must be one of a sensor, such as honeypot or spamtrap.'],
        [7, 'firstSeen lies after lastSeen.'],
        [8, 'lastSeen lies in the future.'],
        [9, 'source must be a name of at most 100 characters.'],
        [10, 'There is no member "lastseen" here.'],
        [11, 'type is missing.'],
      ],
    )
    assert.equal((await result('203.0.113.29')).intent, 'malicious')
    assert.equal((await result('203.0.113.21')).intent, 'unknown')
  })

  it('200 with a rejected row for an unknown tag, a range with host bits and a wrong status', async () => {
    const tags = await push('/beta/taggings', [
      taggingRow('203.0.113.30', 'no:such-tag'),
      taggingRow('203.0.113.31', TAG),
    ])
    assert.equal(tags.json().result.accepted, 1)
    assert.deepEqual(tags.json().result.rejected, [
      { index: 0, reason: 'tag names no tag of the catalogue; GET /beta/tags lists them.' },
    ])
    const lists = await push('/beta/listings', [
      listingRow('203.0.113.1/24'),
      listingRow('203.0.113.30', { status: 'gone' }),
    ])
    assert.equal(lists.json().result.accepted, 0)
    assert.match(lists.json().result.rejected[0].reason, /203\.0\.113\.0\/24/)
    assert.match(lists.json().result.rejected[1].reason, /active or inactive/)
  })

  it('200 with rejected rows for ranges that hold more than an IPv4 /8 or an IPv6 /16, which may still be taken back', async () => {
    const wide = ['0.0.0.0/0', '10.0.0.0/7', '::/0', '2000::/15']
    for (const [path, rows] of [
      ['/beta/listings', wide.map((item) => listingRow(item))],
      ['/beta/allowances', wide.map((item) => listingRow(item))],
      ['/beta/taggings', wide.map((item) => taggingRow(item, TAG))],
    ] as const) {
      const kept =
        path === '/beta/taggings' ? taggingRow('44.0.0.0/8', TAG) : listingRow('2001::/16')
      const { accepted, rejected } = (await push(path, [...rows, kept])).json().result
      assert.equal(accepted, 1, path)
      assert.deepEqual(
        rejected.map((one: { index: number }) => one.index),
        [0, 1, 2, 3],
      )
      assert.match(rejected[0].reason, /^item: .*too wide.*\/8.*\/16/)
    }
    const back = await push('/beta/listings', [
      listingRow('0.0.0.0/0', { status: 'inactive' }),
      listingRow('::/0', { expires: hoursBeforeNoon(1) }),
    ])
    assert.equal(back.json().result.accepted, 2)
    assert.equal((await result('8.8.4.4')).serviceMailBlocklist, 'INACTIVE')
    await push('/beta/allowances', [listingRow('2001::/16', { status: 'inactive' })])
    await push('/beta/taggings', [taggingRow('44.0.0.0/8', TAG, { expires: hoursBeforeNoon(1) })])
  })

  it('changes nothing when it is repeated, not even the serial', async () => {
    for (const path of PATHS) {
      const rows = ['198.51.100.1', '198.51.100.2', 'again.example.com'].map((item) =>
        rowFor(path, item),
      )
      await push(path, rows)
      const earlier = await serial()
      const found = await result('198.51.100.1')
      clock.set(clock.nowMs() + 60_000)
      const again = await push(path, [...rows, ...rows])
      assert.deepEqual(again.json().result, { accepted: 6, rejected: [] })
      assert.equal(await serial(), earlier)
      assert.deepEqual(await result('198.51.100.1'), found)
    }
    clock.set(NOON_MS)
  })

  it('gives all rows of one call one serial, and every subject is in the change log', async () => {
    const earlier = await serial()
    await push(
      '/beta/listings',
      ['198.51.100.40', '198.51.100.41', '198.51.100.0/26'].map((item) => listingRow(item)),
    )
    assert.equal(await serial(), earlier + 1)
    const { rows } = await app.services.foundation.database.pool.query(
      `select unnest(subjects) as subject from intel_change join intel_push on id = push_id
       where serial = $1 order by subject`,
      [earlier + 1],
    )
    assert.deepEqual(
      rows.map((row) => row.subject),
      ['198.51.100.0/26', '198.51.100.40', '198.51.100.41'],
    )
  })

  it('adds observations up, and keeps the larger count of the same one', async () => {
    const item = '198.51.100.60'
    const row = { kind: 'spamtrap', service: undefined, type: 'recycled-spamtrap' }
    await push('/beta/sightings', [sightingRow(item, { ...row, lastSeen: hoursBeforeNoon(2) })])
    assert.deepEqual((await result(item)).tags, [])
    // Three sightings set the tag of this type; the same one twice is one.
    await push('/beta/sightings', [
      sightingRow(item, { ...row, lastSeen: hoursBeforeNoon(2) }),
      sightingRow(item, { ...row, lastSeen: hoursBeforeNoon(1) }),
    ])
    assert.deepEqual((await result(item)).tags, [])
    await push('/beta/sightings', [
      sightingRow(item, { ...row, lastSeen: hoursBeforeNoon(1), count: 2 }),
    ])
    const found = await result(item)
    assert.deepEqual(found.tags, ['spam:recycled-trap'])
    assert.deepEqual([found.firstSeen, found.lastSeen], [hoursBeforeNoon(2), hoursBeforeNoon(1)])
  })

  it('lets a listing be withdrawn, renewed and widened in time', async () => {
    const item = '198.51.100.70'
    const status = async () => (await result(item)).serviceMailBlocklist
    await push('/beta/listings', [listingRow(item)])
    assert.equal(await status(), 'ACTIVE')
    await push('/beta/listings', [listingRow(item, { status: 'inactive', reason: 'Fixed.' })])
    assert.equal(await status(), 'INACTIVE')
    await push('/beta/listings', [listingRow(item)])
    assert.equal(await status(), 'ACTIVE')
    // The last of two rows of one key is what the caller ended with.
    await push('/beta/listings', [listingRow(item), listingRow(item, { status: 'inactive' })])
    assert.equal(await status(), 'INACTIVE')
    const first = new Date(NOON_MS - 86_400_000).toISOString()
    await push('/beta/taggings', [taggingRow(item, TAG, { lastSeen: NOON })])
    await push('/beta/taggings', [taggingRow(item, TAG, { firstSeen: first, lastSeen: first })])
    const found = await result(item)
    assert.deepEqual([found.firstSeen, found.lastSeen], [first, NOON])
  })

  it('makes an unknown source known, once for each kind', async () => {
    await push('/beta/sightings', [
      sightingRow('198.51.100.80', { source: 'both' }),
      sightingRow('198.51.100.80', { source: 'both', kind: 'spamtrap', type: 'pristine-spamtrap' }),
    ])
    await push('/beta/listings', [listingRow('198.51.100.80', { source: 'both' })])
    await push('/beta/taggings', [taggingRow('198.51.100.80', TAG, { source: 'both' })])
    const { rows } = await app.services.foundation.database.pool.query(
      `select kind from intel_source where name = 'both' order by kind`,
    )
    assert.deepEqual(
      rows.map((row) => row.kind),
      ['honeypot', 'mail-blocklist', 'spamtrap', 'tag-list'],
    )
  })

  it('takes NDJSON of both media types, with blank lines, any line end and rejected lines', async () => {
    const lines = [
      '\uFEFF' + JSON.stringify(sightingRow('203.0.113.100')),
      '',
      '{"item": broken',
      `${JSON.stringify(sightingRow('203.0.113.101'))}\r`,
      ' ',
      ' \t  \r',
      JSON.stringify(sightingRow('word')),
      JSON.stringify(sightingRow('203.0.113.102')),
    ]
    for (const type of [NDJSON, 'application/jsonl']) {
      const answer = await stream('/beta/sightings', lines.join('\n'), type)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json().result, {
        accepted: 3,
        rejected: [
          { index: 1, reason: 'The line is not valid JSON.' },
          { index: 3, reason: 'item is neither an IP address nor a domain name.' },
        ],
      })
    }
    assert.equal((await result('203.0.113.102')).intent, 'malicious')
    assert.deepEqual((await stream('/beta/sightings', '')).json().result, {
      accepted: 0,
      rejected: [],
    })
  })

  it('takes a large stream as one change', async () => {
    const lines = Array.from({ length: 25_000 }, (_, at) =>
      JSON.stringify(listingRow(`10.1.${at >> 8}.${at & 255}`)),
    )
    const earlier = await serial()
    const answer = await stream('/beta/listings', lines.join('\n'))
    assert.deepEqual(answer.json().result, { accepted: 25_000, rejected: [] })
    assert.equal(await serial(), earlier + 1)
    await waitUntil(async () => (await result('10.1.97.167')).serviceMailBlocklist === 'ACTIVE')
  })

  it('400 for a body that cannot be read, and then nothing is kept', async () => {
    // INTEL_PUSH_NOT_READABLE
    const earlier = await serial()
    const row = JSON.stringify(sightingRow('203.0.113.110'))
    const answers = [
      await push('/beta/sightings', { rows: [] }),
      await push('/beta/sightings', 'text'),
      await app.send('POST', '/beta/sightings', {
        token,
        body: `[${row}`,
        headers: { 'content-type': 'application/json' },
      }),
      await stream('/beta/sightings', Buffer.concat([Buffer.from(`${row}\n`), Buffer.of(0xff)])),
      await stream('/beta/sightings', `${row}\n"${'a'.repeat(70_000)}"\n`),
      await stream('/beta/sightings', `${row}\n${'x\n'.repeat(10_001)}`),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 400)
      assert.equal(answer.json().status, 'failure')
      assert.ok(answer.json().errors.$.length > 20)
    }
    assert.equal(await serial(), earlier)
    assert.equal((await result('203.0.113.110')).intent, 'unknown')
  })

  it('413 for more than 10,000 rows in an array, more than 8 MiB of JSON or 64 MiB of NDJSON', async () => {
    // INTEL_PUSH_HAS_TOO_MANY_ROWS
    const rows = await push(
      '/beta/listings',
      Array.from({ length: 10_001 }, () => 0),
    )
    const json = await app.send('POST', '/beta/listings', {
      token,
      body: `[${' '.repeat(8 * 1_024 * 1_024)}]`,
      headers: { 'content-type': 'application/json' },
    })
    const lines = await stream('/beta/listings', Buffer.alloc(64 * 1_024 * 1_024 + 1, 10))
    for (const answer of [rows, json, lines]) {
      assert.equal(answer.status, 413)
      assert.equal(answer.json().statusCode, 413)
    }
    assert.match(rows.json().errors.$, /x-ndjson/)
  })

  it('401 without a token, 403 without intel:write, 405 and 415, all in the envelope', async () => {
    const reader = await app.createToken({ scopes: ['intel:read'] })
    for (const path of PATHS) {
      const json = [rowFor(path, '203.0.113.1')]
      const failures = [
        await app.send('POST', path, { json }),
        await app.send('POST', path, { json, headers: { authorization: 'Bearer wrong' } }),
        await app.send('POST', path, { json, token: reader }),
        await app.send('PATCH', path, { token, json: {} }),
        await stream(path, 'a,b', 'text/csv'),
      ]
      assert.deepEqual(
        failures.map((answer) => [answer.status, answer.json().statusCode]),
        [
          [401, 401],
          [401, 401],
          [403, 403],
          [405, 405],
          [415, 415],
        ],
      )
    }
  })

  it('503 past four streams at once', async () => {
    // INTEL_TOO_MANY_PUSHES
    const address = await app.app.listen({ host: '127.0.0.1', port: 0 })
    const port = Number(new URL(address).port)
    const head = `POST /beta/listings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${NDJSON}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n`
    const sockets = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = connect({ host: '127.0.0.1', port })
        socket.write(head)
        const answered = new Promise<string>((resolve) => {
          socket.once('data', (bytes) => resolve(String(bytes)))
        })
        return { socket, answered }
      }),
    )
    const first = await Promise.race(sockets.map((one) => one.answered))
    assert.match(first, /^HTTP\/1\.1 503 [^]*"statusCode":503/)
    for (const { socket } of sockets) socket.destroy()
  })
})

describe('several nodes', () => {
  let token: string
  const app = withApp({}, async (opened) => {
    token = await opened.createToken()
  })

  it('sees on one node what was pushed on another, without being asked to look', async () => {
    const second = await openSecondNode(app)
    try {
      await app.send('POST', '/beta/listings', { token, json: [listingRow('203.0.113.7')] })
      await waitUntil(async () => {
        const answer = await second.send('POST', '/beta/quick-check', ['203.0.113.7'])
        return answer.json().result[0].serviceMailBlocklist === 'ACTIVE'
      })
    } finally {
      await second.close()
    }
  })

  it('answers pushes of the same subjects at the same time, in any order', async () => {
    const items = Array.from({ length: 200 }, (_, at) => `203.0.113.${at}`)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        app.send('POST', '/beta/taggings', {
          token,
          json: (at % 2 === 0 ? items : items.toReversed()).map((item) =>
            taggingRow(item, TAG, { source: `desk-${at % 3}` }),
          ),
        }),
      ),
    )
    for (const answer of answers) assert.equal(answer.json().result?.accepted, 200)
  })

  it('503 for a push while the database is away, and look-ups go on answering from memory', async () => {
    await app.send('POST', '/beta/listings', { token, json: [listingRow('203.0.113.8')] })
    const proxy = await openDatabaseProxy(app.connection)
    const node = await openSecondNode(app, proxy.connection)
    try {
      await proxy.cut()
      const headers = { authorization: `Bearer ${token}` }
      const refused = await node.send(
        'POST',
        '/beta/listings',
        [listingRow('203.0.113.9')],
        headers,
      )
      assert.equal(refused.status, 503)
      assert.equal(refused.json().status, 'failure')
      assert.match(refused.json().errors.$, /try again/)
      assert.equal(refused.headers['retry-after'], '5')
      const checked = await node.send('POST', '/beta/quick-check', ['203.0.113.8'])
      assert.equal(checked.json().result[0].serviceMailBlocklist, 'ACTIVE')
      const found = await node.send('GET', '/beta/query/203.0.113.8')
      assert.equal(found.json().result.serviceMailBlocklist, 'ACTIVE')
      const explained = await node.send('GET', '/beta/explain/203.0.113.8')
      assert.equal(explained.status, 200)
      assert.equal(explained.json().result.entries[0].live, true)
      assert.match(explained.json().result.notes[0], /database does not answer/)
    } finally {
      await node.close()
      await proxy.close()
    }
  })
})
