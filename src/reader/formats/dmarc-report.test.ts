import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMailReport } from '../../../test/mail-report.ts'
import { DMARC_FORMAT } from './dmarc-report.ts'

function dmarcReport(rows: string) {
  const text = `<feedback><report_metadata><email>d@mailbox.example.org</email><report_id>r1</report_id></report_metadata>
<policy_published><domain>a.example</domain></policy_published>${rows}</feedback>`
  return buildMailReport([{ fileName: 'r.xml', mediaType: 'text/xml', text }])
}

function row(ip: string, dkim: string, spf: string): string {
  return `\n<record><row><source_ip>${ip}</source_ip><policy_evaluated>${dkim}${spf}</policy_evaluated></row></record>`
}

function readXml(text: string) {
  return DMARC_FORMAT.read(buildMailReport([{ fileName: 'r.xml', text }]))
}

test('only rows that failed both become events, the others are told as passed over', () => {
  const result = DMARC_FORMAT.read(
    dmarcReport(
      row('192.0.2.1', '<dkim>fail</dkim>', '<spf>fail</spf>') +
        row('192.0.2.2', '<dkim>pass</dkim>', '<spf>fail</spf>') +
        row('192.0.2.3', '<dkim>fail</dkim>', '<spf>pass</spf>') +
        row('192.0.2.4', '', '') +
        row('not an address', '<dkim>fail</dkim>', '<spf>fail</spf>'),
    ),
  )
  assert.ok(result?.kind === 'report')
  assert.deepEqual(
    result.events.map(({ event }) => [event.ip, event.domain, event.reportId]),
    [['192.0.2.1', 'a.example', 'r1']],
  )
  assert.equal(result.events[0]?.findings[0]?.line, 3)
  assert.equal(result.passedOver.length, 4)
  assert.equal(result.reporter.contact, 'd@mailbox.example.org')
})

function record(policy: string, results = ''): string {
  return `<record><row><source_ip>192.0.2.1</source_ip><policy_evaluated>${policy}</policy_evaluated></row>
    <identifiers><header_from>shop.a.example</header_from></identifiers><auth_results>${results}</auth_results></record>`
}

function writeSpf(domain: string, result: string): string {
  return `<spf><domain>${domain}</domain><result>${result}</result></spf>`
}

function isEvent(policy: string, results = ''): boolean {
  return DMARC_FORMAT.read(dmarcReport(record(policy, results)))?.kind === 'report'
}

test('the failure of one mechanism alone makes an event only where the other surely did not pass', () => {
  const failed = '<dkim>fail</dkim>'
  assert.equal(isEvent(failed), false)
  assert.equal(isEvent(`<disposition>none</disposition>${failed}`), false)
  assert.equal(isEvent(`<disposition>reject</disposition>${failed}`), true)
  assert.equal(isEvent(failed, writeSpf('mail.a.example', 'pass')), false)
  assert.equal(isEvent(failed, writeSpf('other.example', 'pass')), true)
  assert.equal(isEvent(failed, writeSpf('a.example', 'softfail')), true)
  const rejected = `<disposition>reject</disposition>${failed}`
  assert.equal(isEvent(rejected, writeSpf('a.example', 'pass')), false)
})

test('a report without a sound address of its sender leaves the reporter of the mail', () => {
  const text = `<feedback><report_metadata><email>mailto: d@mailbox</email></report_metadata>${row('192.0.2.1', '<dkim>fail</dkim>', '<spf>fail</spf>')}</feedback>`
  const result = readXml(text)
  assert.ok(result?.kind === 'report')
  assert.equal(result.events[0]?.event.senderEmail, 'reporter@desk.example.org')
})

test('null for XML of another kind with the same root, and for none', () => {
  assert.equal(readXml('<feedback><opinion>good</opinion></feedback>'), null)
  assert.equal(readXml('no XML at all'), null)
})

test('unreadable when the document is too large or nests too deep, and says no more than that', () => {
  for (const rows of ['<record/>'.repeat(300_001), '<record>'.repeat(70)]) {
    const result = DMARC_FORMAT.read(dmarcReport(rows))
    assert.ok(result?.kind === 'unreadable')
    assert.match(result.reason, /more elements than are read, or nests too deep/)
  }
})
