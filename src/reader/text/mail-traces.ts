// Where the mails came from that a report complains about: enclosed as files, or pasted into its
// text with their headers.

import { findMailSource, parseHeaderLines, type TraceKnowledge } from '../formats/enclosed-mail.ts'
import { isEnclosedMail } from '../mail/detect-mail.ts'
import type { MailHeader, MailPart } from '../mail/mail.ts'
import type { MailReport } from '../mail-format.ts'
import { parseMailDate } from './dates/parse-date.ts'
import type { TextLine } from './lines/text-lines.ts'

export interface MailTrace {
  /** Canonical. */
  readonly ip: string
  readonly part: string
  /** Line of the part; null for an enclosed mail, whose header is no text of the report. */
  readonly line: number | null
  /** The header that names the address. */
  readonly excerpt: string
  readonly reason: string
  /** When the mail arrived, as its topmost trace says, else its Date. */
  readonly atMs: number | null
}

const TRACES_MAX = 100
// Headers of a mail are bounded at 256 kB; this many lines of it are read.
const HEADER_BYTES_MAX = 262_144
const HEADER_LINES_MAX = 2_000

export function listMailTraces(
  { mail }: MailReport,
  lines: readonly TextLine[],
  knowledge: TraceKnowledge,
): readonly MailTrace[] {
  const enclosed = mail.parts
    .filter(isEnclosedMail)
    .slice(0, TRACES_MAX)
    .map((part) => readEnclosed(part, knowledge))
  const pasted = listPasted(lines, knowledge)
  const found = [...enclosed, ...pasted].filter((trace) => trace !== null)
  const byIp = new Map<string, MailTrace>()
  for (const trace of found) if (!byIp.has(trace.ip)) byIp.set(trace.ip, trace)
  return [...byIp.values()].slice(0, TRACES_MAX)
}

function readEnclosed(part: MailPart, knowledge: TraceKnowledge): MailTrace | null {
  const bytes = part.bytes.subarray(0, HEADER_BYTES_MAX)
  const text = new TextDecoder('latin1').decode(bytes)
  const headers = parseHeaderLines(text.split(/\r?\n/, HEADER_LINES_MAX))
  return traceOf(headers, 'enclosed mail', null, knowledge)
}

function traceOf(
  headers: readonly MailHeader[],
  part: string,
  line: number | null,
  knowledge: TraceKnowledge,
): MailTrace | null {
  const source = findMailSource(headers, knowledge)
  if (source === null) return null
  const { ip, line: excerpt, reason } = source
  return { ip, part, line, excerpt, reason, atMs: readArrival(headers) }
}

function readArrival(headers: readonly MailHeader[]): number | null {
  const received = headers.find(({ name }) => name === 'received')?.value ?? ''
  const stamp = received.slice(received.lastIndexOf(';') + 1)
  const date = headers.find(({ name }) => name === 'date')?.value ?? ''
  return parseMailDate(stamp) ?? parseMailDate(date)
}

/** Each block of pasted header lines is one mail; quoting is undone. */
function listPasted(
  lines: readonly TextLine[],
  knowledge: TraceKnowledge,
): readonly (MailTrace | null)[] {
  const traces: (MailTrace | null)[] = []
  for (let at = 0; at < lines.length && traces.length < TRACES_MAX; at += 1) {
    const first = lines[at]
    if (first === undefined || first.cut?.kind !== 'trace') continue
    let end = at + 1
    while (lines[end]?.cut?.kind === 'trace' && lines[end]?.part === first.part) end += 1
    const block = lines.slice(at, Math.min(end, at + HEADER_LINES_MAX))
    const headers = parseHeaderLines(block.map(({ raw }) => raw.replace(/^(?:[>|] ?){1,8}/, '')))
    traces.push(traceOf(headers, first.part, first.number, knowledge))
    // The line behind the block may begin that of the next part.
    at = end - 1
  }
  return traces
}
