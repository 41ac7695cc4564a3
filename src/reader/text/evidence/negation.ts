// `This is no spam`: a sentence that says what it is not.

import { sourceOf } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'

const NEGATION = new RegExp(
  `${sourceOf('negation', { start: 'word' })}\\s(?:\\S{1,12}\\s)?${sourceOf('negation.of')}`,
  'u',
)

export function isNegated(sentence: string): boolean {
  return NEGATION.test(foldText(sentence))
}
