// Reader of SMTP TLS reports (RFC 8460): statistics on whether mail to a domain could be sent
// encrypted. They are sent to the owner of that domain and blame nobody.

import { isJsonObject } from '../../values/json-value.ts'
import type { MailPart } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { ReportResult } from '../reading.ts'
import { parseJsonBytes } from './json-bytes.ts'

const FORMAT = 'tls_report'
const PARTS_MAX = 100
const JSON_BYTES_MAX = 5_000_000

export const TLS_REPORT_FORMAT: MailFormat = { name: FORMAT, read: readTlsReport }

function readTlsReport({ mail }: MailReport): ReportResult | null {
  // Section 5.3: the media types and the report-type of the mail.
  const isNamed = mail.headers.some(
    ({ name, value }) => name === 'content-type' && /report-type="?tlsrpt\b/i.test(value),
  )
  if (!isNamed && !mail.parts.slice(0, PARTS_MAX).some(isTlsReport)) return null
  const reason =
    'The mail is a report on encrypted delivery (SMTP TLS, RFC 8460); it reports no abuse.'
  return { kind: 'no_report', format: FORMAT, reason, passedOver: [] }
}

function isTlsReport(part: MailPart): boolean {
  if (/^application\/tlsrpt\+(?:json|gzip)$/.test(part.mediaType)) return true
  if (part.bytes[0] !== 0x7b || part.bytes.length > JSON_BYTES_MAX) return false
  const json = parseJsonBytes(part.bytes)
  if (json.kind === 'no_json' || !isJsonObject(json.value)) return false
  const { policies, 'report-id': id, 'organization-name': organisation } = json.value
  return Array.isArray(policies) && typeof id === 'string' && typeof organisation === 'string'
}
