import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  DATES_MAX,
  type DateOptions,
  findDates,
  parseDateText,
  parseMailDate,
  readMailDate,
} from './parse-date.ts'

const options: DateOptions = {
  mailDateMs: Date.parse('2026-03-02T10:00:00Z'),
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
  zoneMinutes: null,
}

function readAll(lines: readonly string[], changed: Partial<DateOptions> = {}): readonly string[] {
  const texts = [{ part: 'text', kind: 'body' as const, lines }]
  return findDates(texts, { ...options, ...changed }).map(({ ms }) => new Date(ms).toISOString())
}

function assertDates(cases: readonly (readonly [text: string, iso: string])[]): void {
  for (const [text, iso] of cases) {
    assert.deepEqual(readAll([text]), [new Date(iso).toISOString()], text)
  }
}

describe('a date with a month in words', () => {
  it('is read in the languages of the reports, with its time', () => {
    assertDates([
      ['We saw it on March 1st, 2026 at 2:32 PM UTC.', '2026-03-01T14:32Z'],
      ['Am 1. März 2026 um 14:32 Uhr', '2026-03-01T14:32Z'],
      ['Am 1. März 2026, 14.32 Uhr', '2026-03-01T14:32Z'],
      ['Le 1er mars 2026 à 14h32', '2026-03-01T14:32Z'],
      ['El 1 de marzo de 2026 a las 14:32', '2026-03-01T14:32Z'],
      ['Em 1º de março de 2026 às 14h32', '2026-03-01T14:32Z'],
      ['Il 1 marzo 2026 alle ore 14:32', '2026-03-01T14:32Z'],
      ['Op 1 maart 2026 om 14:32 uur', '2026-03-01T14:32Z'],
      ['1 marca 2026 r. o godz. 14:32', '2026-03-01T14:32Z'],
      ['1 марта 2026 года в 14:32 МСК', '2026-03-01T11:32Z'],
      ['1. března 2026 v 14:32', '2026-03-01T14:32Z'],
      ['Den 1 mars 2026 kl. 14:32', '2026-03-01T14:32Z'],
      ['1 Mart 2026 saat 14:32', '2026-03-01T14:32Z'],
      ['10 Ağustos 2025', '2025-08-10T00:00Z'],
      ['1. helmikuuta 2026 klo 14:32', '2026-02-01T14:32Z'],
      ['2026. február 1. 14:32', '2026-02-01T14:32Z'],
      ['2026年3月1日 14時32分10秒', '2026-03-01T14:32:10Z'],
      ['2026年3月1日 下午2:32', '2026-03-01T14:32Z'],
      ['2026년 3월 1일 오후 2시 32분', '2026-03-01T14:32Z'],
    ])
  })
})

describe('a date of a machine', () => {
  it('is read in every form logs and mails have', () => {
    assertDates([
      ['2026-03-01T12:34:56Z', '2026-03-01T12:34:56Z'],
      ['"timestamp":"2026-03-01T12:34:56.789000+02:00"', '2026-03-01T10:34:56.789Z'],
      ['2026/03/01 12:34:56 GMT-5', '2026-03-01T17:34:56Z'],
      ['20260301T123456Z', '2026-03-01T12:34:56Z'],
      ['2026-03-01 12:34:56+00', '2026-03-01T12:34:56Z'],
      ['| 2026-03-01 | 12:34:56 | CET |', '2026-03-01T11:34:56Z'],
      ['date=2026-03-01 time=12:34:56', '2026-03-01T12:34:56Z'],
      ['Sun, 01 Mar 2026 12:34:56 +0100 (CET)', '2026-03-01T11:34:56Z'],
      ['192.0.2.1 - - [01/Mar/2026:13:55:36 +0900] "GET / HTTP/1.1" 200', '2026-03-01T04:55:36Z'],
      ['Sun Mar  1 13:55:36 UTC 2026', '2026-03-01T13:55:36Z'],
      ['01-Mar-2026 13:55:36.123 client', '2026-03-01T13:55:36.123Z'],
      ['14:32 UTC on Sunday, 1 March 2026', '2026-03-01T14:32Z'],
      ['Timestamp: 1772368496', '2026-03-01T12:34:56Z'],
      ['time=1772368496123 '.replace('=', ': '), '2026-03-01T12:34:56.123Z'],
    ])
  })

  it('is no version, address, range of time or day that does not exist', () => {
    const texts = [
      'v2.1.26 10:00',
      '10.3.20.26',
      '192.0.2.1',
      '2026-02-30',
      'build 1.2.26',
      '31/02/2026',
    ]
    for (const text of texts) assert.deepEqual(readAll([text]), [], text)
    assert.deepEqual(readAll(['2026-03-01 12:00-14:00']), ['2026-03-01T12:00:00.000Z'])
  })

  it('is hardly trusted when it is a mere number, and not at all far from the report', () => {
    const bare = parseDateText('case 1772368496', options)
    const labelled = parseDateText('first seen: 1772368496', options)
    assert.ok(bare !== null && labelled !== null && bare.certainty < 0.5)
    assert.ok(labelled.certainty > 0.8)
    assert.equal(parseDateText('case 1500000000', options), null)
  })
})

