import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Mail, ReadableText } from '../mail/mail.ts'
import type { ReadReport, ReportResult } from '../reading.ts'
import { extractFromText } from './text-format.ts'

const RECEIVED_AT = Date.parse('2026-03-02T12:00:00Z')

function readTexts(texts: readonly ReadableText[], subject = 'Abuse report'): ReportResult {
  const mail: Mail = {
    headers: [],
    subject,
    messageId: '<1@reporter.example>',
    dateMs: RECEIVED_AT - 3_600_000,
    from: [{ displayName: '', address: 'soc@reporter.example' }],
    replyTo: [],
    to: [{ displayName: '', address: 'abuse@hoster.example' }],
    parts: [],
    defects: [],
  }
  return extractFromText({
    mail,
    context: { receivedAtMs: RECEIVED_AT, mediaType: 'message/rfc822', fallbackReporter: null },
    reporter: { org: '', contact: 'soc@reporter.example', domain: 'reporter.example' },
    reportId: '<1@reporter.example>',
    texts: [{ part: 'subject', kind: 'subject', lines: [subject] }, ...texts],
  })
}

function readBody(body: string, subject?: string): ReportResult {
  return readTexts([{ part: 'text', kind: 'body', lines: body.split('\n') }], subject)
}

function read(body: string, subject?: string): ReadReport {
  const result = readBody(body, subject)
  assert.equal(result.kind, 'report', JSON.stringify(result))
  return result
}

/** `ip url-or-domain` of each event. */
function events(body: string, subject?: string): readonly string[] {
  return read(body, subject).events.map(({ event }) =>
    [event.ip, textOf(event.details?.['url']) ?? event.domain]
      .filter((text) => text !== null)
      .join(' '),
  )
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

test('a header that begins an attachment, behind one that ends the text, is a mail of its own', () => {
  const result = readTexts([
    {
      part: 'text',
      kind: 'body',
      lines: [
        'We received spam from your network. The headers of both mails:',
        '',
        'Received: from one.example ([192.0.2.1]) by mx.reporter.example; Mon, 2 Mar 2026 10:00:00 +0000',
      ],
    },
    {
      part: 'attachment second.txt',
      kind: 'attachment',
      lines: [
        'Received: from two.example ([198.51.100.2]) by mx.reporter.example; Mon, 2 Mar 2026 10:05:00 +0000',
        'Subject: Cheap pills',
      ],
    },
  ])
  assert.equal(result.kind, 'report', JSON.stringify(result))
  assert.deepEqual(
    result.events.map(({ event }) => event.ip),
    ['192.0.2.1', '198.51.100.2'],
  )
})

describe('the source of an attack', () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['label and target', 'Target: 198.51.100.1\nSource: 192.0.2.1'],
    ['label in the line above', 'Destination IP\n198.51.100.1\nSource IP\n192.0.2.1'],
    ['sentence', 'Our server 198.51.100.1 was attacked by 192.0.2.1 today.'],
    [
      'sentence over two lines',
      'We received many login attempts on our external mail server\n198.51.100.1 from 192.0.2.1 today.',
    ],
    ['owner', 'We (198.51.100.1 is our IP) saw your host 192.0.2.1 attack us.'],
    [
      'arrow',
      '12:00:00 198.51.100.9:4444 -> 203.0.113.1:22 x\n'.replace('198.51.100.9', '192.0.2.1'),
    ],
    ['log keys', 'src=192.0.2.1 dst=198.51.100.1 act=drop'],
    ['tcpdump', 'IP 192.0.2.1.51000 > 198.51.100.1.53: UDP, length 64'],
    ['brackets', 'connect from unknown[192.0.2.1] to mx.reporter.example[198.51.100.1]'],
    ['behind', '198.51.100.1 (victim)\n192.0.2.1 (attacker)'],
    ['German', 'Ziel-IP: 198.51.100.1\nQuell-IP: 192.0.2.1'],
    ['French', 'IP de destination : 198.51.100.1\nIP source : 192.0.2.1'],
    ['Spanish', 'IP de destino: 198.51.100.1\nIP de origen: 192.0.2.1'],
    ['Italian', 'IP di destinazione: 198.51.100.1\nIP sorgente: 192.0.2.1'],
    ['Portuguese', 'IP de destino: 198.51.100.1\nIP de origem: 192.0.2.1'],
    ['Dutch', 'Doel-IP: 198.51.100.1\nBron-IP: 192.0.2.1'],
    ['Polish', 'Docelowy adres IP: 198.51.100.1\nŹródłowy adres IP: 192.0.2.1'],
    ['Russian', 'IP назначения: 198.51.100.1\nIP источника: 192.0.2.1'],
    ['Japanese', '宛先IP:198.51.100.1\n送信元IP:192.0.2.1'],
    ['Korean', '목적지 IP: 198.51.100.1\n출발지 IP: 192.0.2.1'],
    ['Chinese', '目标IP:198.51.100.1\n源IP:192.0.2.1'],
    ['Swedish', 'Måladress: 198.51.100.1\nKälladress: 192.0.2.1'],
    ['Danish', 'Destination: 198.51.100.1\nKilde: 192.0.2.1'],
    ['Czech', 'Cílová adresa: 198.51.100.1\nZdrojová adresa: 192.0.2.1'],
    ['Turkish', 'Hedef IP: 198.51.100.1\nKaynak IP: 192.0.2.1'],
  ]
  for (const [what, body] of bodies) {
    test(`is found by ${what}`, () => assert.deepEqual(events(body), ['192.0.2.1']))
  }

  test('is the first address when nothing names one', () => {
    assert.deepEqual(events('See 192.0.2.1 please. We also know 198.51.100.1 there.'), [
      '192.0.2.1',
    ])
  })

  test('is each of a list', () => {
    assert.deepEqual(events('Please check:\n192.0.2.1\n192.0.2.2\n192.0.2.3'), [
      '192.0.2.1',
      '192.0.2.2',
      '192.0.2.3',
    ])
  })

  test('is in the column of sources', () => {
    const table =
      'Time | Source | Target\n10:00 | 192.0.2.1 | 198.51.100.1\n10:01 | 192.0.2.2 | 198.51.100.1'
    assert.deepEqual(events(table), ['192.0.2.1', '192.0.2.2'])
  })

  test('is never a version, a private address or a time', () => {
    const result = readBody('Agent v192.0.2.1, 10.0.0.1, Chrome/192.0.2.2, 12:34:56, ::1')
    assert.match(result.kind === 'unreadable' ? result.reason : '', /names no address/)
  })

  test('counts in a quoted mail only when nothing else is there', () => {
    assert.deepEqual(events('Bad host 192.0.2.1.\n> old 192.0.2.9'), ['192.0.2.1'])
    assert.deepEqual(events('See below.\n> bad host 192.0.2.9'), ['192.0.2.9'])
  })
})

