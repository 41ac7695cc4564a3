// What a sentence says only perhaps, under a condition, in general or as advice: such words name
// kinds of abuse that the report is not about. (words/, meanings `possible.…` and `boilerplate`)

import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'
import { beginsWithCondition } from '../verdict/clauses.ts'

const WRITTEN = { text: 'as written' } as const

/** Words of doubt weigh a tenth. */
export const DOUBT_SHARE = 0.1

/** From where to where it is in doubt, and how a person is told. */
export interface Doubt {
  readonly from: number
  readonly to: number
  readonly how: string
  /** It stays in doubt where nothing else is said. */
  readonly isLasting?: true
}

// `An open resolver can be abused for attacks` reports the resolver and no attack.
const POSSIBLE = new RegExp(
  `(?<!\\p{L})(?:${sourceOf('possible.can', WRITTEN)} (?:[^.;:]{0,80} )?${sourceOf('possible.used', WRITTEN)}|${sourceOf('possible.hedge', WRITTEN)})(?!\\p{L})`,
  'iu',
)
// `… の可能性があります`, `… olabilir`: the doubt stands behind what it is about.
const POSSIBLE_BEHIND = compileMeaning('possible.behind', WRITTEN)
const POSSIBLE_UNSPACED = compileMeaning('possible.unspaced', WRITTEN)
const GENERAL = compileMeaning('possible.general', { ...WRITTEN, start: 'word', end: 'word' })

// Advice and footers name kinds of abuse that the report is not about.
const BOILERPLATE = compileMeaning('boilerplate')
const ADVICE = compileMeaning('advice', { start: 'word' })

const TAIL_LENGTH = 100
const SENTENCE_LENGTH_MAX = 600

/** `before`: what the line before holds of the sentence, '' when it begins here. */
export function findDoubt(before: string, sentence: string): Doubt | null {
  const tail = before === '' ? '' : `${before.slice(-TAIL_LENGTH)} `
  const text = `${tail}${sentence.slice(0, SENTENCE_LENGTH_MAX)}`
  const to = sentence.length
  const folded = foldText(text)
  if (BOILERPLATE.test(folded)) return { from: 0, to, how: 'in a footer', isLasting: true }
  if (ADVICE.test(folded)) return { from: 0, to, how: 'in advice' }
  if (beginsWithCondition(folded)) return { from: 0, to, how: 'under a condition' }
  if (GENERAL.test(text)) return { from: 0, to, how: 'of what happens in general' }
  const found = POSSIBLE.exec(text) ?? POSSIBLE_UNSPACED.exec(text)
  if (found !== null) {
    return { from: Math.max(0, found.index - tail.length), to, how: 'of what may be' }
  }
  const behind = POSSIBLE_BEHIND.exec(text)
  if (behind === null) return null
  return { from: 0, to: behind.index + behind[0].length - tail.length, how: 'of what may be' }
}

const END = /[.!?;](?=\s)|[。！？；]/g

/** The sentences of a line; of one without an end the line itself. */
export function splitSentences(line: string): readonly string[] {
  const sentences: string[] = []
  let from = 0
  for (const { index } of line.matchAll(END)) {
    // `e. g.`, `No. 5`: what is that short is no sentence.
    if (index - from < SENTENCE_LENGTH_MIN) continue
    sentences.push(line.slice(from, index + 1))
    from = index + 1
  }
  const rest = line.slice(from)
  if (rest.trim() !== '' || sentences.length === 0) sentences.push(rest)
  return sentences
}

const SENTENCE_LENGTH_MIN = 8

/** What runs on into the next line; '' when the line ends its sentence. */
export function tailOf(line: string): string {
  if (line.length === 0 || /[.!?;。！？；]\s*$/.test(line)) return ''
  return splitSentences(line).at(-1)?.slice(-TAIL_LENGTH) ?? ''
}
