// Makes the draft of one event from what it is about, the time that belongs to it and the facts around it.

import type { JsonValue } from '../../model/json-value.ts'
import type { EventDraft } from '../event-draft.ts'
import type { Finding } from '../report.ts'
import { type Candidate, explain } from './candidate.ts'
import type { Timeline } from './choose-time.ts'
import type { Classification } from './classify.ts'
import type { Occurrence } from './occurrence.ts'
import type { Subject } from './pair-subjects.ts'
import { type ReportFacts, readNearFacts, readSample } from './read-facts.ts'
import type { TextLine } from './text-lines.ts'

export interface ReadMatter {
  readonly lines: readonly TextLine[]
  readonly timeline: Timeline
  readonly facts: ReportFacts
  readonly type: Classification
  /** Addresses and links that are targets, the best first. */
  readonly targets: readonly Candidate[]
  readonly legitimate: readonly Candidate[]
  readonly ranks: ReadonlyMap<Candidate, number>
  readonly sender: Finding | null
}

type Fields = Required<Pick<EventDraft, 'atMs' | 'details' | 'findings'>>

export function buildEvent(subject: Subject, matter: ReadMatter): EventDraft {
  const { type } = matter
  const ip = subject.trace?.ip ?? subject.address?.best.value ?? null
  const link = subject.link
  const isHost = link?.kind === 'host'
  const { atMs, details, findings } = readFields(subject, matter)
  return {
    eventType: type.eventType,
    eventSubtypes: type.eventSubtypes,
    atMs,
    ip,
    ...(isHost ? { domain: link.value } : {}),
    url: link === null || isHost ? null : link.value,
    details,
    findings,
  }
}

function readFields(subject: Subject, matter: ReadMatter): Fields {
  const main = subject.link ?? subject.address
  const findings: Finding[] = []
  if (subject.trace !== null) findings.push(findTrace(subject.trace))
  if (subject.address !== null) {
    const why = subject.paired ?? subject.why
    findings.push(findCandidate('/ip', subject.address, matter, why))
  }
  if (subject.link !== null) {
    const field = subject.link.kind === 'host' ? '/domain' : '/event_details/url'
    findings.push(findCandidate(field, subject.link, matter, subject.why))
  }
  const time = chooseTime(subject, matter)
  if (time !== null) findings.push(time.finding)
  if (matter.sender !== null) findings.push(matter.sender)
  findings.push(...matter.type.evidence.slice(0, 5))
  const details = readDetails(subject, main, matter, findings)
  return { atMs: time?.ms ?? null, details, findings }
}

function findTrace(trace: NonNullable<Subject['trace']>): Finding {
  const { ip, part, line, excerpt, reason } = trace
  return { field: '/ip', value: ip, part, line, excerpt, role: 'source', rank: 1, reason }
}

function findCandidate(
  field: string,
  candidate: Candidate,
  { ranks }: Pick<ReadMatter, 'ranks'>,
  why: string,
): Finding {
  return describeCandidate(field, candidate, ranks.get(candidate) ?? null, why)
}

/** Where a candidate stands, and why it was taken or passed over. */
export function describeCandidate(
  field: string,
  candidate: Candidate,
  rank: number | null,
  why: string,
): Finding {
  const { best, value, role } = candidate
  return {
    field,
    value,
    part: best.line.part,
    line: best.line.number,
    excerpt: excerptOf(best),
    role: role === 'unnamed' ? null : role,
    rank,
    reason: `${capitalise(why)}. ${capitalise(explain(candidate))}`,
  }
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function excerptOf({ line, column }: Occurrence): string {
  const from =
    line.raw.length <= 200 ? 0 : Math.max(0, Math.min(column - 80, line.raw.length - 200))
  return line.raw.slice(from, from + 200).trim()
}

function chooseTime(
  { trace, link, address }: Subject,
  { timeline }: ReadMatter,
): { readonly ms: number; readonly finding: Finding } | null {
  const field = '/event_date'
  if (trace !== null && trace.atMs !== null) {
    const value = new Date(trace.atMs).toISOString()
    const { part, line, excerpt } = trace
    const reason = 'When the enclosed mail arrived.'
    return {
      ms: trace.atMs,
      finding: { field, value, part, line, excerpt, role: null, rank: null, reason },
    }
  }
  const main = link ?? address
  if (main === null) return null
  const chosen = timeline.choose(main.occurrences, main.best)
  if (chosen === null) return null
  const { span, why } = chosen
  const { part, line, text: excerpt, ms } = span
  const value = new Date(ms).toISOString()
  const zone = span.zone === 'named' ? '' : ', in the zone of the reporter'
  const reason = `${capitalise(why)}${zone}.`
  return { ms, finding: { field, value, part, line, excerpt, role: null, rank: null, reason } }
}

type Details = NonNullable<EventDraft['details']>

function readDetails(
  subject: Subject,
  main: Candidate | null,
  matter: ReadMatter,
  findings: Finding[],
): Details {
  const { facts, lines } = matter
  const place = (subject.address ?? main)?.best ?? null
  const near = place === null ? null : readNearFacts(place, lines)
  const logged = subject.address?.occurrences ?? main?.occurrences ?? []
  if (facts.caseId !== null) {
    const { value, line } = facts.caseId
    const { part, number, raw } = line
    const field = '/event_details/external_case_id'
    const reason = 'The number the report goes by.'
    const excerpt = raw.slice(0, 200)
    findings.push({ field, value, part, line: number, excerpt, role: null, rank: null, reason })
  }
  return {
    port: subject.link?.best.port ?? near?.port ?? undefined,
    protocol: near?.protocol ?? undefined,
    range: subject.address?.kind === 'range' ? subject.address.value : undefined,
    target: readTarget(place, matter, near?.targetPort ?? null),
    file: readFile(facts),
    asn: facts.asn ?? undefined,
    external_case_id: facts.caseId?.value,
    ...readSample(logged),
  }
}

/** The target in the same line, else the only one of the report. */
function readTarget(
  place: Occurrence | null,
  { targets, legitimate }: ReadMatter,
  port: number | null,
): JsonValue | undefined {
  const beside = targets.flatMap(({ value, occurrences }) => {
    const same = occurrences.find(({ line }) => line === place?.line)
    return same === undefined ? [] : [{ value, port: same.port }]
  })
  const only = targets.length === 1 ? targets[0] : undefined
  const ip = beside[0]?.value ?? only?.value
  const targetPort = beside[0]?.port ?? port ?? only?.best.port
  const url = legitimate[0]?.kind === 'url' ? legitimate[0].value : undefined
  const members = { ip, port: targetPort ?? undefined, url }
  const known = Object.entries(members).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  )
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

function readFile({ hash, fileName }: ReportFacts): JsonValue | undefined {
  if (hash === null && fileName === null) return undefined
  return { ...(fileName === null ? {} : { name: fileName }), ...(hash === null ? {} : { hash }) }
}