describe('a reported link', () => {
  test('is told from the site it imitates and from evidence', () => {
    const body =
      'Phishing: hxxps://evil[.]test/a\nOfficial site: https://bank.example/\nScreenshot: https://shots.example/1.png'
    const { events: found, passedOver } = read(body)
    assert.deepEqual(
      found.map(({ event }) => event.details?.['url']),
      ['https://evil.test/a'],
    )
    assert.deepEqual(
      passedOver.map(({ role }) => role),
      ['legitimate site', 'evidence'],
    )
  })

  test('has the address of its row', () => {
    const table = 'Phishing URL | IP\nhttp://a.test/1 | 192.0.2.1\nhttp://b.test/2 | 192.0.2.2'
    assert.deepEqual(events(table), ['192.0.2.1 http://a.test/1', '192.0.2.2 http://b.test/2'])
  })

  test('is one of 300 at one address', () => {
    const list = Array.from({ length: 300 }, (_, at) => `http://files.test/${at}`)
    const found = events(`Malware URLs on 192.0.2.1:\n${list.join('\n')}`)
    assert.equal(found.length, 300)
    assert.ok(found.every((each) => each.startsWith('192.0.2.1 http://files.test/')))
  })

  test('that stands alone as a host is a domain', () => {
    const [only] = read('Phishing domain: evil[.]test').events
    assert.equal(only?.event.domain, 'evil.test')
    assert.equal(only?.event.details?.['url'], undefined)
  })

  test('is no event when it belongs to the reporter', () => {
    assert.deepEqual(events('Phishing at http://evil.test/x, see https://www.reporter.example/1'), [
      'http://evil.test/x',
    ])
  })
})

