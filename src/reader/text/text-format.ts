// The general extractor for free text and HTML, which is 84 % of real reports. It cuts the parts
// that do not count, finds the candidates, scores each by the words and the layout around it, and
// takes the best. No rule knows a sender.

import assert from 'node:assert/strict'
import { registrableDomain } from '../../values/domain.ts'
import { finishDraft } from '../event-draft.ts'
import type { TraceKnowledge } from '../formats/enclosed-mail.ts'
import { describeReporter, explainTooMany, MACHINE_EVENTS_MAX } from '../formats/machine-report.ts'
import { isEnclosedMail } from '../mail/detect-mail.ts'
import { findHeader, type ReadableText } from '../mail/mail.ts'
import type { MailFormat, MailReport, MailReporter } from '../mail-format.ts'
import type { Finding, ReportParty, ReportResult } from '../reading.ts'
import { askOnce } from './ask-once.ts'
import { buildEvent, type ReadMatter } from './build-event.ts'
import { type Candidate, STRONG } from './candidates/candidate.ts'
import { type Chosen, chooseAddresses, chooseLastAddress } from './candidates/choose-addresses.ts'
import {
  ABOUT_LINKS,
  chooseLastLink,
  chooseLinks,
  type LinkCandidates,
  listLinks,
  OF_CONTENT,
  withoutNamesOf,
} from './candidates/choose-links.ts'
import { describeCandidate } from './candidates/describe-candidate.ts'
import { type OwnHosts, readOwnHosts } from './candidates/own-hosts.ts'
import { pairSubjects, type Subject } from './candidates/pair-subjects.ts'
import { withoutScanners } from './candidates/scanners.ts'
import { Timeline } from './choose-time.ts'
import { Dates, readMailDate } from './dates/parse-date.ts'
import { listBeside } from './evidence/beside.ts'
import { type Classification, classifyReport } from './evidence/classify-report.ts'
import type { Cut } from './lines/cut-lines.ts'
import { listUnreadLines, readLines, type TextLine } from './lines/text-lines.ts'
import { listMailTraces, type MailTrace } from './mail-traces.ts'
import { Surroundings } from './near-facts.ts'
import {
  listOccurrences,
  listUnreadOccurrences,
  type Occurrence,
} from './occurrences/occurrence.ts'
import { isOurs } from './occurrences/whose-side.ts'
import { indexTargets } from './read-details.ts'
import { readReportFacts } from './read-facts.ts'
import { classifyVerdict, type Verdict } from './verdict/classify-verdict.ts'
import type { Standing } from './verdict/detect-view.ts'
import { referToPerson } from './verdict/refer-to-person.ts'

const FORMAT = 'text'
const PASSED_OVER_MAX = 50

export const TEXT_FORMAT: MailFormat = { name: FORMAT, read: extractFromText }

/** Always gives a result. A mail in which nothing is reported is `no_report`. */
export function extractFromText(report: MailReport): ReportResult {
  const lines = readLines(report.texts)
  const own = readOwnHosts(report)
  const occurrences = listOccurrences(lines)
  const reading = chooseByLayers(report, lines, occurrences, own)
  const texts = listTexts(lines, ['wrapper'])
  const candidateCount = reading.subjects.length
  const ownCandidateCount = reading.subjects.filter(isOwnWord).length
  const standing = standingOf(reading)
  const hasTrace = reading.subjects.some(({ trace }) => trace !== null)
  const verdict = classifyVerdict({
    report,
    texts,
    candidateCount,
    ownCandidateCount,
    standing,
    hasTrace,
  })
  if (candidateCount > MACHINE_EVENTS_MAX) return explainTooMany(candidateCount)
  const referred = referToPerson({ report, texts, verdict, candidateCount })
  if (referred !== null) return { kind: 'unreadable', ...referred }
  if (!verdict.isReport || candidateCount === 0) {
    const unread = [...listUnreadLines(report.texts, lines), ...listUnreadOccurrences(occurrences)]
    return explainNoReport(verdict, [...unread, ...listPassedOver(reading)])
  }
  return finish(report, lines, occurrences, reading)
}

