// When it happened: of the dates in a report, the one that belongs to an address or link.

import { sourceOf } from '../words/compile-words.ts'
import type { DatedSpan, Dates } from './dates/parse-date.ts'
import { isHeadField } from './lines/cut-lines.ts'
import type { TextLine } from './lines/text-lines.ts'
import type { Occurrence } from './occurrences/occurrence.ts'

const WRITTEN = { text: 'as written' } as const

export interface ChosenTime {
  readonly span: DatedSpan
  readonly why: string
}

// A report says it in its first places.
const OCCURRENCES_MAX = 8
// The lines of one incident stand together; a table of facts about it is rarely longer.
const NEAR_LINES = 12
// As close as this a date goes before one in another line that names the same.
const CLOSE_LINES = 4

const DAY_MS = 86_400_000
// A day without a time this long ago is that of a registration, a law or a work: a report of so old
// an incident tells its time.
const DAYS_MAX = 90
// A Date header that is older tells nothing.
const YEARS_MAX = 20
// A number without a label is a date at 0.3 and just counts (parse-date-forms.ts).
const CERTAINTY_MIN = 0.3
// In lines: how much farther away a date counts that stands above, or has no time of day; and how
// much an empty line between adds.
const ABOVE_COST = 0.25
const DAY_ONLY_COST = 3
const EMPTY_LINE_COST = 2

/** When a report was written, as far as that is known. */
export interface TimelineFrame {
  readonly reportedAtMs: number | null
  readonly receivedAtMs: number
}

/** The dates of a report by their lines, and which way they stand from what they belong to. */
export class Timeline {
  readonly #dates: Dates
  readonly #writtenMs: number
  readonly #spansByLine = new Map<TextLine, readonly DatedSpan[]>()
  readonly #linesByPart: ReadonlyMap<string, readonly TextLine[]>
  /** What counts where nothing stands nearer; null until it is asked for. */
  #first: { readonly span: DatedSpan | null } | null = null

  constructor(dates: Dates, lines: readonly TextLine[], frame: TimelineFrame) {
    this.#dates = dates
    this.#writtenMs = findWritten(frame)
    this.#linesByPart = Map.groupBy(lines, ({ part }) => part)
  }

  /** Null when the report names no date that could be meant. */
  choose(occurrences: readonly Occurrence[], best: Occurrence): ChosenTime | null {
    // Nothing stands near the subject; the places in the text do.
    const inText = occurrences.filter(({ line }) => line.kind !== 'subject')
    const relevant = best.line.kind === 'subject' ? inText.slice(0, OCCURRENCES_MAX) : [best]
    return (
      this.#inLine(best, 'in the same line') ??
      this.#nearAny(relevant, CLOSE_LINES) ??
      this.#inAnyLine(occurrences) ??
      this.#nearAny(relevant, NEAR_LINES) ??
      this.#anywhere()
    )
  }

