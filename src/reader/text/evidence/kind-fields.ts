// The kind of abuse where a form or a machine names it: the value of a label such as `Abuse type`,
// and a tag in brackets such as `[port-scan]`. (words/, meanings `kind.…`)

import { type Meaning, sourceOf } from '../../words/compile-words.ts'

export interface KindField {
  /** The label as written; of a tag the tag. */
  readonly label: string
  readonly value: string
  /** Of the lines, from 0: where the value stands. */
  readonly at: number
  /** `Type` and `Reason` may be of something else than the abuse. */
  readonly isLoose: boolean
}

const LABEL = new RegExp(
  `^[\\s>*|#•·-]{0,8}(?:(${namesOf('kind.label')})|(${namesOf('kind.loose-label')}))[\\s*"')]{0,4}(?:$|[:=|]|\\t| - )[\\s*"']{0,4}(.{0,120})$`,
  'iu',
)
const LINES_MAX = 400
const LINE_LENGTH_MAX = 180

function namesOf(meaning: Meaning): string {
  return sourceOf(meaning, { text: 'as written' })
}

/** The kinds that fields of a form name; the value may stand in the next line. */
export function listKindFields(lines: readonly string[]): readonly KindField[] {
  const fields: KindField[] = []
  for (const [at, line] of lines.slice(0, LINES_MAX).entries()) {
    if (line.length < 3 || line.length > LINE_LENGTH_MAX) continue
    const match = LABEL.exec(line)
    if (match === null) continue
    const [, sure, loose = '', own = ''] = match
    const field = { label: sure ?? loose, isLoose: sure === undefined }
    if (isChoice(own)) continue
    if (own.trim() !== '') fields.push({ ...field, value: own, at })
    else {
      const next = nextValue(lines, at)
      if (next !== null) fields.push({ ...field, ...next })
    }
  }
  return fields
}

// `Domain - Abuse - Spam - Copyright - Other`: the name of a whole branch of a form.
const BRANCHES_MIN = 4

function isChoice(value: string): boolean {
  return value.split(/ [-–|/>] /).length >= BRANCHES_MIN
}

const VALUE_LENGTH_MAX = 60

/** Of `Category` alone in its line: a few words in the next one, which is no field itself. */
function nextValue(lines: readonly string[], at: number): { value: string; at: number } | null {
  const below = [at + 1, at + 2].find((index) => (lines[index] ?? '').trim() !== '')
  const value = below === undefined ? '' : (lines[below] ?? '').trim()
  if (below === undefined || value.length > VALUE_LENGTH_MAX || /[:.!?]/.test(value)) return null
  return { value, at: below }
}

// `[port-scan]`: a machine sorted the report, and does so in each mail alike.
const TAG = /\[([a-z]{2,20}(?:[-_][a-z]{2,20}){1,4})\]/g

/** The tags of a line. */
export function listTags(line: string): readonly string[] {
  if (!line.includes('[')) return []
  return [...line.matchAll(TAG)].map(([, name = '']) => name)
}

/** `web-hacking_attempt` as words. */
export function wordsOf(name: string): string {
  return name.replaceAll(/[-_/]+/g, ' ')
}

// `(spam/phishing/malware)`: three kinds in one bracket are a choice that nobody made.
const BRACKET = /[[(][^\][()]{5,80}[\])]/g
const KINDS_MIN = 3

/** A line without its brackets that list kinds. */
export function withoutChoices(line: string): string {
  return line.replaceAll(BRACKET, (bracket) =>
    bracket.split(/[/|,]/).length < KINDS_MIN ? bracket : ' ',
  )
}
