// Reader of feedback reports: ARF (RFC 5965) with authentication failures (RFC 6591), complaint
// feedback loops (RFC 9477) and the junk mail reports of Microsoft, which leave the source out;
// also where a mail only shows the fields in its text.

import { parseDomain } from '../../values/domain.ts'
import type { EventDraft } from '../event-draft.ts'
import type { MailPart } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReportResult } from '../reading.ts'
import { buildFeedbackDetails } from './arf-details.ts'
import { findFeedbackTime, type RankedSource, rankFeedbackSources } from './arf-source.ts'
import { chooseFeedbackType, type Feedback, type FeedbackEventType } from './arf-type.ts'
import {
  type EnclosedMail,
  findEnclosedMail,
  headerText,
  parseHeaderLines,
} from './enclosed-mail.ts'
import { type FieldLine, findField, readFieldLines } from './key-value-lines.ts'
import { buildResult } from './machine-report.ts'
import { namePart, readPartText } from './part-text.ts'

const FORMAT = 'arf'

export const ARF_FORMAT: MailFormat = { name: FORMAT, read: readFeedback }

function readFeedback(report: MailReport): ReportResult | null {
  const feedback = findFeedback(report)
  if (feedback === null) return null
  const type = chooseFeedbackType(feedback)
  if (type.kind === 'no_report') {
    return { kind: 'no_report', format: FORMAT, reason: type.reason, passedOver: [] }
  }
  const urls = listUrls(feedback)
  const sources = rankFeedbackSources(feedback, type.isAboutLink && urls.length > 0)
  const source = sources.find(({ isUsed }) => isUsed) ?? null
  const passedOver = sources.filter((each) => each !== source).map(({ finding }) => finding)
  const drafts = listDrafts(feedback, type, urls, source)
  const emptyReason = listDomains(feedback).length > 0 ? IMITATED_REASON : EMPTY_REASON
  return buildResult({ format: FORMAT, drafts, passedOver, emptyReason }, report)
}

const EMPTY_REASON =
  'The feedback report names no source: no public Source-IP, no public hop in the enclosed mail, no Reported-URI and no Reported-Domain.'
const IMITATED_REASON =
  'The feedback report names a source that is nobody on the Internet, and its Reported-Domain was imitated.'

/**
 * One event for each reported URL, else one for the mail; none when nothing says where it came
 * from.
 */
function listDrafts(
  feedback: Feedback,
  type: FeedbackEventType,
  urls: readonly Located[],
  source: RankedSource | null,
): readonly EventDraft[] {
  const domains = listDomains(feedback)
  const time = findFeedbackTime(feedback)
  const details = buildFeedbackDetails(feedback, domains)
  const draftOf = (url: Located | null, domain: Located | null): EventDraft => ({
    eventType: type.eventType,
    eventSubtypes: type.eventSubtypes,
    atMs: time.atMs,
    ip: source?.ip ?? null,
    url: url?.value ?? null,
    domain: domain?.value ?? null,
    details,
    findings: [
      ...(source === null ? [] : [source.finding]),
      ...locate('/event_details/url', url, feedback.part),
      ...locate('/domain', domain, feedback.part),
      ...time.findings,
      type.finding,
    ],
  })
  if (urls.length > 0) return urls.map((url) => draftOf(url, null))
  // Of a mail that failed its authentication the domain is the one that was imitated; its source
  // was named, and is nobody's.
  const isImitated =
    type.eventType === 'AuthFailure' && findField(feedback.fields, 'source-ip') !== null
  const [domain = null] = isImitated && source === null ? [] : domains
  return source === null && domain === null ? [] : [draftOf(null, domain)]
}

const PARTS_MAX = 100

function findFeedback(report: MailReport): Feedback | null {
  const enclosed = findEnclosedMail(report.mail)
  const base = { report, enclosed }
  for (const part of report.mail.parts.slice(0, PARTS_MAX)) {
    const fields = mayBeFeedback(part) ? readFieldLines((readPartText(part) ?? '').split('\n')) : []
    const isNamed = part.mediaType === 'message/feedback-report'
    if (isNamed || fields[0]?.name === 'feedback-type') {
      return {
        ...base,
        fields,
        part: isNamed ? 'feedback report' : namePart(part),
        isMachine: true,
      }
    }
  }
  // Microsoft marks the enclosed mail; some of its reports come without the machine part, and then
  // without a word. Who sent the mail may have written the mark too: beside a complaint in words it
  // tells nothing.
  const hasWords = report.texts.some(({ kind }) => kind === 'body')
  const isMarked =
    enclosed !== null && headerText(enclosed.headers, 'x-hmxmroriginalrecipient') !== ''
  if (isMarked && !hasWords) {
    return { ...base, fields: [], part: 'enclosed mail', isMachine: true }
  }
  return findFeedbackInText(report, enclosed)
}

function mayBeFeedback({ mediaType, parentType, isAttachment }: MailPart): boolean {
  if (mediaType === 'message/feedback-report') return true
  const isText = mediaType === 'text/plain' || mediaType === 'application/octet-stream'
  return isText && (isAttachment || parentType === 'multipart/report')
}

const OTHER_FIELDS = [
  'source-ip',
  'reported-uri',
  'reported-domain',
  'original-mail-from',
  'arrival-date',
]

/**
 * The fields in a text for people: only with the type and at least one field that tells what is
 * reported.
 */
function findFeedbackInText(report: MailReport, enclosed: EnclosedMail | null): Feedback | null {
  for (const { part, kind, lines } of report.texts) {
    const isHere = lines.some((line) => /^\s{0,4}Feedback-Type\s{0,4}:/i.test(line))
    if (kind !== 'body' || !isHere) continue
    const fields = readFieldLines(lines)
    if (findField(fields, ...OTHER_FIELDS) === null) continue
    const trace = lines.findIndex((line) => /^Received: from /i.test(line))
    const shown = trace === -1 ? null : { headers: parseHeaderLines(lines.slice(trace)), part }
    return { report, enclosed: enclosed ?? shown, fields, part, isMachine: false }
  }
  return null
}

interface Located {
  readonly value: string
  readonly field: FieldLine
}

const URLS_MAX = 500

function listUrls({ fields }: Feedback): readonly Located[] {
  const urls = new Map<string, Located>()
  for (const field of fields) {
    if (field.name !== 'reported-uri' && field.name !== 'reported-url') continue
    const value = field.value.replaceAll(/\s+/g, '').replace(/^<(.*)>$/, '$1')
    // `dns:` and `mailto:` are URIs too (RFC 5965 section 3.2), but name no page.
    const isPage =
      /^(?:https?|ftp):\/\//i.test(value) || /^[\w.-]+\.[a-z]{2,}(?:[/:]|$)/i.test(value)
    if (isPage && urls.size < URLS_MAX) urls.set(value, { value, field })
  }
  return [...urls.values()]
}

function listDomains({ fields }: Feedback): readonly Located[] {
  const found = fields.flatMap((field): Located[] => {
    const isDns = field.name === 'reported-uri' && /^dns:/i.test(field.value)
    if (field.name !== 'reported-domain' && !isDns) return []
    const value = field.value.replace(/^dns:/i, '').trim()
    return parseDomain(value) === null ? [] : [{ value, field }]
  })
  return found.slice(0, 50)
}

function locate(field: string, located: Located | null, part: string): readonly Finding[] {
  if (located === null) return []
  const { line, text: excerpt } = located.field
  const reason = `The report names it as ${located.field.name}.`
  return [{ field, value: located.value, part, line, excerpt, role: 'source', rank: null, reason }]
}
