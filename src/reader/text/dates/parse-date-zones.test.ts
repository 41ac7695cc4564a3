import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDateText } from './parse-date.ts'

const options = {
  mailDateMs: Date.parse('2026-11-20T10:00:00Z'),
  receivedAtMs: Date.parse('2026-11-20T12:00:00Z'),
  zoneMinutes: null,
}

function assertMoments(cases: readonly (readonly [text: string, iso: string])[]): void {
  for (const [text, iso] of cases) {
    const span = parseDateText(text, options)
    assert.equal(span && new Date(span.ms).toISOString(), new Date(iso).toISOString(), text)
  }
}

describe('the zone of a time', () => {
  it('stands behind the hours and minutes of East Asia as behind any other', () => {
    assertMoments([
      ['2026年11月19日 21時05分 JST', '2026-11-19T12:05Z'],
      ['2026年11月19日 21時05分(JST)', '2026-11-19T12:05Z'],
      ['2026年11月19日 21時05分（JST）', '2026-11-19T12:05Z'],
      ['2026年11月19日 午後9時05分20秒（日本時間）', '2026-11-19T12:05:20Z'],
      ['2026年11月19日 21:05（JST）', '2026-11-19T12:05Z'],
      ['2026年11月19日 21時05分 (UTC+9)', '2026-11-19T12:05Z'],
      ['2026년 11월 19일 21시 05분 (KST)', '2026-11-19T12:05Z'],
      ['2026年11月19日 20时05分（北京时间）', '2026-11-19T12:05Z'],
      ['2026年11月19日 20点05分 GMT+0800', '2026-11-19T12:05Z'],
    ])
  })

  it('is found behind hours and minutes in words', () => {
    assertMoments([
      ['am 19. November 2026 um 21 Uhr 05 (MEZ)', '2026-11-19T20:05Z'],
      ['am 19. November 2026 um 21 Uhr MEZ', '2026-11-19T20:00Z'],
      ['am 19. November 2026 gegen 21 Uhr 05', '2026-11-19T21:05Z'],
      ['le 19 novembre 2026 à 21 heures 05 (CET)', '2026-11-19T20:05Z'],
      ['في 2026-11-19 الساعة 10:00', '2026-11-19T10:00Z'],
      ['2026-11-19، الساعة 10:00 بتوقيت مكة المكرمة', '2026-11-19T07:00Z'],
    ])
    // A span of time is no time of day.
    assertMoments([['seen on 19 November 2026 12 heures durant', '2026-11-19T00:00Z']])
  })

  it('may be named by a place, in summer and in winter', () => {
    assertMoments([
      ['19.11.2026 21:05 по московскому времени', '2026-11-19T18:05Z'],
      ['19.11.2026 в 21:05 (по московскому времени)', '2026-11-19T18:05Z'],
      ['19/11/2026 21:05 (hora de Madrid)', '2026-11-19T20:05Z'],
      ['19/07/2026 a las 21:05 (hora de Madrid)', '2026-07-19T19:05Z'],
      ['le 19/11/2026 à 21h05 (heure de Paris)', '2026-11-19T20:05Z'],
      ['le 19/07/2026 à 21:05, heure de Paris', '2026-07-19T19:05Z'],
      ['2026-11-19 21:05 Pacific Time', '2026-11-20T05:05Z'],
      ['2026-07-19 21:05 Pacific Time', '2026-07-20T04:05Z'],
      ['Nov 19, 2026 9:05 PM Eastern Time', '2026-11-20T02:05Z'],
      ['2026-11-19 21:05 ET', '2026-11-20T02:05Z'],
      ['2026-11-19 21:05 et', '2026-11-19T21:05Z'],
      ['2026-11-19 21:05 Central European Time', '2026-11-19T20:05Z'],
      ['2026-11-19 21:05 (UTC+3)', '2026-11-19T18:05Z'],
      ['2026-11-19 21:05 UTC+3', '2026-11-19T18:05Z'],
      ['2026-11-19 21:05 GMT+0200', '2026-11-19T19:05Z'],
      // The night in which the clocks go back, after they did.
      ['2026-10-25 03:30 (heure de Paris)', '2026-10-25T02:30Z'],
    ])
  })

  it('says whether it stands there, is that of all times, or of the reporter', () => {
    assert.equal(parseDateText('2026-11-19 21:05 Pacific Time', options)?.zone, 'named')
    assert.equal(parseDateText('Time (UTC) 2026-11-19 21:05', options)?.zone, 'stated')
    assert.equal(parseDateText('2026-11-19 21:05', options)?.zone, 'assumed')
  })
})
