// Reads the text of a report as numbered lines, refanged and with wrapped links joined. An ignored
// line is marked with the reason.

import type { ReadableText } from '../../mail/mail.ts'
import type { Finding } from '../../reading.ts'
import { sourceOf } from '../../words/compile-words.ts'
import { type Cut, cutLines, type Passing } from './cut-lines.ts'
import { joinSpaced } from './join-spaced.ts'
import { joinWrapped } from './join-wrapped.ts'
import { refang } from './refang.ts'

export interface TextLine {
  /** Position among all lines. */
  readonly index: number
  readonly part: string
  readonly kind: ReadableText['kind']
  /** Line of the part, from 1. */
  readonly number: number
  readonly raw: string
  /** Refanged; a link that was wrapped stands whole in its first line. */
  readonly clean: string
  readonly cut: Cut | null
}

// The largest list of the collection has 1,464 events, far below this limit. 2 MB are read in 0.2
// s.
const CHARACTERS_MAX = 2_000_000
const LINES_MAX = 20_000
const LINE_LENGTH_MAX = 10_000

// As mail programs mark it in the languages of the collection.
const WRITTEN = { text: 'as written' } as const
const FORWARD = new RegExp(
  `^\\s*(?:\\[[^\\]]{1,60}\\]\\s*)?(?:${sourceOf('subject.forward', WRITTEN)}|${sourceOf('subject.forward-in-text', WRITTEN)})\\s?[:：]`,
  'iu',
)

export function readLines(texts: readonly ReadableText[]): readonly TextLine[] {
  const lines: TextLine[] = []
  const subject = texts.find(({ kind }) => kind === 'subject')?.lines[0] ?? ''
  const passing = passingOf(subject.slice(0, 200))
  let left = CHARACTERS_MAX
  for (const { part, kind, lines: all } of texts) {
    const raws: string[] = []
    for (const line of all.slice(0, LINES_MAX - lines.length)) {
      if (left <= 0) break
      const raw = line.slice(0, Math.min(left, LINE_LENGTH_MAX))
      left -= raw.length + 1
      raws.push(raw)
    }
    const cuts = cutLines(raws, kind, passing)
    const cleans = joinWrapped(raws.map(cleanLine))
    for (const [at, raw] of raws.entries()) {
      const clean = cleans[at] ?? ''
      const cut = cuts[at] ?? null
      lines.push({ index: lines.length, part, kind, number: at + 1, raw, clean, cut })
    }
  }
  return lines
}

const ANSWER = new RegExp(
  `^\\s*(?:${sourceOf('subject.reply', WRITTEN)}|${sourceOf('subject.reply-in-text', WRITTEN)})\\s?[:：]`,
  'iu',
)

function passingOf(subject: string): Passing {
  if (FORWARD.test(subject)) return 'forward'
  return ANSWER.test(subject) ? 'answer' : 'none'
}

/**
 * What lies beyond the bounds of `readLines`, one finding for each part; a reader of the report
 * must know that there is more.
 */
export function listUnreadLines(
  texts: readonly ReadableText[],
  lines: readonly TextLine[],
): readonly Finding[] {
  const byPart = Map.groupBy(lines, ({ part }) => part)
  return texts.slice(0, PARTS_LISTED_MAX).flatMap(({ part, lines: all }) => {
    const read = byPart.get(part) ?? []
    const cut = read.find(({ raw, number }) => raw.length < (all[number - 1] ?? '').length)
    const isWhole = read.length >= all.length && cut === undefined
    if (isWhole) return []
    const line = cut?.number ?? read.length + 1
    const limits = `beyond ${CHARACTERS_MAX} characters, ${LINES_MAX} lines or ${LINE_LENGTH_MAX} characters of one line`
    const reason = `The rest of the text was not read: it lies ${limits}.`
    const excerpt = (all[line - 1] ?? '').slice(0, 200)
    const place = { part, line, excerpt, role: null, rank: null }
    return [{ field: '', value: '', ...place, reason, rule: 'not-read' }]
  })
}

// The maximum of findings; further parts get none.
const PARTS_LISTED_MAX = 20

// Nobody sees them; they are set into addresses so that nothing becomes a link.
const ZERO_WIDTH = /[\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/

// The wide colon of Chinese and Japanese is a colon; one character for one, so that columns stay.
function cleanLine(line: string): string {
  const seen = ZERO_WIDTH.test(line) ? line.replaceAll(new RegExp(ZERO_WIDTH, 'g'), '') : line
  return joinSpaced(seen, refang(seen)).replaceAll('：', ':').replaceAll('\u00A0', ' ')
}
