// What stands above a line: the heading of a list, or the heads of a table.

import { askOnceEach } from '../ask-once.ts'
import type { TextLine } from '../lines/text-lines.ts'
import { findLabels } from './find-label.ts'
import { isFieldRow, isRule, isTableRow, readTableHeads, type Table } from './table-heads.ts'

// `Victims`, `Attacked hosts of ours`; more words make a sentence.
const TITLE_WORDS_MAX = 4
const HEADING_LENGTH_MAX = 160

/** A line that may be a heading. Most have no list below, so that it is read when one asks. */
export class Heading {
  readonly line: TextLine
  readonly #tail: string
  readonly #from: number
  #whole: string | null = null
  #isTitle: boolean | null = null

  /** `from`: where the last address or link of the line itself ends. */
  constructor(line: TextLine, tail: string, from: number) {
    this.line = line
    this.#tail = tail
    this.#from = from
  }

  /** What it says of the lines below; of several sentences before a colon the last. */
  get text(): string {
    return this.#read().slice(-HEADING_LENGTH_MAX)
  }

  /**
   * A few words, and no end of a sentence: what every line below it is about, whatever that calls
   * itself.
   */
  get isTitle(): boolean {
    this.#isTitle ??= this.#tail === '' && isTitle(this.#read())
    return this.#isTitle
  }

  #read(): string {
    this.#whole ??= readHeading(
      behindOwn(this.line.clean, this.#from) ?? `${this.#tail}${this.line.clean.trim()}`,
    )
    return this.#whole
  }
}

const WORDS_BEHIND_MIN = 3

/**
 * `Our server 198.51.100.1 was attacked by these hosts:`: the words before the address are about
 * it, those behind it about the list. Null where nothing is said behind.
 */
function behindOwn(line: string, from: number): string | null {
  if (from === 0) return null
  const behind = line.slice(from).trim()
  return (behind.match(/\p{L}+/gu)?.length ?? 0) >= WORDS_BEHIND_MIN ? behind : null
}

function isTitle(text: string): boolean {
  return (text.match(/\p{L}+/gu)?.length ?? 0) <= TITLE_WORDS_MAX && !/[.!?]$/.test(text)
}

function readHeading(all: string): string {
  const last = /[:：]$/.test(all) ? (all.split(/[.!?。]\s{1,9}/).at(-1) ?? all) : all
  return last === all || findLabels(last).length > 0 ? last : all
}

/** The heading and the table that the current line stands under. */
export class Above {
  heading: Heading | null = null
  table: Table | null = null
  /**
   * `findLabels`, once for each text: the same heading stands over all lines of a list, the same
   * name before the values of a log.
   */
  readonly labelsOf = askOnceEach(findLabels)
  #part = ''
  #blanks = 0

  /**
   * `spottedEnd`: where the last address or link of the line ends, 0 without one. `tail`: the end
   * of the line before, where a sentence runs on from it.
   */
  enter(line: TextLine, spottedEnd: number, tail: string): void {
    const hasCandidates = spottedEnd > 0
    if (line.part !== this.#part) {
      this.#part = line.part
      this.heading = null
      this.table = null
    }
    const text = line.clean.trim()
    if (text === '') {
      this.#blanks += 1
      if (this.#blanks > 2) this.heading = null
      return
    }
    this.#blanks = 0
    const isOver = this.table !== null && !isTableRow(this.table, line.clean)
    if (isOver || isFieldRow(this.table, text)) this.table = null
    const isAnnouncing = /[:：]$/.test(text)
    if (hasCandidates || isRule(text) || /\d{2}:\d{2}/.test(text)) {
      if (hasCandidates && isAnnouncing) this.heading = new Heading(line, tail, spottedEnd)
      return
    }
    this.table = readTableHeads(line.clean, line.index) ?? this.table
    if (isAnnouncing || !isStatement(text)) this.heading = new Heading(line, tail, 0)
    // What a block of labelled lines is about stands in its title; a sentence above it is over.
    else if (this.heading?.isTitle !== true) this.heading = null
  }
}

// `Ticket: TR-5512` and `Reference | PS-400112` say something of their own; a label with many words
// behind it is a sentence. Words end at a space only, so that a long one is not taken apart in
// every way (1,200 letters took longer than anybody waited).
const STATEMENT =
  /^[^:|]{1,40}(?::\s{1,30}|\s{1,9}\|\s{1,9}(?=[^|]{0,80}\d))(?:[^\s|]{1,200}\s{1,9}){0,4}[^\s|]{1,200}\s{0,9}$/

function isStatement(text: string): boolean {
  return STATEMENT.test(text.slice(0, 1_200))
}
