import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { countWords, shapeOf } from './line-shape.ts'

// What stands beside a letter that is not ASCII is read by the patterns, everything else by the
// loops: both must say the same.
const PIECES = [
  '<ip>',
  '<url>',
  '<',
  '>',
  'a',
  'Ab',
  'word',
  '_',
  '7',
  '42',
  ' ',
  '  ',
  '\t',
  ':',
  '-',
]

describe('the shape of a line', () => {
  it('keeps the marks and leaves out what differs from line to line', () => {
    assert.equal(
      shapeOf('Mar  2 09:15 host sshd[1]: from <ip>  port 22 '),
      'a 0 0:0 a a[0]: a <ap> a 0',
    )
    assert.equal(shapeOf('é 12 <ip>'), 'a 0 <ap>')
  })

  it('is the same by the loop as by the patterns', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES)), (pieces) => {
        const text = pieces.join('')
        assert.equal(shapeOf(`${text} é`), shapeOf(`${text} e`))
      }),
    )
  })
})

describe('the words of a line', () => {
  it('are counted without the marks', () => {
    assert.equal(countWords('GET <url> by <ip> x'), 2)
    assert.equal(countWords('für <ip> é'), 1)
  })

  it('are as many by the loop as by the patterns', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES)), (pieces) => {
        const text = pieces.join('')
        assert.equal(countWords(`${text} é`), countWords(`${text} e`))
      }),
    )
  })
})
