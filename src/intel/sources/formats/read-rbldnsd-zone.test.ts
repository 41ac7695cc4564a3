import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { formatIpv4 } from '../../../values/address.ts'
import { readRbldnsdSubject, readReversedName } from './rbldnsd-subject.ts'
import { type RbldnsdDataset, type RbldnsdEntry, readRbldnsdZone } from './read-rbldnsd-zone.ts'

async function read(text: string, dataset?: RbldnsdDataset): Promise<RbldnsdEntry[]> {
  async function* chunks(): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += 11) yield text.slice(at, at + 11)
  }
  const entries: RbldnsdEntry[] = []
  for await (const entry of readRbldnsdZone(chunks(), dataset)) entries.push(entry)
  return entries
}

const entry = (lineNumber: number, item: string, reason?: string): RbldnsdEntry => ({
  kind: 'entry',
  lineNumber,
  item,
  ...(reason === undefined ? {} : { reason }),
})

test('IPv4 blocks are read in all their spellings', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['192.0.2.1', ['192.0.2.1']],
    ['192.0.2', ['192.0.2.0/24']],
    ['198.51', ['198.51.0.0/16']],
    ['10/8', ['10.0.0.0/8']],
    ['192.0.2/25', ['192.0.2.0/25']],
    ['192.0.2.9/24', ['192.0.2.0/24']],
    ['192.0.2.4-9', ['192.0.2.4/30', '192.0.2.8/31']],
    ['192.0.2.0-255', ['192.0.2.0/24']],
    ['192.0.2.0-192.0.3.255', ['192.0.2.0/23']],
    ['198.18-19', ['198.18.0.0/15']],
    ['192.0.2-192.0.3', ['192.0.2.0/23']],
  ]
  for (const [text, items] of cases) assert.deepEqual(readRbldnsdSubject(text), items, text)
})

test('IPv6 blocks may be whole, cut short or the half of a set', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['2001:db8::1', ['2001:db8::1']],
    ['2001:db8::/32', ['2001:db8::/32']],
    ['2001:db8:c000/36', ['2001:db8:c000::/36']],
    ['2001:db8:0:42', ['2001:db8:0:42::/64']],
    ['2001:DB8:0:0:0:0:0:1', ['2001:db8::1']],
  ]
  for (const [text, items] of cases) assert.deepEqual(readRbldnsdSubject(text), items, text)
})

test('what is no block and no name is refused with a sentence', () => {
  for (const text of [
    '192.0.2.300',
    '192.0.2.9-4',
    '1.2.3.4.5',
    '192.0.2.1/33',
    '2001:::1',
    'nodot',
    '',
  ]) {
    assert.equal(typeof readRbldnsdSubject(text), 'string', text)
  }
})

test('a short span is the span written out', () => {
  fc.assert(
    fc.property(fc.nat(0xffffff), fc.nat(255), fc.nat(255), (head, a, b) => {
      const first = formatIpv4((head * 256 + Math.min(a, b)) >>> 0)
      const last = formatIpv4((head * 256 + Math.max(a, b)) >>> 0)
      const short = readRbldnsdSubject(`${first}-${Math.max(a, b)}`)
      assert.deepEqual(short, readRbldnsdSubject(`${first}-${last}`))
    }),
  )
})

test('an ip4set gives its entries with the text in force, and its exclusions', async () => {
  const zone = [
    '# a comment',
    '$SOA 3600 ns.example. admin.example. 0 600 300 86400 300',
    '$1 https://list.example/why',
    ':127.0.0.2:Listed, see $1?ip=$',
    '192.0.2.1',
    '192.0.2.64/26 ; no text of its own',
    '198.51.100.7 :127.0.0.3:Open relay #7',
    '198.51.100.8 :4:',
    '203.0.113.9 only text, costs 5$$',
    '!192.0.2.65',
    ':127.0.0.9:',
    '203.0.113.10',
    'not a block at all',
    '$UNKNOWN 1',
  ].join('\n')
  assert.deepEqual(await read(zone, 'ip4set'), [
    entry(5, '192.0.2.1', 'Listed, see https://list.example/why?ip=192.0.2.1'),
    entry(6, '192.0.2.64/26', 'Listed, see https://list.example/why?ip=$'),
    entry(7, '198.51.100.7', 'Open relay #7'),
    entry(8, '198.51.100.8', '127.0.0.4'),
    entry(9, '203.0.113.9', 'only text, costs 5$'),
    { kind: 'exclusion', lineNumber: 10, item: '192.0.2.65' },
    entry(12, '203.0.113.10', '127.0.0.9'),
    { kind: 'refused', lineNumber: 13, reason: 'The line begins with no address, block or name.' },
    { kind: 'refused', lineNumber: 14, reason: 'The directive is not known.' },
  ])
})

