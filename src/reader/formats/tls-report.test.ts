import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readMadeUp } from '../../../test/read-made-up.ts'
import { readReportBytes } from '../read-report.ts'
import type { ReportResult } from '../reading.ts'

const REPORT = {
  'organization-name': 'Mail Example',
  'report-id': '2026-11-02T00:00:00Z_provider.example',
  policies: [{ policy: { 'policy-domain': 'provider.example' }, 'failure-details': [] }],
}
const TEXT = 'This is an aggregate TLS report from 192.0.2.1. Attack, abuse, phishing.'

function part(type: string, content: string, name = 'report'): string {
  return `--b\nContent-Type: ${type}; name=${name}\nContent-Transfer-Encoding: base64\n\n${content}\n`
}

function mail(parts: string, type = 'multipart/mixed'): string {
  return `Subject: Report Domain: provider.example\nContent-Type: ${type}; boundary=b\n\n--b\nContent-Type: text/plain\n\n${TEXT}\n${parts}--b--\n`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

function formatOf(result: ReportResult): string {
  return result.kind === 'no_report' ? result.format : result.kind
}

describe('a report on encrypted delivery', () => {
  it('blames nobody, by its media types', () => {
    const packed = gzipSync(JSON.stringify(REPORT)).toString('base64')
    for (const parts of [
      part('application/tlsrpt+json', encode({})),
      part('application/tlsrpt+gzip', 'eA==', 'report.dat'),
      part('application/gzip', packed, 'report.json.gz'),
    ]) {
      assert.equal(formatOf(readMadeUp(mail(parts))), 'tls_report')
    }
  })

  it('is known by the type of the mail, and by its members under another type', () => {
    const named = mail(
      part('application/octet-stream', 'eA=='),
      'multipart/report; report-type="tlsrpt"',
    )
    assert.equal(formatOf(readMadeUp(named)), 'tls_report')
    assert.equal(formatOf(readMadeUp(mail(part('application/json', encode(REPORT))))), 'tls_report')
    const bare = readReportBytes(Buffer.from(JSON.stringify(REPORT)), {
      receivedAtMs: 0,
      mediaType: 'application/json',
      fallbackReporter: 'ann@reporter.example',
    })
    assert.equal(formatOf(bare), 'tls_report')
  })

  it('says why nothing was made of it', () => {
    const result = readMadeUp(mail(part('application/tlsrpt+json', encode(REPORT))))
    assert.ok(result.kind === 'no_report')
    assert.match(result.reason, /RFC 8460.*reports no abuse/)
  })

  it('is none without each of its members', () => {
    for (const missing of Object.keys(REPORT)) {
      const some = Object.fromEntries(Object.entries(REPORT).filter(([name]) => name !== missing))
      const result = readMadeUp(mail(part('application/json', encode(some))))
      assert.notEqual(formatOf(result), 'tls_report', missing)
    }
  })
})
