// Holds the floors of how well reports are read: counts over the made-up mails of
// test/testdata/mails. The bench (npm run bench -- reading) prints the figures by class.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMadeUpMails, type MadeUpMail, surroundingsOf } from '../../test/made-up-mails.ts'
import { type FieldScore, scoreReadings } from '../../test/reading-score.ts'
import { readReportBytes } from './read-report.ts'

const mails = listMadeUpMails()
const score = scoreReadings(mails.map((mail) => ({ mail, result: read(mail) })))

function read(mail: MadeUpMail) {
  return readReportBytes(mail.bytes, {
    receivedAtMs: mail.receivedAtMs,
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    ...surroundingsOf(mail),
  })
}

test('the mails are of 24 languages, with 120 bystanders and 60 that report nothing', () => {
  assert.ok(mails.length >= 600)
  assert.ok(new Set(mails.map(({ language }) => language)).size >= 24)
  assert.ok(score.bystanders.mails >= 120)
  assert.ok(score.nothing.mails >= 60)
  assert.equal(new Set(mails.map(({ file, name }) => `${file} ${name}`)).size, mails.length)
})

// What is wrong at most, of all mails together: values that are too many and values that are
// missing.
const FAULTS_MAX = {
  ip: 14,
  url: 10,
  domain: 13,
  type: 37,
  reporter: 5,
  recipient: 5,
  date: 2,
} as const

for (const [field, most] of Object.entries(FAULTS_MAX)) {
  test(`at most ${most} wrong or missing values of ${field}`, () => {
    const faults = countFaults(score.fields[field as keyof typeof FAULTS_MAX])
    assert.ok(faults <= most, `${faults}\n${score.faults.join('\n')}`)
  })
}

function countFaults({ surplus, missing }: FieldScore): number {
  return surplus + missing
}

test('at most 18 events blame somebody whom the mail does not report', () => {
  assert.ok(score.wrongEvents <= 18, String(score.wrongEvents))
})

test('at most 8 of the mails with a bystander blame one or miss what is reported', () => {
  assert.ok(score.bystanders.mails - score.bystanders.right <= 8)
})

test('at most 12 mails that report nothing are read as something else', () => {
  assert.ok(score.nothing.mails - score.nothing.right <= 12)
})
