// Reads the further fields of a feedback report, by the names of RFC 5965 and RFC 6591 in one
// spelling. The recipient of the mail stays private.

import type { JsonObject, JsonValue } from '../../values/json-value.ts'
import type { Feedback } from './arf-type.ts'
import { headerText } from './enclosed-mail.ts'
import { type FieldLine, fieldText } from './key-value-lines.ts'
import { parseReportTime } from './report-time.ts'

/** Fields that go over as they are: name here, names there. */
const TEXTS = {
  type: ['feedback-type'],
  user_agent: ['user-agent'],
  version: ['version'],
  original_mail_from: ['original-mail-from'],
  original_envelope_id: ['original-envelope-id'],
  reporting_mta: ['reporting-mta'],
  abuse_type: ['abuse-type', 'x-abuse-type'],
  auth_failure: ['auth-failure'],
  delivery_result: ['delivery-result'],
  identity_alignment: ['identity-alignment'],
  dkim_domain: ['dkim-domain'],
  dkim_identity: ['dkim-identity'],
  dkim_selector: ['dkim-selector'],
  spf_dns: ['spf-dns'],
} as const

export function buildFeedbackDetails(
  feedback: Feedback,
  domains: readonly { readonly value: string }[],
): Readonly<Record<string, JsonValue | undefined>> {
  const { fields, enclosed } = feedback
  const port = Number(fieldText(fields, 'source-port'))
  const incidents = Number(fieldText(fields, 'incidents'))
  const isJmrp = headerText(enclosed?.headers ?? [], 'x-hmxmroriginalrecipient') !== ''
  const isCfbl = headerText(enclosed?.headers ?? [], 'cfbl-address') !== ''
  return {
    report_kind: isJmrp ? 'jmrp' : kindOf(isCfbl, feedback),
    port: Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined,
    count: Number.isSafeInteger(incidents) && incidents > 0 ? incidents : undefined,
    feedback: withoutAbsent({
      ...textsOf(fields),
      original_rcpt_to: redactAddress(fieldText(fields, 'original-rcpt-to', 'removal-recipient')),
      arrival_date: timeOf(fields),
      reported_domains: domains.length > 1 ? domains.map(({ value }) => value) : undefined,
      authentication_results: listAuthentication(fields),
      ...mailDetails(feedback),
    }),
  }
}

function kindOf(isCfbl: boolean, { isMachine }: Feedback): string {
  if (isCfbl) return 'cfbl'
  return isMachine ? 'feedback_report' : 'feedback_fields'
}

function textsOf(fields: readonly FieldLine[]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(TEXTS).map(([name, names]) => {
      const text = fieldText(fields, ...names)
      return [
        name,
        name === 'original_mail_from' ? orAbsent(text.replace(/^<(.*)>$/, '$1')) : orAbsent(text),
      ]
    }),
  )
}

/** By what the owner of the source finds the mail, and its sender, in his own logs. */
function mailDetails({ fields, enclosed }: Feedback): Readonly<Record<string, string | undefined>> {
  const headers = enclosed?.headers ?? []
  const feedbackId =
    fieldText(fields, 'cfbl-feedback-id', 'feedback-id') ||
    headerText(headers, 'cfbl-feedback-id') ||
    headerText(headers, 'feedback-id')
  return {
    feedback_id: orAbsent(feedbackId),
    message_id: orAbsent(headerText(headers, 'message-id') || fieldText(fields, 'message-id')),
    subject: orAbsent(headerText(headers, 'subject') || fieldText(fields, 'subject')),
    pra: orAbsent(headerText(headers, 'x-sid-pra')),
  }
}

function listAuthentication(fields: readonly FieldLine[]): readonly string[] | undefined {
  const results = fields
    .filter(({ name, value }) => name === 'authentication-results' && value !== '')
    .map(({ value }) => value.slice(0, 1_000))
    .slice(0, 10)
  return results.length === 0 ? undefined : results
}

function timeOf(fields: readonly FieldLine[]): string | undefined {
  const ms = parseReportTime(fieldText(fields, 'arrival-date', 'received-date'))
  return ms === null ? undefined : new Date(ms).toISOString()
}

/** The recipient is the one who complains; who reads the case needs the domain at most. */
export function redactAddress(text: string): string | undefined {
  const address = text.trim().replace(/^<(.*)>$/, '$1')
  const at = address.lastIndexOf('@')
  if (address === '') return undefined
  return at === -1 ? 'redacted' : `redacted${address.slice(at)}`
}

function orAbsent(text: string): string | undefined {
  return text === '' ? undefined : text.slice(0, 1_000)
}

function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) present.push([name, value])
  }
  return Object.fromEntries(present)
}
