// What an event tells beside its address, link and time: port, protocol, target, file and the like,
// each with where it stands.

import type { JsonValue } from '../../values/json-value.ts'
import type { EventDraft } from '../event-draft.ts'
import type { Finding } from '../reading.ts'
import type { ReadMatter } from './build-event.ts'
import type { Candidate } from './candidates/candidate.ts'
import { describeCandidate } from './candidates/describe-candidate.ts'
import type { Subject } from './candidates/pair-subjects.ts'
import type { TextLine } from './lines/text-lines.ts'
import type { NearFacts } from './near-facts.ts'
import type { Occurrence } from './occurrences/occurrence.ts'
import { type Fact, readSample } from './read-facts.ts'

export interface ReadDetails {
  readonly members: NonNullable<EventDraft['details']>
  readonly findings: readonly Finding[]
}

export function readDetails(subject: Subject, matter: ReadMatter): ReadDetails {
  const { facts, surroundings } = matter
  const main = subject.link ?? subject.address
  const occurrence = (subject.address ?? main)?.best ?? null
  const near = occurrence === null ? NO_FACTS : surroundings.read(occurrence)
  const port = portOf(subject.link?.best ?? null) ?? near.port
  const range = subject.address?.kind === 'range' ? subject.address : null
  const target = findTarget(occurrence, matter, near)
  const logged = readSample(subject.address?.occurrences ?? main?.occurrences ?? [])
  return {
    members: {
      port: port?.value,
      protocol: near.protocol?.value,
      range: range?.value,
      target: target.value,
      file: readFile(facts.fileName?.value, facts.hash?.value),
      asn: facts.asn?.value,
      external_case_id: facts.caseId?.value,
      sample: logged.sample,
      count: logged.count,
    },
    findings: [
      ...findFact('external_case_id', facts.caseId, 'The number the report goes by.'),
      ...findFact('port', port, 'The port that stands with it.'),
      ...findFact('protocol', near.protocol, 'The protocol that stands with it.'),
      ...(range === null ? [] : [describe('range', range, 'the whole range, as written')]),
      ...target.findings,
      ...findFact('file', facts.fileName, 'The name of a file.'),
      ...findFact('file', facts.hash, 'The hash of a file.'),
      ...findFact('asn', facts.asn, 'The network that the report names.'),
      ...findLogged(logged),
    ],
  }
}

const NO_FACTS: NearFacts = {
  port: null,
  targetPort: null,
  otherPorts: new Map(),
  besidePort: null,
  protocol: null,
}

function portOf(occurrence: Occurrence | null): Fact<number> | null {
  if (occurrence === null || occurrence.port === null) return null
  return { value: occurrence.port, line: occurrence.line }
}

function findFact(
  member: string,
  fact: Fact<string | number> | null,
  reason: string,
): readonly Finding[] {
  return fact === null ? [] : [findingOf(member, String(fact.value), fact.line, reason)]
}

function findingOf(
  member: string,
  value: string,
  { part, number, raw }: TextLine,
  reason: string,
): Finding {
  const field = `/event_details/${member}`
  const excerpt = raw.slice(0, 200)
  return {
    field,
    value,
    part,
    line: number,
    excerpt,
    role: null,
    rank: null,
    reason,
    rule: 'detail',
  }
}

function describe(member: string, candidate: Candidate, why: string): Finding {
  return describeCandidate(`/event_details/${member}`, candidate, null, why)
}

function findLogged({
  sample,
  count = 1,
  first,
}: ReturnType<typeof readSample>): readonly Finding[] {
  if (sample === undefined || first === undefined) return []
  const reason = 'The lines of the log that name it, from here on.'
  const found = findingOf('sample', `${count} ${count === 1 ? 'line' : 'lines'}`, first, reason)
  if (count === 1) return [found]
  return [found, findingOf('count', String(count), first, 'How many lines of the log name it.')]
}

/** The addresses of a report that are targets. */
export interface Targets {
  /** Null when there are several. */
  readonly only: Candidate | null
  /** The best of each line, with the port that stands there. */
  readonly byLine: ReadonlyMap<TextLine, TargetOfLine>
}

interface TargetOfLine {
  readonly target: Candidate
  readonly port: number | null
}

/** `ranked`: the best first. Events look their lines up, as a report may have thousands of both. */
export function indexTargets(ranked: readonly Candidate[]): Targets {
  const targets = ranked.filter(({ role, kind }) => role === 'target' && kind === 'ip')
  const byLine = new Map<TextLine, TargetOfLine>()
  for (const target of targets) {
    for (const { line, port } of target.occurrences) {
      if (!byLine.has(line)) byLine.set(line, { target, port })
    }
  }
  return { only: targets.length === 1 ? (targets[0] ?? null) : null, byLine }
}

interface FoundTarget {
  readonly value: JsonValue | undefined
  readonly findings: readonly Finding[]
}

/** The target in the same line, else the only one of the report. */
function findTarget(
  occurrence: Occurrence | null,
  { targets, legitimate }: ReadMatter,
  near: NearFacts,
): FoundTarget {
  const beside = occurrence === null ? undefined : targets.byLine.get(occurrence.line)
  const target = beside?.target ?? targets.only ?? undefined
  const other = target === undefined ? near.besidePort : near.otherPorts.get(target.value)
  const port = near.targetPort ?? other ?? null
  const targetPort = beside?.port ?? port?.value ?? targets.only?.best.port
  const [site] = legitimate
  const url = site?.kind === 'url' ? site : undefined
  const members = { ip: target?.value, port: targetPort ?? undefined, url: url?.value }
  const known = Object.entries(members).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  )
  const findings = [
    ...(target === undefined ? [] : [describe('target/ip', target, 'what was attacked')]),
    ...findFact('target/port', port, 'The port that was attacked.'),
    ...(url === undefined ? [] : [describe('target/url', url, 'the site that is imitated')]),
  ]
  return { value: known.length === 0 ? undefined : Object.fromEntries(known), findings }
}

function readFile(name: string | undefined, hash: string | undefined): JsonValue | undefined {
  if (hash === undefined && name === undefined) return undefined
  return { ...(name === undefined ? {} : { name }), ...(hash === undefined ? {} : { hash }) }
}
