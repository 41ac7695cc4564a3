// Makes the draft of one event from what it is about, the time that belongs to it and the facts
// around it.

import type { EventDraft } from '../event-draft.ts'
import type { Finding } from '../reading.ts'
import type { Candidate } from './candidates/candidate.ts'
import { capitalise, describeCandidate } from './candidates/describe-candidate.ts'
import type { Subject } from './candidates/pair-subjects.ts'
import type { Timeline } from './choose-time.ts'
import type { DatedSpan } from './dates/parse-date.ts'
import type { Classification } from './evidence/classify-report.ts'
import type { Surroundings } from './near-facts.ts'
import { readDetails, type Targets } from './read-details.ts'
import type { ReportFacts } from './read-facts.ts'

export interface ReadMatter {
  readonly surroundings: Surroundings
  readonly timeline: Timeline
  readonly facts: ReportFacts
  readonly type: Classification
  readonly targets: Targets
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
  findings.push(...matter.type.subtypeFindings)
  const details = readDetails(subject, matter)
  findings.push(...details.findings)
  return { atMs: time?.ms ?? null, details: details.members, findings }
}

function findTrace(trace: NonNullable<Subject['trace']>): Finding {
  const { ip, part, line, excerpt, reason } = trace
  const place = { part, line, excerpt, role: 'source', rank: 1 }
  return { field: '/ip', value: ip, ...place, reason, rule: 'mail-trace' }
}

function findCandidate(
  field: string,
  candidate: Candidate,
  { ranks }: Pick<ReadMatter, 'ranks'>,
  why: string,
): Finding {
  return describeCandidate(field, candidate, ranks.get(candidate) ?? null, why)
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
      finding: {
        field,
        value,
        part,
        line,
        excerpt,
        role: null,
        rank: null,
        reason,
        rule: 'mail-trace',
      },
    }
  }
  const main = link ?? address
  if (main === null) return null
  const chosen = timeline.choose(main.occurrences, main.best)
  if (chosen === null) return null
  const { span, why } = chosen
  const { part, line, text: excerpt, ms } = span
  const value = new Date(ms).toISOString()
  const reason = `${capitalise(why)}${span.hasTime ? ZONES[span.zone] : ''}.`
  const place = { part, line, excerpt, role: null, rank: null }
  return { ms, finding: { field, value, ...place, reason, rule: 'date-near', words: excerpt } }
}

const ZONES: Readonly<Record<DatedSpan['zone'], string>> = {
  named: '',
  stated: ', in the zone that the report gives for its times',
  assumed: ', in the zone of the reporter',
}