test('a dnset gives names, with what is below them', async () => {
  const zone =
    ':127.0.0.2:Spam\n.example.com\n*.example.net\nhost.example.org :3:Own text\n!good.example.com\n192.0.2.1\n'
  assert.deepEqual(await read(zone, 'dnset'), [
    entry(2, 'example.com', 'Spam'),
    entry(3, 'example.net', 'Spam'),
    entry(4, 'host.example.org', 'Own text'),
    { kind: 'exclusion', lineNumber: 5, item: 'good.example.com' },
    { kind: 'refused', lineNumber: 6, reason: 'The line is no entry of the data set dnset.' },
  ])
})

test('an ip6trie takes no IPv4, and an ip6tset halves', async () => {
  assert.deepEqual(await read('2001:db8:1/48 :2:Text: with colon\n192.0.2.1\n', 'ip6trie'), [
    entry(1, '2001:db8:1::/48', 'Text: with colon'),
    { kind: 'refused', lineNumber: 2, reason: 'The line is no entry of the data set ip6trie.' },
  ])
  assert.deepEqual(await read('2001:db8:0:42\n!2001:db8:0:42::1\n', 'ip6tset'), [
    entry(1, '2001:db8:0:42::/64'),
    { kind: 'exclusion', lineNumber: 2, item: '2001:db8:0:42::1' },
  ])
})

test('a generic data set lists what answers in 127.0.0.0/8, reversed addresses included', async () => {
  const zone = [
    '1.2.0.192 A 127.0.0.2',
    '  TXT "why"',
    'bad.example 300 IN A 127.0.0.3',
    'www.example A 192.0.2.80',
    `${'1.'.padEnd(60, '0.')}0.0.2.0 A 127.0.0.2`,
    'strange',
  ].join('\n')
  const entries = await read(zone, 'generic')
  assert.deepEqual(entries.slice(0, 2), [
    entry(1, '192.0.2.1', '127.0.0.2'),
    entry(3, 'bad.example', '127.0.0.3'),
  ])
  assert.deepEqual(entries.at(-1), {
    kind: 'refused',
    lineNumber: 6,
    reason: 'The line is no record.',
  })
  const nibbles = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2'
  assert.deepEqual(readReversedName(nibbles), ['2001:db8::1'])
})

test('a combined file switches data sets, and a default holds for one of them', async () => {
  const zone = [
    '$DATASET ip4set:bad @',
    ':2:Bad',
    '192.0.2.1',
    '$DATASET dnset names',
    'spam.example',
    '$DATASET generic @',
    'x.example A 127.0.0.2',
    '$DATASET acl @',
  ].join('\n')
  assert.deepEqual(await read(zone), [
    entry(3, '192.0.2.1', 'Bad'),
    entry(5, 'spam.example'),
    entry(7, 'x.example', '127.0.0.2'),
    { kind: 'refused', lineNumber: 8, reason: 'There is no data set of kind acl here.' },
  ])
})

test('a text is cut to what a listing takes', async () => {
  const [read_] = await read(`192.0.2.1 ${'x'.repeat(600)}\n`)
  assert.equal(read_?.kind === 'entry' ? read_.reason?.length : 0, 500)
})

test('hostile lines of 60,000 characters are refused at once', async () => {
  const zone = `${'a.'.repeat(30_000)}\n${'1.'.repeat(30_000)}\n`
  assert.deepEqual(
    (await read(zone)).map(({ kind }) => kind),
    ['refused', 'refused'],
  )
})