  #nearAny(occurrences: readonly Occurrence[], distanceMax: number): ChosenTime | null {
    for (const occurrence of occurrences) {
      const inLine = this.#inLine(occurrence, 'in a line that names it')
      const chosen = inLine?.span.hasTime === true ? inLine : this.#near(occurrence, distanceMax)
      if (chosen !== null) return chosen
    }
    return null
  }

  #inLine(occurrence: Occurrence, why: string): ChosenTime | null {
    const [span] = this.#spansOf(occurrence.line).toSorted(
      (a, b) =>
        Number(b.hasTime) - Number(a.hasTime) ||
        Math.abs(a.column - occurrence.column) - Math.abs(b.column - occurrence.column),
    )
    return span === undefined ? null : { span, why }
  }

  #inAnyLine(occurrences: readonly Occurrence[]): ChosenTime | null {
    for (const occurrence of occurrences) {
      const chosen = this.#inLine(occurrence, 'in a line that names it')
      if (chosen?.span.hasTime === true) return chosen
    }
    return null
  }

  /**
   * The nearest date within the same block of lines; of two as near the one that is a moment, then
   * the one below.
   */
  #near({ line }: Occurrence, distanceMax: number): ChosenTime | null {
    if (line.kind === 'subject') return null
    const found: { readonly span: DatedSpan; readonly cost: number }[] = []
    for (const step of [1, -1]) {
      let cost = step < 0 ? ABOVE_COST : 0
      for (let distance = 1; distance <= distanceMax; distance += 1) {
        const number = line.number + step * distance
        const near = this.#linesByPart.get(line.part)?.[number - 1]
        if (near === undefined) break
        // An empty line ends what belongs together, unless the facts are set apart by one each.
        cost += near.clean.trim() === '' ? EMPTY_LINE_COST : 1
        const [span] = this.#spansOf(near).toSorted((a, b) => Number(b.hasTime) - Number(a.hasTime))
        if (span === undefined) continue
        found.push({ span, cost: cost + (span.hasTime ? 0 : DAY_ONLY_COST) })
        break
      }
    }
    const [nearest] = found.toSorted((a, b) => a.cost - b.cost)
    return nearest === undefined ? null : { span: nearest.span, why: 'the nearest date' }
  }

  #anywhere(): ChosenTime | null {
    this.#first ??= { span: this.#findFirst() }
    const { span } = this.#first
    return span === null ? null : { span, why: 'the first date of the report' }
  }

  /** In reading order; one without a time only where none has a time. */
  #findFirst(): DatedSpan | null {
    let first: DatedSpan | null = null
    for (const span of this.#dates.all()) {
      if (span.certainty < CERTAINTY_MIN || !this.#isPossible(span)) continue
      if (span.hasTime) return span
      first ??= span
    }
    return first
  }

  #spansOf(line: TextLine): readonly DatedSpan[] {
    const known = this.#spansByLine.get(line)
    if (known !== undefined) return known
    const spans = this.#dates
      .inLine(line.part, line.number)
      .filter((span) => this.#isPossible(span) && !this.#isOfHead(span))
    this.#spansByLine.set(line, spans)
    return spans
  }

  #isPossible(span: DatedSpan): boolean {
    const { ms, hasTime } = span
    if (ms > this.#writtenMs + DAY_MS) return false
    if (!hasTime && ms < this.#writtenMs - DAYS_MAX * DAY_MS) return false
    return !isOther(this.#textOf(span))
  }

  /** The date of a mail that was passed on says when somebody wrote, not when it happened. */
  #isOfHead({ part, line }: DatedSpan): boolean {
    const lines = this.#linesByPart.get(part) ?? []
    if (!HEAD_DATE.test((lines[line - 1]?.clean ?? '').slice(0, 60))) return false
    const around = lines.slice(Math.max(0, line - 1 - HEAD_LINES), line + HEAD_LINES)
    const fields = around.filter(({ clean }) => isHeadField(clean))
    return fields.length >= 2 && fields.some(({ clean }) => HEAD_SUBJECT.test(clean.slice(0, 60)))
  }

  #textOf({ part, line, column }: DatedSpan): string {
    return (
      this.#linesByPart.get(part)?.[line - 1]?.clean.slice(Math.max(0, column - 60), column) ?? ''
    )
  }
}

function findWritten({ reportedAtMs, receivedAtMs }: TimelineFrame): number {
  const isKnown =
    reportedAtMs !== null &&
    reportedAtMs <= receivedAtMs + DAY_MS &&
    reportedAtMs > receivedAtMs - YEARS_MAX * 365 * DAY_MS
  return isKnown ? reportedAtMs : receivedAtMs
}

// The head of a mail as mail programs copy it into the text of another: four fields, or five with a
// Cc.
const HEAD_LINES = 4
const HEAD_DATE = new RegExp(
  `^[\\s>*|]{0,8}(?:${sourceOf('header.date', WRITTEN)}|${sourceOf('header.sent', WRITTEN)})\\*?\\s?[:：]`,
  'iu',
)
const HEAD_SUBJECT = new RegExp(
  `^[\\s>*|]{0,8}(?:${sourceOf('header.subject', WRITTEN)}|${sourceOf('header.subject-other', WRITTEN)})\\*?\\s?[:：]`,
  'iu',
)

// Dates of something else: of a law, a registration, a deadline, this very mail.
const OTHER = new RegExp(
  `\\b(?:${sourceOf('date.of-else', WRITTEN)}|©|\\(c\\))\\W{0,12}(?:\\w{2,9},? )?$`,
  'iu',
)

// `Directive 2000/31/EC of`, `Gesetz Nr. 4 vom`: a law and its number before its day.
const LAW = new RegExp(
  `${sourceOf('date.law', { ...WRITTEN, start: 'word', end: 'word' })}[^.;:]{0,40}$`,
  'iu',
)

function isOther(before: string): boolean {
  return OTHER.test(before) || LAW.test(before)
}
