import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findWrapper, listWrapperRows } from './find-wrapper.ts'

const COMPLAINT = 'Your server 192.0.2.1 scans our ports.'

describe('the letter above a complaint', () => {
  for (const [intro, border] of [
    ['We received the complaint below. Phishing is forbidden.', '----- Original Message -----'],
    ['we have received the below abuse message', '===== Complaint ====='],
    ['We got the following complaint about you.', '------------------------'],
    ['Wir haben folgende Beschwerde erhalten.', 'Beschwerde:'],
    ['See the report below.', '> Hello,'],
  ] as const) {
    test(`ends at “${border}”`, () => {
      assert.equal(findWrapper(['Dear customer,', '', intro, '', border, COMPLAINT]), 4)
    })
  }

  for (const [name, lines] of [
    ['a sample of spam below', ['I received this message:', '> Dear winner,', '> claim now']],
    ['nobody who passes it on', ['Hello, please stop this.', '-----------', COMPLAINT]],
    ['nothing below', ['We received the complaint below.', '-----------']],
  ] as const) {
    test(`is none with ${name}`, () => assert.equal(findWrapper(lines), 0))
  }
})

describe('rows of a ticket', () => {
  test('are found where two or more stand in a block, without what they are about', () => {
    const lines = ['Queue: abuse-phishing', 'Subject: port scan', 'Owner: Nobody', '', 'Text']
    assert.deepEqual(listWrapperRows(lines), [0, 2])
  })

  test('are not found in a form that has one of them', () => {
    assert.deepEqual(listWrapperRows(['Priority: high', 'IP: 192.0.2.1', 'Type: spam']), [])
  })
})
