import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { listForms } from './line-form.ts'

describe('the forms of lines', () => {
  it('leave numbers out, but for digits behind a letter and the first of a long number', () => {
    for (const [line, form] of [
      [
        'Mar  2 08:00:03 sshd[20412]: from 192.0.2.7',
        'Mar  0 00:00:00 sshd[00000]: from 000.0.0.0',
      ],
      ['c2 ipv6 ssh2 p2p', 'c2 ipv6 ssh2 p2p'],
      ['1772438400 1772438400123 20260302', '1000000000 1000000000000 00000000'],
      ['ошибка 42, код7', 'ошибка 00, код7'],
      ['', ''],
    ] as const) {
      assert.deepEqual(listForms([line]), [form])
    }
    assert.deepEqual(listForms([]), [])
  })

  it('one for each line, as long as the line', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 })), (lines) => {
        const forms = listForms(lines)
        assert.deepEqual(
          forms.map(({ length }) => length),
          lines.map(({ length }) => length),
        )
      }),
      { numRuns: 200 },
    )
  })
})
