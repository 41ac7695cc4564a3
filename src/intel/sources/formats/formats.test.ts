import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCowrieLog } from './read-cowrie-log.ts'
import { readLines } from './read-list-lines.ts'
import { readPlainList } from './read-plain-list.ts'

async function collect<Element>(elements: AsyncIterable<Element>): Promise<Element[]> {
  const collected: Element[] = []
  for await (const element of elements) collected.push(element)
  return collected
}

async function* chunksOf(text: string, length = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

describe('lines of a file', () => {
  it('come with their numbers, whatever the chunks, and say when one is too long', async () => {
    const long = 'x'.repeat(70_000)
    const text = `first\r\nzweite ä\n\n${long}\nlast`
    for (const length of [1, 1_000, 1_000_000]) {
      const lines = await collect(readLines(chunksOf(text, length)))
      assert.deepEqual(lines, [
        { number: 1, text: 'first' },
        { number: 2, text: 'zweite ä' },
        { number: 3, text: '' },
        { number: 4, text: null },
        { number: 5, text: 'last' },
      ])
    }
  })
})

describe('a plain list', () => {
  it('gives its items in canonical form and tells every line it cannot read, with its number', async () => {
    const text = [
      '\uFEFF# a list',
      '192.0.2.1',
      ' 192.0.2.7/24 ; cleared',
      '2001:DB8::/32 // documentation',
      'Bad.Example.COM # note',
      '198.51.100.4 - 198.51.100.7',
      '198.51.100.9-198.51.100.10',
      '0.0.0.0 ads.example tracker.example',
      '127.0.0.1 localhost',
      '',
      'not an item',
      'word',
      '192.0.2.9-192.0.2.1',
      'http://example.com/x',
      '192.0.2.0/33',
      '0.0.0.0 word',
      'a-b.example',
      '*.wild.example',
      '.dot.example',
      '..dots.example',
    ].join('\n')
    const entries = await collect(readPlainList(chunksOf(text)))
    const items = entries.flatMap((entry) => (entry.kind === 'entry' ? [entry.item] : []))
    assert.deepEqual(items, [
      '192.0.2.1',
      '192.0.2.0/24',
      '2001:db8::/32',
      'bad.example.com',
      '198.51.100.4/30',
      '198.51.100.9',
      '198.51.100.10',
      'ads.example',
      'tracker.example',
      'a-b.example',
      'wild.example',
      'dot.example',
    ])
    const refused = entries.flatMap((entry) =>
      entry.kind === 'refused' ? [[entry.lineNumber, entry.reason]] : [],
    )
    assert.deepEqual(refused, [
      [11, 'The line has more than one value.'],
      [12, 'This is no IP address, range or domain.'],
      [13, 'The span does not go from a lower to a higher address.'],
      [14, 'This is no IP address, range or domain.'],
      [15, 'The prefix length must be a number from 0 to 32.'],
      [16, 'A name in the line is no domain name.'],
      [20, 'This is no IP address, range or domain.'],
    ])
  })
})

const event = (eventid: string, more: object = {}) => ({
  eventid: `cowrie.${eventid}`,
  timestamp: '2026-01-31T12:00:00.123456Z',
  src_ip: '203.0.113.5',
  session: 'a1',
  sensor: 'trap-7',
  ...more,
})

const read = (events: readonly unknown[], source?: string) => {
  const text = events.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
  return collect(readCowrieLog(chunksOf(text, 100), source === undefined ? {} : { source }))
}

const at = (host: string) => ({ url: `http://${host}/x.sh`, session: 'c3' })

const types = (entries: Awaited<ReturnType<typeof read>>) =>
  entries.map((entry) =>
    entry.kind === 'row' ? [entry.row.type, entry.row.service ?? null] : entry.lineNumber,
  )

describe('a log of Cowrie', () => {
  it('becomes one sighting an event, with the service that the session named at its start', async () => {
    const entries = await read([
      event('session.connect', { protocol: 'telnet' }),
      event('session.connect', { protocol: 'ssh', session: 'b2' }),
      event('login.failed'),
      event('login.success', { session: 'b2' }),
      event('client.version'),
      event('command.input', { session: 'b2' }),
      event('session.file_upload', { session: 'b2' }),
      event('direct-tcpip.request', { session: 'b2' }),
      event('session.closed'),
      event('login.failed'),
    ])
    assert.deepEqual(types(entries), [
      ['connection', 'telnet'],
      ['connection', 'ssh'],
      ['login-attack', 'telnet'],
      ['login-attack', 'ssh'],
      ['command-execution', 'ssh'],
      ['malware-upload', 'ssh'],
      ['proxy-abuse', 'ssh'],
      ['login-attack', null],
    ])
    const third = entries[2]
    assert.deepEqual(third?.kind === 'row' ? third.row : null, {
      item: '203.0.113.5',
      service: 'telnet',
      type: 'login-attack',
      kind: 'honeypot',
      lastSeen: '2026-01-31T12:00:00.123456Z',
      source: 'trap-7',
    })
  })

  it('names the host that handed a file out, when the download succeeded', async () => {
    const entries = await read(
      [
        event('session.connect', { protocol: 'ssh', session: 'c3' }),
        event('session.file_download', at('files.example.com')),
        event('session.file_download', at('[2001:db8::9]:8080')),
        event('session.file_download.failed', at('192.0.2.8')),
        event('session.file_download', { url: 'not a url', session: 'c3' }),
      ],
      'mine',
    )
    const rows = entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row] : []))
    assert.deepEqual(
      rows.map((row) => [row.item, row.type]),
      [
        ['203.0.113.5', 'connection'],
        ['203.0.113.5', 'malware-download'],
        ['files.example.com', 'malware-distribution'],
        ['203.0.113.5', 'malware-download'],
        ['2001:db8::9', 'malware-distribution'],
        ['203.0.113.5', 'malware-download'],
        ['203.0.113.5', 'malware-download'],
      ],
    )
    assert.ok(rows.every((row) => row.source === 'mine'))
  })

  it('tells lines that are no events, and passes over events that say nothing', async () => {
    const entries = await read([
      'text',
      '[]',
      '3',
      '',
      event('log.closed'),
      event('login.failed', { src_ip: 'nobody' }),
      event('login.failed', { timestamp: 3 }),
      { ...event('x'), eventid: 'other.login.failed' },
      event('login.failed', { session: undefined, sensor: undefined }),
    ])
    assert.deepEqual(types(entries), [1, 2, 3, 6, 7, 8, ['login-attack', null]])
    const last = entries.at(-1)
    assert.equal(last?.kind === 'row' ? last.row.source : null, 'cowrie')
  })
})
