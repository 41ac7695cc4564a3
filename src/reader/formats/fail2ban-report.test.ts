import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMailReport } from '../../../test/mail-report.ts'
import { FAIL2BAN_FORMAT } from './fail2ban-report.ts'
import { readLogLine } from './log-lines.ts'

test('only lines that name the very address are its evidence', () => {
  const text = [
    'The IP 192.0.2.1 has just been banned by Fail2Ban after',
    '5 attempts against sshd.',
    'Lines containing failures of 192.0.2.1 (max 1000)',
    'Mar  1 04:00:00 host sshd[1]: Failed password for root from 192.0.2.1 port 4 ssh2',
    'Mar  1 04:00:09 host sshd[1]: Failed password for root from 192.0.2.10 port 4 ssh2',
  ].join('\n')
  const result = FAIL2BAN_FORMAT.read(buildMailReport([{ text }]))
  assert.ok(result?.kind === 'report')
  const [read] = result.events
  assert.equal(result.events.length, 1)
  assert.equal(read?.event.eventDate, '2026-03-01T03:00:00.000Z')
  assert.doesNotMatch(JSON.stringify(read?.event.details), /sshd\./)
  assert.doesNotMatch(JSON.stringify(read?.event.details), /192\.0\.2\.10/)
  assert.deepEqual(
    read?.findings.map(({ field }) => field),
    ['/ip', '/event_type', '/event_date', '/sender_email', '/event_subtypes', '/event_details'],
  )
})

function readEvents(...lines: readonly string[]) {
  const result = FAIL2BAN_FORMAT.read(buildMailReport([{ text: lines.join('\n') }]))
  assert.ok(result?.kind === 'report', JSON.stringify(result))
  return result.events
}

const BANNED_IPV6 = 'The IP 2001:db8::1 has just been banned by Fail2Ban after 5 attempts.'

for (const spelling of [
  'SRC=2001:0db8:0000:0000:0000:0000:0000:0001 DST=2001:0db8::0025',
  'rip=2001:DB8::1, lip=2001:db8::25',
  'from unknown[2001:db8:0:0::1]: lost connection',
  '[client 2001:db8::1:51404] not found',
  'peer [2001:db8::1]:443.',
]) {
  test(`a line is evidence against an IPv6 address in another spelling: ${spelling}`, () => {
    const line = `Mar  1 04:00:00 host kernel: ${spelling}`
    const [read] = readEvents(BANNED_IPV6, line)
    assert.equal(read?.event.details?.['sample'], line)
  })
}

test('a line about an IPv6 address that begins with the same groups is no evidence', () => {
  const [read] = readEvents(
    BANNED_IPV6,
    'Mar  1 04:00:00 host sshd[1]: Failed password for root from 2001:db8::1:2 port 4 ssh2',
    'Mar  1 04:00:00 host sshd[1]: Failed password for root from 2001:db8::11 port 4 ssh2',
    'Mar  1 04:00:00 host sshd[1]: Failed password for root from 2001:db8:: port 4 ssh2',
  )
  assert.equal(read?.event.details?.['sample'], undefined)
})

test('what an attacker wrote into the log accuses nobody', () => {
  const events = readEvents(
    'The IP 192.0.2.1 has just been banned by Fail2Ban after 5 attempts against nginx.',
    '192.0.2.1 - - [01/Mar/2026:04:00:00 +0100] "GET / HTTP/1.1" 404 1 "-" "The IP 198.51.100.9 has just been banned by Fail2Ban"',
    'Mar  1 04:00:00 host sshd[1]: Invalid user Lines containing IP:198.51.100.9 from 192.0.2.1',
    `Mar  1 04:00:00 host sshd[1]: The IP 198.51.100.9 has just been banned by Fail2Ban ${'x'.repeat(5_000)}`,
    '> Mar  1 04:00:00 host sshd[1]: Invalid user [Fail2Ban] ssh: banned 198.51.100.9 from 192.0.2.1',
  )
  assert.deepEqual(
    events.map(({ event }) => [event.ip, event.details?.['service']]),
    [['192.0.2.1', 'nginx']],
  )
})

test('nor does it move the time, by which the customer of an address is found', () => {
  const [read] = readEvents(
    'The IP 192.0.2.1 has just been banned by Fail2Ban after 5 attempts against sshd.',
    'Mar  1 04:00:00 host sshd[1]: Invalid user root from 192.0.2.1',
    'Mar  1 04:00:00 host sshd[1]: Invalid user Local timezone is -1100 from 192.0.2.10',
  )
  assert.equal(read?.event.eventDate, '2026-03-01T03:00:00.000Z')
})

test('nor does what an attacker wrote into a log that is attached', () => {
  const text = 'The IP 192.0.2.1 has just been banned by Fail2Ban after 5 attempts against nginx.'
  const log = '{"agent": "The IP 198.51.100.9 has just been banned by Fail2Ban"}'
  const result = FAIL2BAN_FORMAT.read(buildMailReport([{ text }, { fileName: 'a.log', text: log }]))
  assert.ok(result?.kind === 'report')
  assert.deepEqual(
    result.events.map(({ event }) => event.ip),
    ['192.0.2.1'],
  )
})

test('null for a log that is quoted in other words, and for talk about fail2ban', () => {
  for (const text of [
    'Your host 192.0.2.1 attacked us:\nMar  1 04:00:00 host sshd[1]: Failed password for root from 192.0.2.1 port 4',
    'We use fail2ban on all our machines. Our address is 192.0.2.1.',
  ]) {
    assert.equal(FAIL2BAN_FORMAT.read(buildMailReport([{ text }])), null)
  }
})

test('a log line tells its program and the kind of attack', () => {
  for (const [text, program, kind] of [
    ['Mar  1 04:00:00 host sshd[1]: Failed password for root from 192.0.2.1', 'sshd', 'login'],
    [
      '2026-03-01T04:00:00+01:00 host postfix/smtpd[1]: warning: SASL LOGIN failed',
      'postfix',
      'login',
    ],
    ['192.0.2.1 - - [01/Mar/2026:04:00:00 +0100] "GET /.env HTTP/1.1" 404 1', 'http', 'web'],
    [
      '192.0.2.1 - - [01/Mar/2026:04:00:00 +0100] "POST /wp-login.php HTTP/1.1" 200 1',
      'http',
      'login',
    ],
    [
      'Mar  1 04:00:00 fw kernel: DROP SRC=192.0.2.1 DST=198.51.100.1 PROTO=TCP DPT=23',
      'firewall',
      'scan',
    ],
    [
      'Mar  1 04:00:00 mx postfix/smtpd[1]: NOQUEUE: reject: RCPT from x: blocked using list',
      'postfix',
      'spam',
    ],
  ] as const) {
    const line = readLogLine(text, 1)
    assert.equal(line?.program, program, text)
    assert.equal(line?.kind, kind, text)
  }
  for (const text of ['', 'Dear abuse team,', 'x'.repeat(100_000)]) {
    assert.equal(readLogLine(text, 1), null)
  }
})