describe('a date without a year', () => {
  it('takes the year of the mail, or the one before where it would lie after it', () => {
    assert.deepEqual(readAll(['Mar  1 13:55:36 host sshd[1]: Failed password']), [
      '2026-03-01T13:55:36.000Z',
    ])
    assert.deepEqual(readAll(['Dec 31 23:59:59 host kernel: DROP']), ['2025-12-31T23:59:59.000Z'])
  })

  it('may be on the morning of a new year that the mail has not reached in UTC', () => {
    const changed = {
      mailDateMs: Date.parse('2025-12-31T23:05:00Z'),
      receivedAtMs: Date.parse('2025-12-31T23:10:00Z'),
    }
    assert.deepEqual(
      readAll(['Jan  1 08:00:00 host sshd[1]: x'], { ...changed, zoneMinutes: 540 }),
      ['2025-12-31T23:00:00.000Z'],
    )
  })

  it('finds the leap year of a 29th of February', () => {
    assert.deepEqual(readAll(['Feb 29 10:00:00 host x']), ['2024-02-29T10:00:00.000Z'])
  })
})

describe('a date that may start with the day or the month', () => {
  const open = '04/02/2026 10:00'
  const dayFirst = '2026-02-04T10:00:00.000Z'

  it('follows another date of the mail that shows the order', () => {
    assert.deepEqual(
      readAll(['01/13/2026 10:00', '02/01/2026 10:00'])[1],
      '2026-02-01T10:00:00.000Z',
    )
    assert.deepEqual(
      readAll(['13/01/2026 10:00', '02/01/2026 10:00'])[1],
      '2026-01-02T10:00:00.000Z',
    )
  })

  it('follows a date in words of the same day', () => {
    assert.equal(
      readAll(['Seen on January 2, 2026', '01/02/2026 10:00'])[1],
      '2026-01-02T10:00:00.000Z',
    )
  })

  it('is never after the mail', () => {
    assert.deepEqual(readAll([open]), [dayFirst])
    assert.deepEqual(readAll([open], { zoneMinutes: -300 }), [])
  })

  it('is near the mail rather than months away, whatever the zone', () => {
    assert.deepEqual(readAll(['01/03/2026 10:00'], { zoneMinutes: -300 }), [
      '2026-03-01T15:00:00.000Z',
    ])
  })

  it('follows the habits of the zone where both readings are possible', () => {
    const changed = { zoneMinutes: -300 }
    assert.deepEqual(readAll(['02/01/2026 10:00'], changed), ['2026-02-01T15:00:00.000Z'])
    assert.deepEqual(readAll(['02/01/2026 10:00'], { zoneMinutes: 60 }), [
      '2026-01-02T09:00:00.000Z',
    ])
  })
})

