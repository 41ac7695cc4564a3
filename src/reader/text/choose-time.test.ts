import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMadeUp } from '../../../test/read-made-up.ts'

const MAIL_DATE = '2026-11-03T10:00:00.000Z'

/** The date of the only event; the mail is of 3 November 2026, 10:00. */
function dateOf(body: string, subject = 'Attack from 192.0.2.5'): string | undefined {
  const result = readMadeUp(`Subject: ${subject}\n\n${body}`)
  assert.ok(result.kind === 'report', JSON.stringify(result))
  return result.events[0]?.event.eventDate
}

describe('the time of an event', () => {
  it('is the one beside what is reported', () => {
    const body =
      'Ticket opened 2026-10-01 08:00 UTC.\n\n192.0.2.5 attacked us at 2026-11-02 21:40 UTC.'
    assert.equal(dateOf(body), '2026-11-02T21:40:00.000Z')
  })

  it('is no day without a time that is more than 90 days before the mail', () => {
    assert.equal(dateOf('192.0.2.5 attacked our site on 2026-07-01.'), MAIL_DATE)
    assert.notEqual(dateOf('192.0.2.5 attacked our site on 2026-09-01.'), MAIL_DATE)
    assert.equal(
      dateOf('192.0.2.5 attacked our site on 2026-07-01 12:30 UTC.'),
      '2026-07-01T12:30:00.000Z',
    )
  })

  it('is none after the mail: a deadline, a court date', () => {
    for (const day of ['2026-11-20', '20 November 2026 12:00 UTC', '2027-01-15 09:00 UTC']) {
      assert.equal(dateOf(`192.0.2.5 attacks our site. Stop it before ${day}.`), MAIL_DATE, day)
    }
  })

  it('is none of a law', () => {
    const body =
      '192.0.2.5 attacks our site, which is an offence under Directive 2013/40/EU of 12 August 2013.'
    assert.equal(dateOf(body), MAIL_DATE)
  })
})
