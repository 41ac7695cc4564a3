// Words that name nobody: those of the reader's own phrases, in all languages, and what desks and
// headers are called.

import { LANGUAGES } from '../words/compile-words.ts'

const PLAIN =
  'the and for from your our with this that have has was were are not but you all can may will been via per cert soc noc csirt inc ltd llc gmbh corp company group team desk staff department service services center centre office customer client user admin administrator manager dear hello sir madam regards kind best sincerely thanks thank mail email address phone reporter reporting reports report abuse security support network networks internet hosting host server online cloud web site data info news example test invalid localhost login account page link'

const COMMON: ReadonlySet<string> = new Set([...PLAIN.split(' '), ...listWords()])

function listWords(): readonly string[] {
  return [...LANGUAGES.values()].flatMap((meanings) =>
    [...meanings.values()].flatMap((phrases) =>
      phrases.flatMap((phrase) => phrase.toLowerCase().match(/\p{L}[\p{L}\p{M}]{2,}/gu) ?? []),
    ),
  )
}

/** In lower case. */
export function isCommonWord(word: string): boolean {
  return COMMON.has(word)
}
