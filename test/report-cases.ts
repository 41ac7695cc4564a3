// The reports of test/testdata/reports: a folder each, with the report as it came and what must
// become of it. Adding one needs no code.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ReportContext, ReportResult } from '../src/reader/reading.ts'
import { findPackageRoot } from '../src/values/resources.ts'

/** Only the members that are named are compared; null means that there must be none. */
interface ExpectedEvent {
  readonly event_type?: string
  readonly event_subtypes?: readonly string[]
  readonly event_date?: string
  readonly ip?: string | null
  readonly domain?: string | null
  readonly sender_email?: string
  /** `event_details.url`. */
  readonly url?: string | null
  readonly details?: object
}

interface Expected {
  /** One sentence on what is special about it. */
  readonly about: string
  readonly language?: string
  readonly format?: string
  readonly state: 'accepted' | 'rejected' | 'quarantined'
  /** Words of the reason, or a part of the first problem's path. */
  readonly reason?: string
  readonly media_type?: string
  readonly received_at?: string
  readonly fallback_reporter?: string
  readonly events?: readonly ExpectedEvent[]
}

export interface ReportCase {
  readonly name: string
  readonly expected: Expected
  readonly bytes: Buffer
  readonly context: ReportContext
}

const FOLDER = join(findPackageRoot(), 'test', 'testdata', 'reports')
const DEFAULT_ARRIVAL = Date.parse('2026-03-02T12:00:00Z')

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.eml': 'message/rfc822',
  '.json': 'application/json',
  '.csv': 'text/csv',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
  '.xml': 'application/xml',
  '.txt': 'text/plain',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export function listReportCases(): readonly ReportCase[] {
  return readdirSync(FOLDER).toSorted().map(readCase)
}

function readCase(name: string): ReportCase {
  const files = readdirSync(join(FOLDER, name))
  const file = files.find((entry) => entry.startsWith('report.'))
  assert.ok(file !== undefined && files.length === 2, `${name} holds a report and expected.json`)
  const expected = JSON.parse(readFileSync(join(FOLDER, name, 'expected.json'), 'utf8')) as Expected
  const bytes = readFileSync(join(FOLDER, name, file))
  return {
    name,
    expected,
    bytes,
    context: {
      receivedAtMs: arrivalOf(expected, bytes),
      mediaType: expected.media_type ?? MEDIA_TYPES[extname(file)] ?? '',
      fallbackReporter: expected.fallback_reporter ?? null,
    },
  }
}

// An hour after the mail's Date, as if it had been on its way so long.
function arrivalOf(expected: Expected, bytes: Buffer): number {
  if (expected.received_at !== undefined) return Date.parse(expected.received_at)
  const date = /^date:(.*(?:\r?\n[ \t].*)*)/im.exec(bytes.toString('latin1'))?.[1] ?? ''
  const ms = Date.parse(date.replaceAll(/\([^)]*\)/g, ''))
  return Number.isNaN(ms) ? DEFAULT_ARRIVAL : ms + 3_600_000
}

/** Throws an assertion that shows expected and found side by side. */
export function assertReading({ expected }: ReportCase, result: ReportResult): void {
  assert.equal(describeState(result), expected.state, explainState(result))
  if (expected.format !== undefined) {
    assert.equal('format' in result ? result.format : null, expected.format, 'format')
  }
  if (expected.reason !== undefined) {
    const reason = explainState(result)
    assert.ok(reason.includes(expected.reason), `reason is: ${reason}`)
  }
  const found = result.kind === 'report' ? result.events.map(({ event }) => flatten(event)) : []
  const wanted = expected.events ?? []
  assert.deepEqual(pairUp(found, wanted), { found: wanted, surplus: [] })
}

function describeState(result: ReportResult): Expected['state'] {
  if (result.kind === 'report') return 'accepted'
  return result.kind === 'unreadable' ? 'quarantined' : 'rejected'
}

function explainState(result: ReportResult): string {
  if (result.kind === 'report') return `read as ${result.format}`
  if (result.kind === 'invalid') return JSON.stringify(result.problems)
  return result.reason
}

interface FoundEvent {
  readonly [member: string]: unknown
}

function flatten(
  event: Extract<ReportResult, { kind: 'report' }>['events'][number]['event'],
): FoundEvent {
  return {
    event_type: event.eventType,
    event_subtypes: event.eventSubtypes,
    event_date: event.eventDate,
    ip: event.ip,
    domain: event.domain,
    sender_email: event.senderEmail,
    url: event.details?.['url'] ?? null,
    details: event.details ?? {},
  }
}

/**
 * Each wanted event with the found one that shares most with it, cut to the members that are
 * wanted.
 */
function pairUp(
  found: readonly FoundEvent[],
  wanted: readonly ExpectedEvent[],
): { readonly found: readonly unknown[]; readonly surplus: readonly FoundEvent[] } {
  const left = [...found]
  const paired = wanted.map((want) => {
    const scores = left.map((event) => scoreOf(event, want))
    const best = scores.indexOf(Math.max(...scores))
    const [event] = best === -1 ? [] : left.splice(best, 1)
    return event === undefined ? null : cutTo(event, want)
  })
  return { found: paired, surplus: left }
}

function scoreOf(event: FoundEvent, want: ExpectedEvent): number {
  return Object.entries(want).filter(([name, value]) => isSame(cutTo(event[name], value), value))
    .length
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** `value` without the members that `pattern` does not name. */
function cutTo(value: unknown, pattern: unknown): unknown {
  if (!isPlainObject(pattern) || !isPlainObject(value)) return value ?? null
  return Object.fromEntries(
    Object.entries(pattern).map(([name, inner]) => [name, cutTo(value[name], inner)]),
  )
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