function explainNoReport(verdict: Verdict, others: readonly Finding[]): ReportResult {
  return {
    kind: 'no_report',
    format: FORMAT,
    reason:
      verdict.reason ??
      'The report names no address, link or domain that could be complained about.',
    decidedBy: verdict.decidedBy ?? { rule: 'names-nobody', words: '' },
    passedOver: [...verdict.evidence, ...others].slice(0, PASSED_OVER_MAX),
  }
}

/** Whether the author of this very mail names it outside the subject. */
function isOwnWord({ address, link, trace }: Subject): boolean {
  if (trace !== null) return true
  return [address, link].some((candidate) =>
    candidate?.occurrences.some(({ line }) => line.kind !== 'subject' && isOwn(line)),
  )
}

function isOwn({ cut }: TextLine): boolean {
  return cut === null || cut.kind === 'wrapper'
}

function standingOf({ subjects, isLast }: Choice): Standing {
  if (isLast) return 'last'
  const isAnyNamed = subjects.some(
    ({ address, link, trace }) =>
      trace !== null ||
      (address !== null && isNamedByWords(address)) ||
      (link?.score ?? 0) >= STRONG,
  )
  if (isAnyNamed) return 'named'
  if (subjects.some(({ address }) => address !== null)) return 'mentioned'
  return subjects.some(({ link }) => link?.kind === 'url') ? 'linked' : 'domain'
}

/**
 * To be the first address of a text gives weight, and names nothing: within a sentence something
 * must be said of it.
 */
function isNamedByWords({ role, score, best }: Candidate): boolean {
  return score >= STRONG && (role !== 'unnamed' || best.context !== 'prose' || best.isNamed)
}

// Lines that were cut, whose addresses count all the same (cut-lines.ts).
const CUTS_WITH_ADDRESSES: ReadonlySet<Cut['kind']> = new Set(['links', 'wrapper'])

/** What counts first, and what counts when there is nothing else. */
const LAYERS: readonly ((occurrence: Occurrence) => boolean)[] = [
  // The author's own words.
  ({ line, kind }) =>
    line.kind !== 'enclosed' &&
    (line.cut === null || (kind === 'ip' && CUTS_WITH_ADDRESSES.has(line.cut.kind))),
  // And what is quoted, or written around the complaint.
  ({ line }) => line.kind !== 'enclosed' && line.cut?.kind !== 'links',
  // And the mails that are enclosed.
  ({ line }) => line.cut?.kind !== 'links',
]

/** Reads one layer more until something is found; then what is said to be something else. */
function chooseByLayers(
  report: MailReport,
  lines: readonly TextLine[],
  occurrences: readonly Occurrence[],
  own: OwnHosts,
): Choice {
  const traces = listMailTraces(report, lines, knowledgeOf(occurrences, own))
  const isEmpty = occurrences.length === 0 && traces.length === 0
  const hasWrapper = lines.some(({ cut }) => cut?.kind === 'wrapper')
  const hasMoreText = hasWrapper || lines.some(({ cut }) => cut?.kind === 'quoted')
  let last: Choice | null = null
  let lastCount = -1
  for (const [depth, isRead] of LAYERS.entries()) {
    const read = occurrences.filter(isRead)
    const addsText = depth === 1 && hasMoreText
    // The next layer often adds nothing, and to classify a long text is the dearest step.
    if (last !== null && read.length === lastCount && !addsText) continue
    lastCount = read.length
    const texts = listTexts(lines, depth > 0 ? ['quoted', 'wrapper'] : [])
    const whole = hasWrapper && depth === 0 ? listTexts(lines, ['wrapper']) : null
    last = choose({ report, texts, whole, occurrences: read, own, traces })
    if (isEmpty || last.subjects.length > 0) return last
  }
  assert.ok(last !== null, 'there is a layer')
  const addresses = chooseLastAddress(last.addresses)
  const links = addresses.taken.length === 0 ? chooseLastLink(last.links) : last.links
  return { ...last, addresses, links, subjects: pairSubjects(addresses, links), isLast: true }
}

/** What the author of the report says of addresses, and whose the sites are. */
function knowledgeOf(occurrences: readonly Occurrence[], own: OwnHosts): TraceKnowledge {
  // Few mails have a trace to ask about.
  const stated = askOnce(() => {
    const said = occurrences.filter(({ kind, line }) => kind === 'ip' && isOwn(line))
    const { ranked } = chooseAddresses(said, own)
    return new Set(ranked.filter(({ score }) => score > 0).map(({ value }) => value))
  })
  const ours = askOnce(() => listReporterSites(occurrences, own))
  return {
    isStated: (ip) => stated().has(ip),
    isOwn: (ip) => own.networks.hasAddress(ip),
    isDesk: (site) => own.recipient.has(site),
    isReporters: (site) => ours().has(site),
  }
}

