// Reader of DMARC aggregate reports (RFC 7489 appendix C, XML): an event for each row whose mails
// failed both DKIM and SPF.

import { registrableDomain } from '../../values/domain.ts'
import { emailDomain, isEmailAddress } from '../../values/email.ts'
import type { JsonObject } from '../../values/json-value.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { type EventDraft } from '../event-draft.ts'
import type { MailPart } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReportParty, ReportResult } from '../reading.ts'
import { buildResult, explainLargeXml, PASSED_OVER_MAX } from './machine-report.ts'
import { namePart, readPartText } from './part-text.ts'
import {
  findChild,
  listChildren,
  listDescendants,
  parseXmlTree,
  textAt,
  type XmlElement,
} from './xml-tree.ts'

const FORMAT = 'dmarc'

// The root stands behind the XML declaration and perhaps a comment.
const ROOT = /<(?:[\w-]{1,40}:)?feedback[\s>]/i
const ROOT_SEARCH_LENGTH = 4_096
const FEEDBACKS_MAX = 10

export const DMARC_FORMAT: MailFormat = { name: FORMAT, read: readDmarc }

function readDmarc(report: MailReport): ReportResult | null {
  const documents = report.mail.parts.flatMap((part) => {
    const text = readPartText(part)
    return text !== null && ROOT.test(text.slice(0, ROOT_SEARCH_LENGTH)) ? [{ part, text }] : []
  })
  if (documents.length === 0) return null
  const readings: Reading[] = []
  for (const { part, text } of documents) {
    const xml = parseXmlTree(text)
    if (xml.kind === 'too_large') return explainLargeXml()
    // Some wrap it in the schema that describes it.
    for (const feedback of listDescendants(xml.root, 'feedback').slice(0, FEEDBACKS_MAX)) {
      if (looksLikeDmarc(feedback)) readings.push(readFeedback(feedback, part))
    }
  }
  const [first] = readings
  if (first === undefined) return null
  const rows = readings.reduce((sum, reading) => sum + reading.rows, 0)
  return buildResult(
    {
      format: FORMAT,
      reportId: first.metadata.reportId,
      reporter: first.metadata.party,
      sender: first.metadata.party,
      drafts: readings.flatMap((reading) => reading.drafts),
      passedOver: readings.flatMap((reading) => reading.passedOver),
      emptyReason: `The DMARC report holds ${rows} rows and none of them failed both DKIM and SPF.`,
    },
    report,
  )
}

interface Reading {
  readonly metadata: Metadata
  readonly rows: number
  readonly drafts: readonly EventDraft[]
  readonly passedOver: readonly Finding[]
}

// Feedback forms of other kinds have the same root name.
function looksLikeDmarc(feedback: XmlElement): boolean {
  return findChild(feedback, 'policy_published') !== null || findChild(feedback, 'record') !== null
}

interface Metadata {
  readonly reportId: string | null
  readonly party: ReportParty | null
  readonly orgName: string | null
  readonly policyDomain: string | null
  readonly policy: string | null
  readonly beginMs: number | null
  readonly endMs: number | null
}

function readMetadata(feedback: XmlElement): Metadata {
  const metadata = findChild(feedback, 'report_metadata')
  const range = findChild(metadata, 'date_range')
  const orgName = textAt(metadata, 'org_name')
  const email = textAt(metadata, 'email')
  return {
    reportId: textAt(metadata, 'report_id')?.slice(0, 200) ?? null,
    party:
      email === null || !isEmailAddress(email)
        ? null
        : { org: orgName ?? '', contact: email, domain: emailDomain(email) },
    orgName,
    policyDomain: textAt(feedback, 'policy_published', 'domain'),
    policy: textAt(feedback, 'policy_published', 'p'),
    beginMs: readEpoch(textAt(range, 'begin')),
    endMs: readEpoch(textAt(range, 'end')),
  }
}

function readEpoch(text: string | null): number | null {
  return text !== null && /^\d{9,11}$/.test(text) ? Number(text) * 1_000 : null
}

function readFeedback(feedback: XmlElement, part: MailPart): Reading {
  const metadata = readMetadata(feedback)
  const records = listChildren(feedback, 'record')
  const drafts: EventDraft[] = []
  const passedOver: Finding[] = []
  for (const record of records) {
    const row = readRow(record)
    const place = { part: namePart(part), line: record.line }
    const refusal = explainPassing(row)
    if (refusal === null) drafts.push(draftRow(row, metadata, place))
    else if (passedOver.length < PASSED_OVER_MAX) passedOver.push(passOver(row, refusal, place))
  }
  return { metadata, rows: records.length, drafts, passedOver }
}

interface Row {
  readonly sourceIp: string
  readonly count: number | null
  readonly disposition: string | null
  readonly dkim: string | null
  readonly spf: string | null
  readonly overrides: readonly string[]
  readonly headerFrom: string | null
  readonly envelopeFrom: string | null
  readonly envelopeTo: string | null
  readonly results: Readonly<Record<Mechanism, readonly AuthResult[]>>
}

const MECHANISMS = ['dkim', 'spf'] as const
type Mechanism = (typeof MECHANISMS)[number]

interface AuthResult {
  readonly domain: string
  readonly result: string
}

