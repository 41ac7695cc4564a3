import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { array, assert as check, constantFrom, property } from 'fast-check'
import { readErasedAddresses, repeatErasedAddresses } from './erased-address.ts'
import { holdsAddress, replaceAddresses } from './find-erased-addresses.ts'
import { readBytesAsTexts } from './read-bytes-as-texts.ts'

const ADDRESS = 'ana.b@mail.example.org'
const SECRET = Buffer.alloc(32, 7)

const read = readErasedAddresses([ADDRESS], 'default', SECRET)
assert.ok(read !== null)
const { addresses, subjects } = read
const [replacement = ''] = subjects
// Known by their replacement only.
const repeated = repeatErasedAddresses(subjects, 'default', SECRET)

function replace(text: string, isJson = false): string {
  const once = replaceAddresses(text, addresses, isJson)
  assert.equal(replaceAddresses(text, repeated, isJson), once)
  assert.equal(holdsAddress(text, addresses, isJson), once !== text)
  return once
}

describe('an address in a text', () => {
  test('is replaced wherever it stands as a whole, in any case', () => {
    for (const [before, after] of [
      ['', ''],
      ['<', '>'],
      ['mailto:', '?subject=x'],
      ['Told by ', '.'],
      ['Told by ', '. Then'],
      ['"', '"--'],
      ['from=', ';'],
      ['https://example.com/?by=', '&x=1'],
      ['%3C', '%3E'],
      ['ü', '_x'],
      ['x@example.com,', ',y@example.com'],
    ] as const) {
      for (const address of [ADDRESS, ADDRESS.toUpperCase(), ADDRESS.replace('@', '%40')]) {
        assert.equal(replace(`${before}${address}${after}`), `${before}${replacement}${after}`)
      }
    }
  })

  test('is left where it is part of a longer one', () => {
    for (const text of [
      `di${ADDRESS}`,
      `x.${ADDRESS}`,
      `x+${ADDRESS}`,
      `x_${ADDRESS}`,
      `${ADDRESS}.uk`,
      `${ADDRESS}s`,
      `${ADDRESS}-x.example`,
      ADDRESS.replace('@', ' @'),
      ADDRESS.replace('.org', ''),
      '@',
      '%40%40@@',
      `${'a'.repeat(100)}${ADDRESS}`,
    ]) {
      assert.equal(replace(text), text)
    }
  })

  test('is found behind the line break of a JSON value, and there only', () => {
    const value = { note: `line\n${ADDRESS}\t${ADDRESS}` }
    assert.deepEqual(JSON.parse(replace(JSON.stringify(value), true)), {
      note: `line\n${replacement}\t${replacement}`,
    })
    assert.equal(replace(String.raw`C:\n${ADDRESS}`), String.raw`C:\n${ADDRESS}`)
  })

  test('is replaced each time, however texts and addresses follow each other', () => {
    const others = ['x@example.com', 'Told', '@', `di${ADDRESS}`, `${ADDRESS}.uk`, '%40', '.']
    const words = array(constantFrom(ADDRESS, ADDRESS.toUpperCase(), ...others), { maxLength: 12 })
    check(
      property(words, constantFrom(' ', '\n', ', ', '<', '"'), (list, gap) => {
        const expected = list.map((word) => (word.toLowerCase() === ADDRESS ? replacement : word))
        assert.equal(replace(list.join(gap)), expected.join(gap))
      }),
    )
  })
})

const isIn = (bytes: Buffer): boolean =>
  readBytesAsTexts(bytes).some((text) => holdsAddress(text, addresses, true))
const sentence = `Write to ${ADDRESS}, please.`
const wrap = (text: string, width: number) =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\r\n')
const toBase64 = (text: string): string => Buffer.from(text).toString('base64')

describe('an address in the bytes of a report', () => {
  test('is found as text, in quoted-printable, UTF-16 and base64, at every width of a line', () => {
    assert.ok(isIn(Buffer.from(sentence)))
    assert.ok(isIn(Buffer.from(sentence, 'utf16le')))
    assert.ok(isIn(Buffer.from('Write to ana=2Eb=40mail.exam=\r\nple.org, please.')))
    for (const text of [sentence, `a${sentence}`, `ab${sentence}`]) {
      for (const width of [16, 40, 57, 76]) {
        const packed = wrap(Buffer.from(text).toString('base64'), width)
        const mail = `Content-Transfer-Encoding: base64\r\n\r\n${packed}\r\n\r\n--end--`
        assert.ok(isIn(Buffer.from(mail)), mail)
      }
    }
    const utf16 = Buffer.from(sentence, 'utf16le').toString('base64')
    assert.ok(isIn(Buffer.from(`{"Payload": "${utf16.replaceAll('/', '\\/')}"}`)))
    assert.ok(isIn(Buffer.from(`Subject: =?utf-8?B?${Buffer.from(sentence).toString('base64')}?=`)))
  })

  test('is found in any of several runs of base64, and not in two of them together', () => {
    const packed = toBase64(`${sentence} `)
    const other = toBase64('A run of another text')
    for (const gap of [' ', '\r\n\r\n', '"', '\\"', '=']) {
      for (const runs of [
        [packed, other],
        [other, packed],
        [other, other, packed.slice(0, 13), packed],
      ]) {
        assert.ok(isIn(Buffer.from(`${gap}${runs.join(gap)}${gap}`)), runs.join(gap))
      }
    }
    // Nine bytes are twelve characters, so only the gap parts the two.
    const [local, domain] = ['to ana.b@', 'mail.example.org'].map(toBase64)
    assert.ok(isIn(Buffer.from(`${local}${domain}`)))
    assert.ok(!isIn(Buffer.from(`${local} ${domain}`)))
  })

  test('is not found where another one stands', () => {
    const other = sentence.replace(ADDRESS, `x.${ADDRESS}`)
    for (const text of [other, Buffer.from(other).toString('base64'), '='.repeat(50), '']) {
      assert.ok(!isIn(Buffer.from(text)))
    }
  })
})

describe('addresses that are to be erased', () => {
  test('are read in any case and each once; what is no address is refused', () => {
    const many = readErasedAddresses([ADDRESS, ` ${ADDRESS.toUpperCase()} `], 'default', SECRET)
    assert.deepEqual(many?.subjects, subjects)
    for (const wrong of [[], ['ana'], [ADDRESS, 'a b@example.org']]) {
      assert.equal(readErasedAddresses(wrong, 'default', SECRET), null)
    }
  })

  test('have another replacement for each tenant and each key', () => {
    const replacements = [
      readErasedAddresses([ADDRESS], 'default', SECRET),
      readErasedAddresses([ADDRESS], 'other', SECRET),
      readErasedAddresses([ADDRESS], 'default', Buffer.alloc(32, 8)),
    ].map((one) => one?.subjects[0])
    assert.equal(new Set(replacements).size, 3)
  })
})