describe('a result', () => {
  test('says of each value where it stands and why it was taken', () => {
    const [only] = read('Source: 192.0.2.1 at 2026-03-01 10:00:00 UTC').events
    const fields = only?.findings.map(({ field }) => field) ?? []
    assert.ok(['/ip', '/event_date', '/sender_email'].every((field) => fields.includes(field)))
    const ip = only?.findings.find(({ field }) => field === '/ip')
    assert.equal(ip?.line, 1)
    assert.equal(ip?.rank, 1)
    assert.equal(ip?.role, 'source')
    assert.match(ip?.reason ?? '', /source/)
  })

  test('is refused beyond its events, and bounded in what it passes over', () => {
    const list = Array.from({ length: 12_000 }, (_, at) => `198.51.${at >> 8}.${at & 255}`)
    const over = readBody(`Attackers:\n${list.join('\n')}`)
    assert.match(over.kind === 'unreadable' ? over.reason : '', /at most 10000/)
    const victims = list.slice(0, 1_000)
    const result = readBody(`Attacker: 192.0.2.7\n\nVictims:\n${victims.join('\n')}`)
    assert.ok(result.kind === 'report' && result.events.length === 1)
    assert.equal(result.passedOver.length, 50)
  })

  const piece = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.ipV4(),
    fc.ipV6(),
    fc.webUrl(),
    fc.constantFrom(
      'Source: ',
      'Ziel: ',
      '\n',
      ' | ',
      '> ',
      'hxxp://',
      '[.]',
      'Received: from ',
      '\n\n',
      '--\n',
      ' -> ',
      'On Monday wrote:',
      'inetnum: ',
      '{',
      '(',
      '<',
      '2026-03-01 10:00',
    ),
  )
  const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  test('never throws, and its addresses stand in the text', () => {
    fc.assert(
      fc.property(body, (text) => {
        const result = readBody(text)
        if (result.kind !== 'report') return
        const flat = text.toLowerCase().replaceAll(/\[\.\]/g, '.')
        for (const { event } of result.events) {
          if (event.ip === null || event.ip.includes(':')) continue
          assert.ok(flat.includes(event.ip), `${event.ip} is not in ${text}`)
        }
      }),
      { numRuns: 300 },
    )
  })

  // Quadratic reading of 400 kB takes minutes and runs into the time limit of the test.
  const hostile: readonly (readonly [string, string])[] = [
    ['dots', 'a.'],
    ['digits', '1.'],
    ['colons', '1:'],
    ['schemes', 'http://'],
    ['brackets', '[.]('],
    ['at signs', 'a@'],
    ['spaces', ' '],
    ['quotes', '> '],
    ['labels', 'source ip '],
    ['hosts', 'a.example '],
    ['bars', 'ip | '],
    ['letters', 'a'],
    ['hyphens', 'a-'],
    ['wrote', 'On 1 wrote '],
    ['addresses', '192.0.2.1 '],
    ['semicolons', '{a:b;}'],
    ['arrows', '192.0.2.1 -> '],
    ['ideographs', '源地址'],
    ['cases', 'case id '],
  ]
  for (const [what, unit] of hostile) {
    test(`is linear in ${what}, in one line and in many`, () => {
      const text = unit.repeat(400_000 / unit.length)
      readBody(text)
      readBody(text.replaceAll(/.{72}/gu, '$&\n'))
    })
  }
})

describe('a label on the line itself', () => {
  test('outweighs a sentence above it', () => {
    const body = 'This page attacks our customers:\n\nhttps://evil.test/a\n\nIP: 192.0.2.1'
    assert.deepEqual(events(body, 'Phishing page'), ['192.0.2.1 https://evil.test/a'])
    const wrapped =
      'We found a phishing page on your servers that was made in order to attack\nour customers:\n\nhttps://evil.test/a\n\nIP: 192.0.2.1'
    assert.deepEqual(events(wrapped, 'Phishing page'), ['192.0.2.1 https://evil.test/a'])
  })

  test('yields to a title above it', () => {
    const body = 'Victims\nIP: 198.51.100.1\n\nAttackers\nIP: 192.0.2.1'
    assert.deepEqual(events(body, 'Attack'), ['192.0.2.1'])
  })

  test('is not taken for a heading of the line below', () => {
    const body = 'Reference: AB-100\n\nURL: https://evil.test/a\nIP: 192.0.2.1'
    assert.deepEqual(events(body, 'Phishing'), ['192.0.2.1 https://evil.test/a'])
  })
})

describe('a sentence above a link', () => {
  test('counts by what it says last, and by what is reported where it says both', () => {
    const last =
      'Our site https://bank.example is copied. The phishing page is:\n\nhttps://evil.test/a'
    assert.deepEqual(events(last, 'Phishing page'), ['https://evil.test/a'])
    const both =
      'You host, at this very moment, an imitation, a phishing page:\n\nhttps://evil.test/a'
    assert.deepEqual(events(both, 'Phishing page'), ['https://evil.test/a'])
  })

  test('that goes on in its line names the original', () => {
    const body =
      'On the page\n\nhttps://evil.test/a\n\npictures of our client are shown without leave. The original work is found\nunder https://artist.example/a today.'
    assert.deepEqual(events(body, 'Copyright infringement'), ['https://evil.test/a'])
  })
})