describe('the zone', () => {
  it('is the one that the report states for all its times', () => {
    for (const statement of [
      'All times are in CET.',
      'Time zone: UTC+1',
      'Zeitzone: MEZ',
      'Timestamps in the log below are (GMT+1)',
      'Timezone: Europe/Berlin',
      'Часовой пояс: +01:00',
    ]) {
      assert.deepEqual(
        readAll([statement, '2026-03-01 12:00:00']),
        ['2026-03-01T11:00:00.000Z'],
        statement,
      )
    }
  })

  it('is not what an attacker writes into a log line, as the name of a user', () => {
    const attack = 'Mar  1 10:00:00 host sshd[1]: Invalid user Time zone: UTC+9 from 192.0.2.1'
    const line = '2026-03-01 12:00:00'
    assert.deepEqual(readAll([attack, line]).at(-1), '2026-03-01T12:00:00.000Z')
    const before = 'Times are in CET: Mar  1 10:00:00 host sshd[1]: Failed password for root'
    assert.deepEqual(readAll([before, line]).at(-1), '2026-03-01T11:00:00.000Z')
  })

  it('is that of the Date header where the report is silent, and none for a mere day', () => {
    assert.deepEqual(readAll(['2026-03-01 12:00:00'], { zoneMinutes: 60 }), [
      '2026-03-01T11:00:00.000Z',
    ])
    assert.deepEqual(readAll(['2026-03-01'], { zoneMinutes: 60 }), ['2026-03-01T00:00:00.000Z'])
    assert.equal(parseDateText('2026-03-01 12:00', options)?.zone, 'assumed')
    assert.equal(parseDateText('2026-03-01 12:00 EST', options)?.zone, 'named')
  })

  it('of several meanings is that of the mail', () => {
    const text = '2026-03-01 12:00:00 IST'
    assert.deepEqual(readAll([text]), ['2026-03-01T06:30:00.000Z'])
    assert.deepEqual(readAll([text], { zoneMinutes: 120 }), ['2026-03-01T10:00:00.000Z'])
    assert.deepEqual(readAll([text], { zoneMinutes: 60 }), ['2026-03-01T11:00:00.000Z'])
  })
})

function isoOf(text: string): readonly string[] {
  return [new Date(text).toISOString()]
}

describe('a zone in words', () => {
  it('counts behind the time, and behind the word for the hour', () => {
    assertDates([
      ['01.03.2026, 21:05 Uhr MEZ', '2026-03-01T20:05Z'],
      ['01.07.2025 21:05 Uhr (MESZ)', '2025-07-01T19:05Z'],
      ['01.03.2026 10:00:00 (московское время)', '2026-03-01T07:00Z'],
      ['2026年3月1日 18:30 (日本時間)', '2026-03-01T09:30Z'],
      ['2026-03-02 09:00:00 (北京时间)', '2026-03-02T01:00Z'],
      ['2026-03-01 09:00:00 Indian Standard Time', '2026-03-01T03:30Z'],
      // The offset is surer than the name, which has several meanings.
      ['01-03-2026 18:22:10 IST (UTC+05:30)', '2026-03-01T12:52:10Z'],
      ['1 March 2026, 09:00-10:00 UTC', '2026-03-01T09:00Z'],
      ['03/01/2026-14:22:05.120931 [**]', '2026-03-01T14:22:05.120Z'],
    ])
  })

  it('holds for the times below a sentence that states it', () => {
    const row = '192.0.2.1 2026-03-01 16:00:10'
    const read = (...lines: readonly string[]): readonly string[] => readAll([...lines, row])
    assert.deepEqual(read('All times below are in UTC+0200.'), isoOf('2026-03-01T14:00:10Z'))
    assert.deepEqual(
      read('We saw spam. All times are Pacific', 'Standard Time.'),
      isoOf('2026-03-02T00:00:10Z'),
    )
    assert.deepEqual(read('以下时间均为北京时间'), isoOf('2026-03-01T08:00:10Z'))
    assert.deepEqual(read('Pacific Standard Time sells watches.'), isoOf('2026-03-01T16:00:10Z'))
  })
})

describe('seconds since 1970', () => {
  it('are read behind a label, and are a number elsewhere', () => {
    assertDates([['ts=1772352000 src=192.0.2.1', '2026-03-01T08:00Z']])
    assert.deepEqual(readAll(['id=1772352000', 'https://a.test/?ts=1772352000']), [])
  })
})

