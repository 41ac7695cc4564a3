import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assert as holds, property, uint8Array } from 'fast-check'
import { openSignedData } from './signed-data.ts'

const CONTENT = Buffer.from('Content-Type: text/plain\r\n\r\n192.0.2.7')

// Made by hand after RFC 5652: as far as the reader looks.
function element(tag: number, ...pieces: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(pieces)
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

function open(tag: number, ...pieces: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...pieces, Buffer.from([0, 0])])
}

const id = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'))
const SIGNED = id('2a864886f70d010702')
const DATA = id('2a864886f70d010701')
const ENVELOPED = id('2a864886f70d010703')
const VERSION = element(0x02, Buffer.from([1]))
const DIGESTS = element(0x31)

describe('the content of signed data', () => {
  it('of definite length', () => {
    const inner = element(0x30, DATA, element(0xa0, element(0x04, CONTENT)))
    const cms = element(0x30, SIGNED, element(0xa0, element(0x30, VERSION, DIGESTS, inner)))
    assert.deepEqual(openSignedData(cms), CONTENT)
  })

  it('in pieces of indefinite length', () => {
    const pieces = open(
      0x24,
      element(0x04, CONTENT.subarray(0, 9)),
      element(0x04, CONTENT.subarray(9)),
    )
    const inner = open(0x30, DATA, open(0xa0, pieces))
    const cms = open(0x30, SIGNED, open(0xa0, open(0x30, VERSION, DIGESTS, inner)))
    assert.deepEqual(openSignedData(cms), CONTENT)
  })

  it('null for what is encrypted, signed apart, cut off or nested without end', () => {
    const apart = element(0x30, DATA)
    const deep = (depth: number): Buffer =>
      depth === 0 ? element(0x04, CONTENT) : open(0x24, deep(depth - 1))
    const whole = (inner: Uint8Array): Buffer =>
      element(0x30, SIGNED, element(0xa0, element(0x30, VERSION, DIGESTS, inner)))
    const nested = whole(element(0x30, DATA, element(0xa0, deep(50))))
    for (const bytes of [
      element(0x30, ENVELOPED, element(0xa0, CONTENT)),
      whole(apart),
      whole(element(0x30, DATA, element(0xa0, element(0x04, CONTENT)))).subarray(0, 60),
      nested,
      Buffer.from('no CMS at all'),
      Buffer.alloc(0),
    ]) {
      assert.equal(openSignedData(bytes), null)
    }
  })

  it('any bytes end well', () => {
    holds(
      property(uint8Array({ maxLength: 200 }), (bytes) => {
        const cms = Buffer.concat([
          Buffer.from([0x30, 0x80]),
          SIGNED,
          Buffer.from([0xa0, 0x80]),
          bytes,
        ])
        const content = openSignedData(cms)
        assert.ok(content === null || content.length <= bytes.length)
      }),
      { numRuns: 200 },
    )
  })
})
