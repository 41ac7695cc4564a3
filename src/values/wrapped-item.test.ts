import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domain, assert as hold, ipV4, ipV6, oneof, property, string } from 'fast-check'
import { parseItem } from './item.ts'
import { parseWrappedItem, WRAPPED_LENGTH_MAX } from './wrapped-item.ts'

describe('parseWrappedItem', () => {
  it('finds the item in what analysts paste', () => {
    for (const [text, item] of [
      ['evil[.]example', 'evil.example'],
      ['www(.)evil{.}example', 'www.evil.example'],
      ['evil[dot]example', 'evil.example'],
      ['evil (DOT) example'.replaceAll(' ', ''), 'evil.example'],
      ['evil\\.example', 'evil.example'],
      ['hxxp://evil.example/login?x=1', 'evil.example'],
      ['hXXps[://]evil[.]example[/]path', 'evil.example'],
      ['h**p://evil.example', 'evil.example'],
      ['https://user:pass@Evil.Example:8443/x#y', 'evil.example'],
      ['//evil.example/x', 'evil.example'],
      ['evil.example/login', 'evil.example'],
      ['http://198.51.100.7/', '198.51.100.7'],
      ['198.51.100[.]7', '198.51.100.7'],
      ['198[.]51[.]100[.]7:443', '198.51.100.7'],
      ['198.51.100.7.', '198.51.100.7'],
      ['evil.example.', 'evil.example'],
      ['evil.example.:25', 'evil.example'],
      ['<evil.example>', 'evil.example'],
      [' "evil.example", ', 'evil.example'],
      ["'198.51.100.7';", '198.51.100.7'],
      ['<https://evil.example/a>', 'evil.example'],
      ['[evil.example]', 'evil.example'],
      ['(198.51.100.7)', '198.51.100.7'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['[2001:db8::1]:443', '2001:db8::1'],
      ['https://[2001:db8::1]:443/x', '2001:db8::1'],
      ['2001[:]db8[:][:]1', '2001:db8::1'],
      ['hxxp://bücher[.]example/', 'xn--bcher-kva.example'],
    ] as const) {
      assert.equal(parseWrappedItem(text)?.text, item, text)
    }
  })

  it('reads a text that is an item as it always is', () => {
    hold(
      property(oneof(ipV4(), ipV6(), domain()), (text) => {
        assert.deepEqual(parseWrappedItem(text), parseItem(text) ?? parseWrappedItem(text))
      }),
    )
  })

  it('takes no range, e-mail address, network number or garbage for an item', () => {
    for (const text of [
      '198.51.100.0/24',
      '198.51.100[.]0/24',
      '2001:db8::/32',
      'someone@evil.example',
      'AS64496',
      'nothing',
      'two items.example',
      '198.51.100.7 evil.example',
      'http://',
      '[]',
      '""',
      '',
      '198.51.100.7:port',
      '999.51.100[.]7',
      `${'['.repeat(2_000)}evil.example${']'.repeat(2_000)}x`,
      `https://evil.example/${'a'.repeat(WRAPPED_LENGTH_MAX)}`,
    ]) {
      assert.equal(parseWrappedItem(text), null, text.slice(0, 50))
    }
  })

  it('ends for any text', () => {
    hold(
      property(string({ unit: 'grapheme-ascii', maxLength: 300 }), (text) => {
        parseWrappedItem(text)
      }),
    )
  })
})
