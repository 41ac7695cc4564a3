import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { askForms, EMPTY_FORM, listForms, relaxDigits } from './line-form.ts'

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
      assert.deepEqual(
        listForms([line]).map(({ text }) => text),
        [form],
      )
    }
    assert.deepEqual(listForms([]), [])
  })

  it('one for each line, as long as the line', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 })), (lines) => {
        const forms = listForms(lines)
        assert.deepEqual(
          forms.map(({ text }) => text.length),
          lines.map(({ length }) => length),
        )
      }),
      { numRuns: 200 },
    )
  })
})

it('askForms asks once for each form', () => {
  const asked: string[] = []
  const answer = askForms((form) => {
    asked.push(form)
    return form === '' ? null : form.length
  })
  assert.deepEqual(listForms(['a 1', '', 'a 2', '']).map(answer), [3, null, 3, null])
  assert.deepEqual(asked, ['a 0', ''])
})

it('a relaxed pattern matches the form of each line that the pattern matches', () => {
  for (const [pattern, line] of [
    [/\bCVE-(?:19|20)\d\d-\d{4,7}\b/i, 'CVE-2026-12345'],
    [/HTTP\/[\d.]{1,3}" [345]\d\d/, 'HTTP/1.1" 404'],
    [/%2e%2e|union%20select/i, '/%2e%2e/'],
    [/1\d{2}[\u0041-Z]/, '123B'],
    [/sha-?256.{0,12}[0-9a-f]{4,6}/g, 'sha-256: 00ffee'],
  ] as const) {
    const [{ text: form } = EMPTY_FORM] = listForms([line])
    assert.match(line, pattern)
    assert.match(form, relaxDigits(pattern), `${pattern}`)
  }
  assert.doesNotMatch('HTTP/x" 404', relaxDigits(/HTTP\/[\d.]{1,3}" [345]\d\d/))
})
