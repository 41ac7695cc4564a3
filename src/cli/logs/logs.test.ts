// Proves `analyze` and `filter`: what they find in logs, and what they make of it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { listen, type Outcome, runCasework } from '../../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { EXIT } from '../exit-codes.ts'
import { findItems } from './find-items.ts'

describe('the items of a line', () => {
  it('are found as they stand, in links, with ports, and defanged', () => {
    for (const [line, items] of [
      [
        '198.51.100.7 - - "GET /index.md" "https://shop.example.com/a.html?x=b.example.net"',
        ['198.51.100.7', 'shop.example.com', 'b.example.net'],
      ],
      ['Failed password for root from 203.0.113.9 port 22 ssh2', ['203.0.113.9']],
      [
        'hxxps://login[.]evil.example[.]com/x, 198[.]51.100[.]8.',
        ['login.evil.example.com', '198.51.100.8'],
      ],
      ['client=[2001:DB8::1]:443 192.0.2.1:8080', ['2001:db8::1', '192.0.2.1']],
      [
        'from=<ann@reporter.example.org> relay=mx.example.net[192.0.2.5]:25',
        ['reporter.example.org', 'mx.example.net', '192.0.2.5'],
      ],
      ['192.0.2.1 192.0.2.1', ['192.0.2.1']],
      ['{"version":"SSH-2.0-x/0.9","src_ip":"192.0.2.4"}', ['192.0.2.4']],
      ['v1.2.3 10:20:30 app.js 300.1.2.3 nothing. a..b', []],
    ] as const) {
      assert.deepEqual(findItems(line), items, line)
    }
  })

  it('are canonical, each once, whatever the line is', () => {
    const scraps = fc.array(
      fc.constantFrom(
        '192.0.2.1',
        'a.com',
        '[.]',
        '.',
        ':',
        '/',
        '//',
        ' ',
        '::',
        'é',
        '@',
        '%',
        '\u0000',
        '[',
        'hxxp',
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(scraps, (pieces) => {
        const items = findItems(pieces.join(''))
        assert.equal(new Set(items).size, items.length)
        for (const item of items) assert.deepEqual(findItems(` ${item} `), [item])
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a log', () => {
  let app: TestApp
  let url: string
  let token: string
  before(async () => {
    app = await openTestApp()
    url = await listen(app)
    token = await app.createToken()
    const pushed = await app.send('POST', '/beta/listings', {
      token,
      json: [{ item: '198.51.100.7', list: 'ours', source: 'ours' }],
    })
    assert.equal(pushed.json().result.accepted, 1)
  })
  after(() => app.close())

  const run = async (
    t: Parameters<typeof runCasework>[0],
    args: readonly string[],
    input: string,
    readBytesMax?: number,
  ): Promise<Outcome> =>
    await runCasework(t, args, {
      url,
      token,
      input,
      ...(readBytesMax === undefined ? {} : { readBytesMax }),
    })

  const LOG = [
    'a 198.51.100.7 first',
    'nothing here',
    'b 203.0.113.9 and shop.example.com',
    'c 198.51.100[.]7 again',
  ]

  it('is filtered by what is known of its items, in its order', async (t) => {
    const text = `${LOG.join('\n')}\n`
    const listed = await run(t, ['filter', '--listed'], text)
    assert.deepEqual([listed.stdout, listed.code], [`${LOG[0]}\n${LOG[3]}\n`, EXIT.ok])
    const rest = await run(t, ['filter', '--listed', '--invert', '-'], text)
    assert.equal(rest.stdout, `${LOG[1]}\n${LOG[2]}\n`)
    const none = await run(t, ['filter', '--benign'], text)
    assert.deepEqual([none.stdout, none.code], ['', EXIT.failure])
    const unsaid = await run(t, ['filter'], text)
    assert.equal(unsaid.code, EXIT.usage)
    assert.match(unsaid.stderr, /Say what fits/)
    assert.equal((await run(t, ['filter', '--listed', '/nowhere.log'], '')).code, EXIT.notFound)
  })

  it('of lines that are too long is filtered without them, and says so', async (t) => {
    const text = `${LOG[0]} ${'x'.repeat(70_000)}\n${LOG[1]}\n`
    const { stdout, stderr } = await run(t, ['filter', '--listed', '--invert'], text)
    assert.equal(stdout, `${LOG[1]}\n`)
    assert.equal(stderr, 'Left out: 1 line of more than 64 KiB.\n')
  })

  it('is analysed: lines, items, mentions, and the worst first', async (t) => {
    const text = LOG.join('\n')
    const json = JSON.parse((await run(t, ['analyze', '-o', 'json'], text)).stdout)
    assert.deepEqual(
      [json.lines, json.lines_with_items, json.items, json.mentions, json.listed],
      [4, 3, 3, 4, { items: 1, mentions: 2 }],
    )
    assert.deepEqual([json.top[0].item, json.top[0].count], ['198.51.100.7', 2])
    const csv = (await run(t, ['analyze', '-o', 'csv'], text)).stdout.split('\r\n')
    assert.equal(csv.length, 5)
    const people = await run(t, ['analyze', '--top', '1'], text)
    assert.match(
      people.stdout,
      /^4 lines, 3 of them with an address or a domain: 3 items, named 4 times\.\n/,
    )
    assert.match(people.stdout, /\n +2 {2}198\.51\.100\.7 {2}\w+ {2}listed\n$/)
    const empty = await run(t, ['analyze'], 'nothing\n')
    assert.equal(empty.code, EXIT.failure)
  })

  it('of more items than are kept says so in every form, and keeps the bad ones', async (t) => {
    const names = Array.from({ length: 52_000 }, (_, at) => `198.18.${at >> 8}.${at & 255}\n`)
    const twice = names.map((name) => name + name)
    const log = `198.51.100.7\n198.51.100.7\n${twice.join('')}`
    const { code, stdout, stderr } = await run(t, ['analyze', '-o', 'csv'], log)
    assert.equal(code, EXIT.ok, stderr)
    assert.match(stdout, /^item,count,[^\n]*\r\n198\.51\.100\.7,2,/)
    assert.match(stderr, /\d+ items that are neither listed nor malicious were left out/)
  })

  it('of many lines is passed on while it is read, and left when nobody reads on', async (t) => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at} 198.51.100.7 ${'x'.repeat(100)}`)
    const all = await run(t, ['filter', '--listed'], lines.join('\n'))
    assert.equal(all.stdout, `${lines.join('\n')}\n`)
    const first = await run(t, ['filter', '--listed'], lines.join('\n'), 1_000)
    assert.equal(first.code, EXIT.ok)
  })
})
