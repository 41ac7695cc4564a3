// An address or link at one place of a report, with what its surroundings say about it.

import { reportableIp } from '../../../vocabulary/reportable-ip.ts'
import type { Finding } from '../../reading.ts'
import { askOnceEach } from '../ask-once.ts'
import { isLogLine } from '../lines/log-line.ts'
import { type Spotted, scanLine } from '../lines/scan-line.ts'
import type { TextLine } from '../lines/text-lines.ts'
import { Above } from './above.ts'
import { type Described, describeLine, findHolder, isDefanged } from './describe-line.ts'
import type { FoundLabel } from './find-label.ts'
import { listForms } from './line-form.ts'

export interface Occurrence extends Spotted {
  readonly line: TextLine
  readonly context: 'subject' | 'prose' | 'list' | 'table' | 'log'
  /** Written so that nobody opens it by accident. */
  readonly isDefanged: boolean
  /** Nothing else in its line. */
  readonly isAlone: boolean
  /** The words before it that belong to it. */
  readonly beside: string
  /** In the words beside it; their places are in `beside`. */
  readonly labels: readonly FoundLabel[]
  /** A label with its colon: what stands first in it is what is meant. */
  readonly isNamed: boolean
  /** The line or the head of the column above it; empty when it stands in prose. */
  readonly overhead: string
  readonly labelsAbove: readonly FoundLabel[]
  /** The line above is a title of a few words, which says what all lines below it are. */
  readonly isUnderTitle: boolean
  /** The host beside an address, one of the two in brackets; null without one. */
  readonly holder: string | null
  readonly direction: 'from' | 'to' | null
  /** The direction is that of an arrow, which no word and no head of a column outweighs. */
  readonly isPointed: boolean
  /** Occurrences with the same words in the same place: whatever is true of one is true of all. */
  readonly group: string
}

// What is found beyond this is more than a report can have events (10,000), each with its target.
const OCCURRENCES_MAX = 30_000

/** What a person should know of what was left out; empty when nothing was. */
export function listUnreadOccurrences(occurrences: readonly Occurrence[]): readonly Finding[] {
  const last = occurrences.at(-1)?.line
  if (last === undefined || occurrences.length < OCCURRENCES_MAX) return []
  const { part, number: line, raw } = last
  const reason = `Addresses and links beyond the first ${OCCURRENCES_MAX} places were not read.`
  const excerpt = raw.slice(0, 200)
  const place = { part, line, excerpt, role: null, rank: null }
  return [{ field: '', value: '', ...place, reason, rule: 'not-read' }]
}

export function listOccurrences(lines: readonly TextLine[]): readonly Occurrence[] {
  const found: Occurrence[] = []
  const above = new Above()
  const known = new Map<string, KnownLine>()
  const readIp = askOnceEach(reportableIp)
  let tail = { part: '', text: '' }
  const forms = listForms(lines.map(({ clean }) => clean))
  for (const [at, line] of lines.entries()) {
    const spotted = line.clean.trim() === '' ? [] : scanLine(line.clean, readIp)
    const previous = tail.part === line.part ? tail.text : ''
    above.enter(line, spotted.at(-1)?.end ?? 0, previous)
    tail = { part: line.part, text: tailOf(line.clean, spotted.at(-1)?.end ?? 0) }
    if (spotted.length === 0 || line.cut?.kind === 'noise' || line.cut?.kind === 'trace') continue
    const matter = { line, form: forms[at] ?? '', spotted, above, tail: previous }
    for (const each of readLine(matter, known)) found.push(each)
    if (found.length >= OCCURRENCES_MAX) break
  }
  return found.slice(0, OCCURRENCES_MAX)
}

// Prose is broken near this column; a shorter line was ended by its author.
const PROSE_LINE = 45

/** The end of a line, from `from` on, where its sentence runs on into the next; else ''. */
function tailOf(line: string, from: number): string {
  const text = line.trimEnd()
  const runsOn = text.length >= PROSE_LINE && /[\p{L},]$/u.test(text.slice(-2)) && !isLogLine(text)
  return runsOn ? `${text.slice(from).slice(-120)} ` : ''
}

interface LineMatter {
  readonly line: TextLine
  /** As `listForms` gives it: the line without its numbers. */
  readonly form: string
  readonly spotted: readonly Spotted[]
  readonly above: Above
  /** The end of the line before, where its sentence runs on; else ''. */
  readonly tail: string
}

/** A line that was described, for those of its form that stand under the same heading or table. */
interface KnownLine {
  readonly kind: TextLine['kind']
  readonly heading: Above['heading']
  readonly table: Above['table']
  readonly spotted: readonly Spotted[]
  readonly described: readonly (Described | null)[]
}

function readLine(matter: LineMatter, known: Map<string, KnownLine>): readonly Occurrence[] {
  const { line, form, spotted, above, tail } = matter
  const { heading, table } = above
  const alike = known.get(form)
  if (alike !== undefined && isAlike(alike, matter)) return copyFrom(alike, matter)
  const described = describeLine(line, spotted, above, tail)
  if (tail === '' && heading?.line !== line && described.every(isWithoutNumbers)) {
    known.set(form, { kind: line.kind, heading, table, spotted, described })
  }
  return described.flatMap((one) => (one === null ? [] : [one.occurrence]))
}

// The form leaves numbers out, so that a label with one may be another in the next line.
function isWithoutNumbers(one: Described | null): boolean {
  return one === null || one.occurrence.labels.every(({ word }) => !/\d/.test(word))
}

function isAlike(
  { kind, heading, table, spotted: others }: KnownLine,
  { line, spotted, above, tail }: LineMatter,
): boolean {
  return (
    tail === '' &&
    kind === line.kind &&
    heading === above.heading &&
    heading?.line !== line &&
    table === above.table &&
    others.length === spotted.length &&
    spotted.every((each, at) => {
      const other = others[at]
      return each.kind === other?.kind && each.column === other.column && each.end === other.end
    })
  )
}

function copyFrom({ described }: KnownLine, { line, spotted }: LineMatter): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (const [at, each] of spotted.entries()) {
    const one = described[at]
    if (one === null || one === undefined) continue
    const { occurrence, isNext } = one
    const copy = isNext ? (found.at(-1) ?? occurrence) : occurrence
    // Member by member instead of spread: this runs for each address of a log.
    found.push({
      kind: each.kind,
      value: each.value,
      text: each.text,
      column: each.column,
      end: each.end,
      port: each.port,
      host: each.host,
      line,
      context: copy.context,
      isDefanged: isDefanged(line, each),
      isAlone: copy.isAlone,
      beside: isNext ? copy.beside : besideOf(line, occurrence),
      labels: copy.labels,
      isNamed: copy.isNamed,
      overhead: copy.overhead,
      labelsAbove: copy.labelsAbove,
      isUnderTitle: copy.isUnderTitle,
      holder: isNext ? copy.holder : findHolder(line, spotted, at),
      direction: copy.direction,
      isPointed: copy.isPointed,
      group: copy.group,
    })
  }
  return found
}

/** The words at the same place of this line. */
function besideOf({ clean }: TextLine, { beside, column, line: other }: Occurrence): string {
  const from = other.clean.lastIndexOf(beside, column - beside.length)
  return beside === '' ? '' : clean.slice(from, from + beside.length)
}
