import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ContactCheck,
  classifyCheck,
  needsRecipientTest,
  type Stage,
  type TestResult,
} from './classify-check.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const START_MS = 1_700_000_000_000
const NEW: ContactCheck = {
  email: 'abuse@example.com',
  status: 'UNKNOWN',
  lastVerification: null,
  failures: 0,
  recipientStatus: null,
  recipientCheckedAt: null,
}

function undecided(stage: Stage, isTheirs = true): TestResult {
  return { kind: 'undecided', stage, isTheirs }
}

/** Each result at the time that the one before asked for. */
function classifyAll(before: ContactCheck, results: readonly TestResult[]): ContactCheck {
  let check = before
  let nowMs = START_MS
  for (const result of results) {
    const classified = classifyCheck(check, result, nowMs)
    check = classified.check
    nowMs = classified.nextCheckAtMs
  }
  return check
}

describe('what a test of a contact means', () => {
  it('OK for an accepted recipient, RECIPIENT_FAILED for a refused one, both news and looked at again in a day', () => {
    for (const [kind, status] of [
      ['accepted', 'OK'],
      ['rejected', 'RECIPIENT_FAILED'],
    ] as const) {
      const { check, nextCheckAtMs, isNews } = classifyCheck(NEW, { kind }, START_MS)
      assert.equal(check.status, status)
      assert.deepEqual(check.lastVerification, new Date(START_MS))
      assert.equal(nextCheckAtMs, START_MS + DAY_MS)
      assert.equal(isNews, true)
    }
  })

  it('MX_FAILED at once for a domain that takes no mail', () => {
    const { check } = classifyCheck(NEW, { kind: 'no-mail-exchange' }, START_MS)
    assert.equal(check.status, 'MX_FAILED')
  })

  it('asks for the recipient after 30 days and not before', () => {
    const { check } = classifyCheck(NEW, { kind: 'accepted' }, START_MS)
    assert.equal(needsRecipientTest(NEW, START_MS), true)
    assert.equal(needsRecipientTest(check, START_MS + 30 * DAY_MS - 1), false)
    assert.equal(needsRecipientTest(check, START_MS + 30 * DAY_MS), true)
  })

  it('keeps the status through four undecided tests, 1, 2, 4 and 8 hours apart, and gives the failed one at the fifth', () => {
    for (const [stage, status] of [
      ['mail-exchange', 'MX_FAILED'],
      ['connection', 'CONNECTION_FAILED'],
      ['recipient', 'RECIPIENT_FAILED'],
    ] as const) {
      let check = NEW
      let nowMs = START_MS
      const pauses: number[] = []
      for (let failure = 1; failure <= 4; failure += 1) {
        const classified = classifyCheck(check, undecided(stage), nowMs)
        pauses.push((classified.nextCheckAtMs - nowMs) / HOUR_MS)
        assert.equal(classified.check.status, 'UNKNOWN')
        assert.equal(classified.isNews, false)
        check = classified.check
        nowMs = classified.nextCheckAtMs
      }
      assert.deepEqual(pauses, [1, 2, 4, 8])
      const fifth = classifyCheck(check, undecided(stage), nowMs)
      assert.equal(fifth.check.status, status)
      assert.deepEqual(fifth.check.lastVerification, new Date(nowMs))
      assert.equal(fifth.isNews, true)
    }
  })

  it('begins to count anew after a test that was decided', () => {
    const four = [1, 2, 3, 4].map(() => undecided('connection'))
    const check = classifyAll(NEW, [...four, { kind: 'accepted' }, ...four])
    assert.equal(check.status, 'OK')
    assert.equal(check.failures, 4)
  })

  it('counts nothing that may be our own trouble, and tries again in an hour', () => {
    const ours = [1, 2, 3, 4, 5, 6, 7].map(() => undecided('connection', false))
    assert.deepEqual(classifyAll(NEW, ours), NEW)
    const classified = classifyCheck(NEW, undecided('mail-exchange', false), START_MS)
    assert.equal(classified.nextCheckAtMs, START_MS + HOUR_MS)
  })

  it('leaves a server that never decides about the recipient alone for a month', () => {
    const five = [1, 2, 3, 4, 5].map(() => undecided('recipient'))
    const check = classifyAll(NEW, five)
    const failedAtMs = START_MS + 15 * HOUR_MS
    assert.equal(needsRecipientTest(check, failedAtMs + 29 * DAY_MS), false)
    assert.equal(needsRecipientTest(check, failedAtMs + 30 * DAY_MS), true)
    assert.equal(check.failures, 0)
  })

  it('keeps what it knows, and asks again in a month, when a server refuses to tell us', () => {
    const notTold: TestResult = { kind: 'not-told' }
    const { check, nextCheckAtMs, isNews } = classifyCheck(NEW, notTold, START_MS)
    assert.equal(check.status, 'UNKNOWN')
    assert.equal(check.lastVerification, null)
    assert.equal(isNews, false)
    assert.equal(nextCheckAtMs, START_MS + DAY_MS)
    assert.equal(needsRecipientTest(check, START_MS + 30 * DAY_MS - 1), false)
    const { check: accepted } = classifyCheck(NEW, { kind: 'accepted' }, START_MS)
    assert.equal(classifyCheck(accepted, notTold, START_MS).check.status, 'OK')
    const { check: failed } = classifyCheck(NEW, { kind: 'no-mail-exchange' }, START_MS)
    assert.equal(classifyCheck(failed, notTold, START_MS).check.status, 'UNKNOWN')
  })

  it('brings back what the mail server said once the mail exchange is there again', () => {
    const check = classifyAll(NEW, [{ kind: 'accepted' }, { kind: 'no-mail-exchange' }])
    assert.equal(check.status, 'MX_FAILED')
    const back = classifyCheck(check, { kind: 'mail-exchange-found' }, START_MS)
    assert.equal(back.check.status, 'OK')
    assert.equal(back.isNews, true)
  })

  it('says nothing new, and moves no date, when the daily look at DNS finds all as it was', () => {
    const { check } = classifyCheck(NEW, { kind: 'accepted' }, START_MS)
    const daily = classifyCheck(check, { kind: 'mail-exchange-found' }, START_MS + DAY_MS)
    assert.deepEqual(daily.check, check)
    assert.equal(daily.isNews, false)
    assert.equal(daily.nextCheckAtMs, START_MS + 2 * DAY_MS)
  })

  it('stays CONNECTION_FAILED, tested daily, until something else is decided', () => {
    const five = [1, 2, 3, 4, 5].map(() => undecided('connection'))
    const failed = classifyAll(NEW, five)
    const again = classifyCheck(failed, undecided('connection'), START_MS)
    assert.equal(again.check.status, 'CONNECTION_FAILED')
    assert.equal(again.nextCheckAtMs, START_MS + DAY_MS)
    assert.equal(classifyCheck(failed, { kind: 'accepted' }, START_MS).check.status, 'OK')
  })
})
