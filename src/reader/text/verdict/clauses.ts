// The sentences of a mail, as the rules of the verdict look at them: what is only quoted and what
// holds only under a condition tells nothing of what is.

import { compileMeaning, sourceOf } from '../../words/compile-words.ts'

const END = /(?<=[.!?])\s+|[\u3002\uff01\uff1f]|\n\s*\n/u
const SENTENCES_MAX = 60

export function splitSentences(text: string): readonly string[] {
  return text
    .split(END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, SENTENCES_MAX)
}

const CONDITION = compileMeaning('conditional.start', { start: 'word', end: 'word' })
const CONDITION_INSIDE = new RegExp(`[,;(]? ${sourceOf('conditional.inside')}(?!\\p{L})`, 'u')

/** `If it happens again, …`: nothing happened. */
export function isConditional(sentence: string): boolean {
  return beginsWithCondition(sentence) || CONDITION_INSIDE.test(sentence)
}

export function beginsWithCondition(sentence: string): boolean {
  const at = sentence.search(CONDITION)
  return at >= 0 && at < 3
}

/** The sentences that hold under no condition. */
export function listUnconditional(text: string): readonly string[] {
  return splitSentences(text).filter((sentence) => !isConditional(sentence))
}

/** Without sentences that hold under a condition. */
export function withoutConditions(text: string): string {
  return joinSentences(listUnconditional(text))
}

/** `splitSentences` finds the same sentences again. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.join('\n\n')
}

const QUOTED =
  /"[^"\n]{1,200}"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|「[^」\n]{1,200}」/gu

/** Without what stands between quotation marks: the subject of a ticket stands there. */
export function withoutQuoted(text: string): string {
  return text.replaceAll(QUOTED, ' ')
}