function readRow(record: XmlElement): Row {
  const row = findChild(record, 'row')
  const policy = findChild(row, 'policy_evaluated')
  const identifiers = findChild(record, 'identifiers') ?? findChild(record, 'identities')
  const count = Number(textAt(row, 'count') ?? '')
  return {
    sourceIp: textAt(row, 'source_ip') ?? '',
    count: Number.isSafeInteger(count) && count > 0 ? count : null,
    disposition: textAt(policy, 'disposition')?.toLowerCase() ?? null,
    dkim: textAt(policy, 'dkim')?.toLowerCase() ?? null,
    spf: textAt(policy, 'spf')?.toLowerCase() ?? null,
    overrides: listChildren(policy, 'reason')
      .slice(0, 5)
      .map((reason) => textAt(reason, 'type') ?? ''),
    headerFrom: textAt(identifiers, 'header_from'),
    envelopeFrom: textAt(identifiers, 'envelope_from'),
    envelopeTo: textAt(identifiers, 'envelope_to'),
    results: {
      dkim: listResults(record, 'dkim'),
      spf: listResults(record, 'spf'),
    },
  }
}

/**
 * What each mechanism said by itself, apart from alignment; a mail rarely bears more than three
 * signatures.
 */
function listResults(record: XmlElement, mechanism: Mechanism): readonly AuthResult[] {
  const results = listChildren(findChild(record, 'auth_results'), mechanism).slice(0, 5)
  return results.map((result) => ({
    domain: textAt(result, 'domain') ?? '',
    result: textAt(result, 'result') ?? '',
  }))
}

// A mail passes DMARC when one of the two passes aligned (RFC 7489 section 3). So the failure of
// one alone tells none, unless the receiver acted on it or says what became of the other.
function explainPassing(row: Row): string | null {
  for (const mechanism of MECHANISMS) {
    if (row[mechanism] === 'pass' || (row[mechanism] === null && passedAligned(row, mechanism))) {
      const passed = mechanism.toUpperCase()
      return `These mails passed DMARC by ${passed}, so nothing is wrong with them.`
    }
  }
  const isActedOn = row.disposition === 'quarantine' || row.disposition === 'reject'
  const untold = MECHANISMS.filter(
    (mechanism) => row[mechanism] === null && row.results[mechanism].length === 0,
  )
  if (row.dkim === null && row.spf === null) return 'The row does not tell how it was evaluated.'
  if (untold.length > 0 && !isActedOn) {
    return 'The row tells the result of one mechanism alone, and the other may have passed.'
  }
  return reportableIp(row.sourceIp) === null
    ? 'The source is not an address that somebody can have on the Internet.'
    : null
}

/** Relaxed alignment: of one registrable domain with From (RFC 7489 section 3.1). */
function passedAligned({ results, headerFrom }: Row, mechanism: Mechanism): boolean {
  const site = registrableDomain(headerFrom?.toLowerCase() ?? '')
  return (
    site !== null &&
    results[mechanism].some(
      ({ domain, result }) =>
        result.toLowerCase() === 'pass' && registrableDomain(domain.toLowerCase()) === site,
    )
  )
}

interface Place {
  readonly part: string
  readonly line: number
}

function passOver(row: Row, reason: string, place: Place): Finding {
  const excerpt = describeRow(row)
  const value = row.sourceIp
  return { field: '/ip', value, ...place, excerpt, role: 'source', rank: null, reason }
}

function describeRow(row: Row): string {
  const { sourceIp, count, dkim, spf, headerFrom } = row
  return `source_ip ${sourceIp}, count ${count ?? 'unknown'}, dkim ${dkim}, spf ${spf}, header_from ${headerFrom}`
}

function draftRow(row: Row, metadata: Metadata, place: Place): EventDraft {
  const { beginMs, endMs, policyDomain } = metadata
  return {
    eventType: 'AuthFailure',
    eventSubtypes: ['dmarc-aggregate'],
    atMs: endMs,
    ip: row.sourceIp,
    domain: policyDomain ?? row.headerFrom,
    details: {
      count: row.count ?? undefined,
      first_seen: toIso(beginMs),
      last_seen: toIso(endMs),
      organisation: metadata.orgName ?? undefined,
      external_case_id: metadata.reportId ?? undefined,
      dmarc: withoutNull({
        disposition: row.disposition,
        dkim: row.dkim,
        spf: row.spf,
        header_from: row.headerFrom,
        envelope_from: row.envelopeFrom,
        envelope_to: row.envelopeTo,
        policy_domain: policyDomain,
        policy: metadata.policy,
        overrides: row.overrides.length === 0 ? null : row.overrides,
        auth_results: {
          dkim: row.results.dkim.map((one) => ({ ...one })),
          spf: row.results.spf.map((one) => ({ ...one })),
        },
      }),
    },
    findings: listFindings(row, metadata, place),
  }
}

function toIso(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString()
}

function withoutNull(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

function listFindings(row: Row, metadata: Metadata, place: Place): readonly Finding[] {
  const found = (field: string, value: string, excerpt: string, reason: string): Finding => {
    const role = field === '/ip' ? 'source' : null
    return { field, value, ...place, excerpt, role, rank: null, reason }
  }
  const { policyDomain, endMs } = metadata
  const domain = policyDomain ?? row.headerFrom
  const failed = 'Neither DKIM nor SPF passed in line with the domain of From.'
  return [
    found('/ip', row.sourceIp, describeRow(row), 'The row names it as source_ip.'),
    ...(domain === null
      ? []
      : [found('/domain', domain, domain, 'The domain whose policy was applied.')]),
    found('/event_type', 'AuthFailure', `dkim ${row.dkim}, spf ${row.spf}`, failed),
    ...(endMs === null
      ? []
      : [found('/event_date', toIso(endMs) ?? '', `end ${endMs / 1_000}`, 'End of the report.')]),
  ]
}