describe('an address in brackets behind a host', () => {
  test('is the reporter’s where the host is', () => {
    const body =
      'The log of mail.reporter.example [198.51.100.1] shows failed logins from 192.0.2.1.'
    assert.deepEqual(events(body), ['192.0.2.1'])
    assert.deepEqual(
      events('Host 192.0.2.1 attacks.\nSeen by 198.51.100.1 (mx.reporter.example)'),
      ['192.0.2.1'],
    )
  })

  test('is what the words before the host say', () => {
    const body = 'Destination: shop.victim.test (198.51.100.1)\nAttack from 192.0.2.1'
    assert.deepEqual(events(body), ['192.0.2.1'])
  })
})

test('the only address of a complaint is reported, whatever it is called', () => {
  const body = 'The name server at 192.0.2.1 answers everybody. Such an open resolver is abused.'
  assert.deepEqual(events(body, 'Open resolver'), ['192.0.2.1'])
})

test('a link ends before a typographic quote', () => {
  assert.deepEqual(events('URL: “https://evil.test/a”\nURL: «https://evil.test/b»', 'Phishing'), [
    'https://evil.test/a',
    'https://evil.test/b',
  ])
})

test('what is the reporter’s own is passed over as that', () => {
  const { passedOver } = read('Phishing at https://evil.test/a\nhttps://www.reporter.example/help')
  const own = passedOver.find(({ role }) => role === 'reporter')
  assert.match(own?.reason ?? '', /^It is the reporter's own\. /)
})

function dates(body: string, subject?: string): readonly string[] {
  return read(body, subject).events.map(({ event }) => event.eventDate)
}

describe('the time of an event', () => {
  test('is not the date in the head of a mail that was passed on', () => {
    const body =
      'From: Kim <kim@a.example>\nTo: desk@hoster.example\nSubject: scan\nDate: 2026-03-01 20:00:00 UTC\n\nYour 192.0.2.1 scans our router\n198.51.100.1:\n\n2026-03-01 07:44:10 UTC 192.0.2.1:51120 -> 198.51.100.1:22'
    assert.deepEqual(dates(body, 'FW: scan'), ['2026-03-01T07:44:10.000Z'])
  })

  test('stands near a place in the text when the subject names the address best', () => {
    const body =
      'Date of the first contact: 2026-02-20 10:00:00 UTC.\n\n\n\n\n\n\n\n\n\n\n\n\nYou host 192.0.2.1.\nSeen: 2026-03-01 08:15:30 UTC'
    assert.deepEqual(dates(body, 'Attack from 192.0.2.1'), ['2026-03-01T08:15:30.000Z'])
  })
})

test('a site in the subject and its page in the text are one matter', () => {
  const body = 'URL: http://site.test/index.html'
  assert.deepEqual(events(body, 'Website defaced: http://site.test/'), [
    'http://site.test/index.html',
  ])
  assert.deepEqual(events(body, 'Website defaced: http://other.test/'), ['http://other.test/'])
})

test('says of a text beyond the bounds that its rest was not read', () => {
  const lines = ['Attack from 192.0.2.1', ...Array.from({ length: 20_000 }, () => 'x')]
  const result = readTexts([{ part: 'text', kind: 'body', lines }])
  assert.ok(result.kind === 'report')
  const [first] = result.passedOver
  assert.match(first?.reason ?? '', /^The rest of the text was not read: /)
  assert.equal(first?.line, 20_000)
  assert.ok(!read('Attack from 192.0.2.1').passedOver.some(({ reason }) => /not read/.test(reason)))
})

test('a drawn table has columns', () => {
  const table =
    '+--------+--------+\n| Attacker | Victim |\n+--------+--------+\n| 192.0.2.1 | 198.51.100.1 |\n| 192.0.2.2 | 198.51.100.2 |'
  assert.deepEqual(events(table, 'Scan'), ['192.0.2.1', '192.0.2.2'])
})

const LETTER =
  'We received the complaint below. Phishing, phishing pages and malware are forbidden, see http://terms.test/\n\n----- Original Message -----\n'

describe('what a hoster writes around a complaint', () => {
  test('does not decide its type, and its links are nobody', () => {
    const { events: all } = read(`${LETTER}Your server 192.0.2.1 scans our ports.`)
    assert.deepEqual(
      all.map(({ event }) => [event.eventType, event.ip, event.domain]),
      [['PortScan', '192.0.2.1', null]],
    )
  })

  test('names the address where the complaint names none', () => {
    const letter = LETTER.replace('below.', 'below about 192.0.2.2.')
    const { events: all } = read(`${letter}Your server scans our ports.`)
    assert.deepEqual(
      all.map(({ event }) => [event.eventType, event.ip]),
      [['PortScan', '192.0.2.2']],
    )
  })

  test('tells the kind where the complaint does not', () => {
    const { events: all } = read(`${LETTER}Complaint about 192.0.2.1.`)
    assert.deepEqual(
      all.map(({ event }) => event.eventType),
      ['Phishing'],
    )
  })
})