describe('findDates', () => {
  it('joins a time on the line below its day', () => {
    assert.deepEqual(readAll(['Date: 2026-03-01', 'Time: 14:32:11 UTC']), [
      '2026-03-01T14:32:11.000Z',
    ])
    assert.deepEqual(readAll(['Datum: 01.03.2026', 'Quelle: x', 'Uhrzeit: 14:32']), [
      '2026-03-01T14:32:00.000Z',
    ])
  })

  it('never gives a day after tomorrow', () => {
    assert.deepEqual(readAll(['2026-03-05', '2027-01-01 10:00']), [])
    assert.equal(readAll(['2026-03-03 11:59 UTC']).length, 1)
  })

  it('doubts a date of registration', () => {
    const created = parseDateText('created: 2020-01-01', options)
    assert.ok(created !== null && created.certainty < 0.3)
  })

  it('tells where it stands', () => {
    const [span] = findDates(
      [{ part: 'attachment log.txt', kind: 'attachment', lines: ['', 'at 2026-03-01 12:00 UTC.'] }],
      options,
    )
    const { part, line, column, text, hasTime } = span ?? assert.fail('a date was expected')
    assert.deepEqual(
      { part, line, column, text, hasTime },
      {
        part: 'attachment log.txt',
        line: 2,
        column: 3,
        text: '2026-03-01 12:00 UTC',
        hasTime: true,
      },
    )
  })

  it('gives spans that stand in their line, in order and in the past, whatever the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '1',
        '03',
        '13',
        '31',
        '2026',
        '26',
        '-',
        '/',
        '.',
        ':',
        ' ',
        ', ',
        'T',
        'Z',
        'Mar',
        'März',
        'de',
        'PM',
      ),
      fc.constantFrom(
        'UTC',
        'IST',
        '+01:00',
        '12:34:56',
        '年',
        '月',
        '日',
        '오후',
        '1772368496',
        'Time: ',
        'at ',
        '(',
      ),
      fc.string({ maxLength: 3 }),
    )
    const line = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const spans = findDates([{ part: 'text', kind: 'body', lines }], options)
        for (const span of spans) {
          const { column, text, ms, certainty } = span
          assert.equal(lines[span.line - 1]?.slice(column, column + text.length), text)
          assert.ok(ms <= options.receivedAtMs + 86_400_000 && certainty >= 0 && certainty <= 1)
        }
        const places = spans.map((span) => span.line * 1e6 + span.column)
        assert.deepEqual(
          places,
          places.toSorted((left, right) => left - right),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('stops at its bound and reads hostile lines', () => {
    const lines = Array.from({ length: DATES_MAX + 100 }, () => '2026-03-01')
    assert.equal(readAll(lines).length, DATES_MAX)
    const hostile = ['1', '1 ', 'Mar ', '1:1', ' ', 'times in ', '12:00 ', '2026-'].map((piece) =>
      piece.repeat(200_000 / piece.length),
    )
    assert.deepEqual(readAll(hostile), [])
  })
})

describe('parseMailDate', () => {
  it('reads the forms of RFC 5322, obsolete ones and common mistakes', () => {
    for (const [text, iso, zone] of [
      ['Sun, 1 Mar 2026 12:34:56 +0100', '2026-03-01T11:34:56Z', 60],
      ['1 Mar 26 12:34 EST', '2026-03-01T17:34:00Z', -300],
      ['Sun, 1 Mar 2026 12:34:56 -0000', '2026-03-01T12:34:56Z', null],
      ['Sun,  1 Mar 2026\r\n 12:34:56 (local (winter) time\\)) GMT', '2026-03-01T12:34:56Z', 0],
      ['Sun Mar  1 12:34:56 2026', '2026-03-01T12:34:56Z', null],
      ['2026-03-01T12:34:56+09:00', '2026-03-01T03:34:56Z', 540],
      ['Sun, 1 Mar 2026 2:34:56 PM UTC', '2026-03-01T14:34:56Z', 0],
      ['Mon, 1 Mar 2026 12:34:56 GMT+2', '2026-03-01T10:34:56Z', 120],
      ['So, 1 März 2026 12:34:56 +0100', '2026-03-01T11:34:56Z', 60],
      ['1 Mar 126 12:00:00 A', '2026-03-01T12:00:00Z', null],
      ['1 Jan 99 12:00:00 UT', '1999-01-01T12:00:00Z', 0],
    ] as const) {
      assert.deepEqual(readMailDate(text), { ms: Date.parse(iso), zoneMinutes: zone }, text)
      assert.equal(parseMailDate(text), Date.parse(iso))
    }
  })

  it('is null for what is no date', () => {
    const texts = [
      '',
      'yesterday',
      'Sun, 31 Feb 2026 12:00:00 +0000',
      '1 Mar 2026 25:00 UTC',
      '('.repeat(9_999),
    ]
    for (const text of texts) assert.equal(parseMailDate(text), null, text.slice(0, 40))
  })
})