/** `lists.club.example is our own list server` makes the whole of club.example the reporter's. */
function listReporterSites(occurrences: readonly Occurrence[], own: OwnHosts): ReadonlySet<string> {
  const sites = occurrences
    .filter(
      ({ kind, line, end }) =>
        kind === 'host' && line.cut === null && isOurs(line.clean.slice(end)),
    )
    .map(({ value }) => registrableDomain(value))
    .filter((site) => site !== null)
  return new Set(sites.filter((site) => !own.recipient.has(site) && !own.networks.hasHost(site)))
}

interface Layer {
  readonly report: MailReport
  readonly texts: readonly ReadableText[]
  /** With what was written around the complaint; null when that is nothing. */
  readonly whole: readonly ReadableText[] | null
  readonly occurrences: readonly Occurrence[]
  readonly own: OwnHosts
  readonly traces: readonly MailTrace[]
}

interface Choice {
  /** What it was read from. */
  readonly texts: readonly ReadableText[]
  readonly type: Classification
  readonly addresses: Chosen
  readonly links: Chosen
  readonly subjects: readonly Subject[]
  /** Chosen of those that the report calls something else, as there were no others. */
  readonly isLast: boolean
}

// Event types that name no kind of abuse.
const KINDLESS_TYPES: ReadonlySet<string> = new Set(['MaliciousActivity', 'Unknown'])

function choose({ report, texts, whole, occurrences, own, traces }: Layer): Choice {
  const first = chooseAddresses(occurrences, own)
  const candidates = listLinks(occurrences, own)
  const inside = classify(report, texts, candidates, first, traces)
  // A wrapper tells the kind only where the complaint in it does not.
  const tellsKind = whole === null || !KINDLESS_TYPES.has(inside.eventType)
  const type = tellsKind ? inside : classify(report, whole, candidates, first, traces)
  const others = withoutScanners(occurrences, type.eventType)
  const addresses = others === occurrences ? first : chooseAddresses(others, own)
  const isNamed = addresses.taken.some(
    ({ candidate: { score, best } }) => score >= STRONG && best.context !== 'log',
  )
  const usesTraces = traces.length > 0 && !isNamed
  const isAboutLinks =
    ABOUT_LINKS.has(type.eventType) || (addresses.taken.length === 0 && !usesTraces)
  const isOfContent = OF_CONTENT.has(type.eventType)
  const rules = { isAboutLinks, isOfContent, isAddressNamed: isNamed }
  const chosen = chooseLinks(candidates, rules)
  const links = isOfContent ? chosen : withoutNamesOf(addresses, chosen)
  // Links of a mail that was pasted in are its sender's; where they are reported, the reporter says
  // so.
  const isLinkReport =
    ABOUT_LINKS.has(type.eventType) &&
    links.taken.some(({ candidate }) => candidate.score >= STRONG)
  const subjects =
    usesTraces && !isLinkReport ? traces.map(subjectOfTrace) : pairSubjects(addresses, links)
  return { texts, type, addresses, links, subjects, isLast: false }
}

function subjectOfTrace(trace: MailTrace): Subject {
  return { address: null, link: null, trace, why: trace.reason, paired: null }
}

function classify(
  report: MailReport,
  texts: readonly ReadableText[],
  { urls, hosts }: LinkCandidates,
  { taken }: Chosen,
  traces: readonly MailTrace[],
): Classification {
  const ports = taken.map(({ candidate }) => candidate.best.port).filter((port) => port !== null)
  return classifyReport({
    report,
    texts,
    urls: urls.filter(({ score }) => score > 0).map(({ value }) => value),
    hasEnclosedMail: traces.length > 0 || report.mail.parts.some(isEnclosedMail),
    ports: [...new Set(ports)].slice(0, 100),
    beside: listBeside([
      ...taken.map(({ candidate }) => candidate),
      ...[...urls, ...hosts].filter(({ score }) => score > 0),
    ]),
  })
}

