import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { ipv4Item, ipv6Item } from '../../values/address.ts'
import { parseItem } from '../../values/item.ts'
import { ipv4Range, ipv6Range, parseSubject, type Range, rangeHolds } from '../../values/range.ts'
import { ContactIndex, type SubjectContact } from './contact-index.ts'

function contact(subject: string, email: string): SubjectContact {
  const parsed = parseSubject(subject)
  if (parsed.kind === 'refused') throw new Error(parsed.reason)
  return { subject: parsed.subject, email }
}

function buildContactIndex(contacts: readonly SubjectContact[]): ContactIndex {
  const index = new ContactIndex()
  for (const each of contacts) index.add(each)
  return index
}

function find(contacts: readonly SubjectContact[], text: string): string | null {
  const item = parseItem(text)
  if (item === null) throw new Error(`${text} is no item`)
  return buildContactIndex(contacts).find(item)
}

describe('imported contacts', () => {
  const contacts = [
    contact('192.0.2.0/24', 'net@example.com'),
    contact('192.0.2.128/25', 'half@example.com'),
    contact('192.0.2.200', 'host@example.com'),
    contact('2001:db8::/32', 'six@example.com'),
    contact('2001:db8:1::/48', 'site@example.com'),
    contact('example.com', 'domain@example.com'),
    contact('shop.example.com', 'shop@example.com'),
  ]

  it('gives the contact of the most specific range', () => {
    assert.equal(find(contacts, '192.0.2.1'), 'net@example.com')
    assert.equal(find(contacts, '192.0.2.129'), 'half@example.com')
    assert.equal(find(contacts, '192.0.2.200'), 'host@example.com')
    assert.equal(find(contacts, '192.0.2.201'), 'half@example.com')
    assert.equal(find(contacts, '2001:db8:2::1'), 'six@example.com')
    assert.equal(find(contacts, '2001:db8:1::1'), 'site@example.com')
  })

  it('gives the contact of the nearest name on the way up, never of a neighbour', () => {
    assert.equal(find(contacts, 'www.shop.example.com'), 'shop@example.com')
    assert.equal(find(contacts, 'www.example.com'), 'domain@example.com')
    assert.equal(find(contacts, 'notexample.com'), null)
  })

  it('holds to the later of two contacts of one subject, and counts them as one', () => {
    const index = buildContactIndex([
      contact('192.0.2.0/24', 'first@example.com'),
      contact('192.0.2.0/24', 'later@example.com'),
    ])
    const item = parseItem('192.0.2.1')
    assert.equal(item === null ? null : index.find(item), 'later@example.com')
    assert.equal(index.size(), 1)
  })

  it('gives null where nothing covers the item, and for everything when there are none', () => {
    assert.equal(find(contacts, '198.51.100.1'), null)
    assert.equal(find(contacts, '2001:db9::1'), null)
    for (const text of ['192.0.2.1', '2001:db8::1', 'example.com']) {
      assert.equal(find([], text), null)
    }
  })

  it('finds each of more contacts than it was told of', () => {
    const index = new ContactIndex({ ipv4: 10, ipv6: 10, domains: 10 })
    const texts = Array.from({ length: 5_000 }, (_, at) => [
      `10.0.${at >> 8}.${at & 255}`,
      `2001:db8::${(at + 1).toString(16)}`,
      `host-${at}.example.com`,
    ]).flat()
    for (const text of texts) index.add(contact(text, `${text.replaceAll(':', '-')}@example.com`))
    assert.equal(index.size(), texts.length)
    for (const text of texts) {
      const item = parseItem(text) ?? assert.fail(text)
      assert.equal(index.find(item), `${text.replaceAll(':', '-')}@example.com`)
    }
  })

  it('agrees with a search through all ranges', () => {
    const blockV4 = fc.record({ value: fc.integer({ min: 0, max: 0xff }), length: fc.nat(32) })
    // Addresses that differ in their last 8 bits and lengths of every size make nests, neighbours
    // and repeats likely.
    fc.assert(
      fc.property(fc.array(blockV4, { maxLength: 20 }), fc.nat(0xff), (blocks, low) => {
        const ranges: Range[] = blocks.flatMap(({ value, length }) => [
          ipv4Range((0xcb_00_71_00 + value) >>> 0, length),
          ipv6Range([0x2001_0db8, 0, 0, value], 96 + length),
        ])
        const unique = [...new Map(ranges.map((range) => [range.text, range])).values()]
        const index = buildContactIndex(
          unique.map((subject) => ({ subject, email: `${subject.text}@example.com` })),
        )
        for (const item of [
          ipv4Item((0xcb_00_71_00 + low) >>> 0),
          ipv6Item([0x2001_0db8, 0, 0, low]),
        ]) {
          const longest = unique
            .filter((range) => rangeHolds(range, item))
            .toSorted((a, b) => b.prefixLength - a.prefixLength)[0]
          assert.equal(
            index.find(item),
            longest === undefined ? null : `${longest.text}@example.com`,
          )
        }
      }),
    )
  })
})
