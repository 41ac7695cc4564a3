import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { openGate } from './line-gate.ts'

const PATTERNS = [
  /\b(?:unsubscribe|opt[- ]?out|follow us)/i,
  /(?<!x)(?:a{2}b|[cd]{1,2}e|f+g|h(?:i|jk)?l|m(?=n)n)/,
  /\bAS[N]?[ :#]{0,2}(\d{1,10})\b/,
  /(?:[a-c]|x\.y)?z\d|q$/,
]
const ask = openGate(PATTERNS)

describe('a gate for patterns', () => {
  it('lets a line pass to those that may match it, and to no others', () => {
    assert.equal(ask('Click here to UNSUBSCRIBE'), 0b0001)
    assert.equal(ask('opt-out'), 0b0001)
    assert.equal(ask('hosted in AS64496'), 0b0100)
    assert.equal(ask('Failed password for root'), 0)
  })

  it('lets every line with other than ASCII characters pass to all', () => {
    assert.equal(ask('für alle'), -1)
  })

  it('knows what ends with the line', () => {
    assert.equal(ask('hl') & 0b0010, 0b0010)
    assert.equal(ask('...q') & 0b1000, 0b1000)
  })

  it('never holds back a line that a pattern matches', () => {
    const pieces = fc.constantFrom(
      ...'a b c d e f g h i j k l m n x y z q . - 1 2 A S N # :'.split(' '),
      'unsubscribe',
      'opt',
      'out',
      'follow us',
      'x.y',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const line = parts.join('')
        const bits = ask(line)
        for (const [index, pattern] of PATTERNS.entries()) {
          if (pattern.test(line)) assert.notEqual(bits & (1 << index), 0, `${pattern} in ${line}`)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses a pattern that may begin with anything', () => {
    assert.throws(() => openGate([/.*foo/]), /any line may begin/)
    assert.throws(() => openGate([/(?:)/]), /any line may begin/)
  })
})