/** The texts without what was cut; a line that was cut is empty, so that numbers stay. */
function listTexts(
  lines: readonly TextLine[],
  read: readonly Cut['kind'][],
): readonly ReadableText[] {
  const parts = Map.groupBy(lines, ({ part }) => part)
  return [...parts.values()].map((all) => {
    const [first] = all
    return {
      part: first?.part ?? '',
      kind: first?.kind ?? 'body',
      lines: all.map(({ clean, cut }) => {
        const isRead = cut === null || read.includes(cut.kind)
        return isRead ? clean : ''
      }),
    }
  })
}

function finish(
  report: MailReport,
  lines: readonly TextLine[],
  occurrences: readonly Occurrence[],
  choice: Choice,
): ReportResult {
  const { mail, context, reporter, reportId } = report
  const party: ReportParty = reporter ?? {
    org: '',
    contact: context.fallbackReporter ?? '',
    domain: '',
  }
  const matter = collectMatter(report, lines, occurrences, choice)
  const frame = {
    senderEmail: party.contact,
    reportId,
    reportedAtMs: mail.dateMs,
    dateText: findHeader(mail, 'date'),
    receivedAtMs: context.receivedAtMs,
  }
  return {
    kind: 'report',
    format: FORMAT,
    reportId,
    reporter: party,
    sender: party,
    events: choice.subjects.map((subject) => finishDraft(buildEvent(subject, matter), frame)),
    passedOver: [
      ...listUnreadLines(report.texts, lines),
      ...listUnreadOccurrences(occurrences),
      ...listPassedOver(choice),
    ].slice(0, PASSED_OVER_MAX),
  }
}

/** What the events of the report share. */
function collectMatter(
  { mail, context, reporter }: MailReport,
  lines: readonly TextLine[],
  occurrences: readonly Occurrence[],
  { texts, addresses, links, type }: Choice,
): ReadMatter {
  const date = readMailDate(findHeader(mail, 'date') ?? '')
  const dates = new Dates(texts, {
    mailDateMs: mail.dateMs,
    receivedAtMs: context.receivedAtMs,
    zoneMinutes: date?.zoneMinutes ?? null,
  })
  return {
    surroundings: new Surroundings(lines, occurrences),
    timeline: new Timeline(dates, lines, {
      reportedAtMs: mail.dateMs,
      receivedAtMs: context.receivedAtMs,
    }),
    facts: readReportFacts(lines),
    type,
    targets: indexTargets(addresses.ranked),
    legitimate: links.ranked.filter(({ role }) => role === 'legitimate site'),
    ranks: new Map(
      [addresses.ranked, links.ranked].flatMap((list) =>
        list.map((candidate, at): [Candidate, number] => [candidate, at + 1]),
      ),
    ),
    sender: reporter === null ? null : describeSender(reporter),
  }
}

function describeSender(reporter: MailReporter): Finding {
  const { contact } = reporter
  return {
    field: '/sender_email',
    value: contact,
    ...describeReporter(reporter),
    line: null,
    excerpt: contact,
    role: 'reporter',
    rank: null,
    rule: 'reporter',
  }
}

function listPassedOver({ addresses, links, subjects }: Choice): readonly Finding[] {
  const used = new Set(subjects.flatMap(({ address, link }) => [address, link]))
  return [addresses.ranked, links.ranked]
    .flatMap((ranked) =>
      ranked
        .map((candidate, at) => ({ candidate, rank: at + 1 }))
        .filter(({ candidate }) => !used.has(candidate)),
    )
    .slice(0, PASSED_OVER_MAX)
    .map(({ candidate, rank }) =>
      describeCandidate(
        fieldOf(candidate),
        candidate,
        rank,
        whyNot(candidate, subjects.length > 0),
      ),
    )
}

function fieldOf({ kind }: Candidate): string {
  if (kind === 'url') return '/event_details/url'
  return kind === 'host' ? '/domain' : '/ip'
}

function whyNot({ role, score }: Candidate, isOtherTaken: boolean): string {
  if (role === 'reporter') return "it is the reporter's own"
  if (role !== 'unnamed' && score < 0) return `it is ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`
  if (!isOtherTaken) return 'nothing says that it is reported'
  return role === 'unnamed' ? 'nothing names it, and others say more' : 'others say more'
}
