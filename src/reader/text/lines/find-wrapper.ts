// Finds what a ticket system, or a hoster who tells his customer, wrote around a complaint: rows
// about the ticket, and the letter above the complaint. Policies and names of queues speak of all
// kinds of abuse.

import { isAboutOurs } from '../../mail/find-forwarded.ts'
import { sourceOf } from '../../words/compile-words.ts'
import { isLogLine } from './log-line.ts'
import { isPassedOn } from './passed-on.ts'

const WRITTEN = { text: 'as written' } as const

const TICKET_ROW = new RegExp(
  `^[\\s>*|]{0,24}${sourceOf('ticket.field', WRITTEN)}\\*?\\s{0,20}[:：]`,
  'iu',
)
const ROW = /^[\s>*|]{0,24}[\p{L}][\p{L} _-]{0,30}\*?\s{0,20}[:：]/u
const ROWS_MIN = 2

/** The rows about a ticket, of each block of rows that holds two or more of them. */
export function listWrapperRows(lines: readonly string[]): readonly number[] {
  const found: number[] = []
  let block: number[] = []
  for (const [at, line] of lines.entries()) {
    if (TICKET_ROW.test(line.slice(0, 200))) block.push(at)
    else if (!ROW.test(line.slice(0, 200))) {
      if (block.length >= ROWS_MIN) found.push(...block)
      block = []
    }
  }
  return block.length >= ROWS_MIN ? [...found, ...block] : found
}

const LETTER_LINES_MAX = 60
const INTRODUCTION_LINES = 25
const MATTER = new RegExp(sourceOf('matter', WRITTEN), 'iu')
const FORWARDED = new RegExp(`^[\\s>*_-]{0,40}${sourceOf('quote.forward-start', WRITTEN)}`, 'iu')
const FRAMED = /^\s{0,4}[-=_*#+~]{3,80}\s?[^-=_*#+~].{2,60}[-=_*#+~]{3,80}\s*$/
const RULE = /^\s{0,4}[-=_*#+~]{8,200}\s*$/

/**
 * How many lines from the first are the letter above the complaint; 0 without one. What follows
 * must be a complaint itself: above a sample of spam the reporter's own words stand.
 */
export function findWrapper(lines: readonly string[]): number {
  const read = lines.slice(0, LETTER_LINES_MAX)
  const start = read.findIndex((line, at) => at > 0 && isBorder(line))
  if (start === -1) return 0
  const above = lines.slice(Math.max(0, start - INTRODUCTION_LINES), start + 1)
  if (!isPassedOn(above)) return 0
  const below = lines.slice(start + 1, start + 1 + LETTER_LINES_MAX)
  const isComplaint = isAboutOurs(below.join('\n')) || below.some(isLogLine)
  return isComplaint ? start : 0
}

function isBorder(fullLine: string): boolean {
  const line = fullLine.slice(0, 200)
  if (/^\s{0,3}>/.test(line) || RULE.test(line) || FORWARDED.test(line)) return true
  if (FRAMED.test(line)) return true
  return line.length < 60 && /[:：]\s*$/.test(line) && MATTER.test(line) && !/[.!?]\s/.test(line)
}
