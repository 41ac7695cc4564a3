// The words of all languages the reader knows, one file a language (en.json, de.json …), merged by
// their meaning and made into patterns. A phrase is plain text with these signs:
//
//   (a|b)    one of these; (a|b)? one of these or nothing
//   *        any ending of the word before it; in front, the word may have any beginning
//   *3       an ending of up to 3 letters
//   <80>     up to 80 characters; <6-160> 6 to 160 of them
//   <3x20>   up to 3 words of up to 20 characters each, with the blanks before them
//
// Meanings that begin with `evidence.` and `label.` are looked up in tables of their own
// (evidence-words.ts, find-label.ts) and know the star only.

import ar from './ar.json' with { type: 'json' }
import bg from './bg.json' with { type: 'json' }
import cs from './cs.json' with { type: 'json' }
import da from './da.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import el from './el.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fi from './fi.json' with { type: 'json' }
import { foldText } from './fold-text.ts'
import fr from './fr.json' with { type: 'json' }
import hr from './hr.json' with { type: 'json' }
import hu from './hu.json' with { type: 'json' }
import id from './id.json' with { type: 'json' }
import it from './it.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import { type Alternative, joinAlternatives } from './join-alternatives.ts'
import ko from './ko.json' with { type: 'json' }
import nl from './nl.json' with { type: 'json' }
import no from './no.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import pt from './pt.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }
import ru from './ru.json' with { type: 'json' }
import sv from './sv.json' with { type: 'json' }
import th from './th.json' with { type: 'json' }
import tr from './tr.json' with { type: 'json' }
import uk from './uk.json' with { type: 'json' }
import vi from './vi.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

// In the order in which their phrases are tried: of two that begin at one place the first wins.
const FILES = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  ru,
  uk,
  pl,
  sv,
  da,
  cs,
  tr,
  fi,
  ro,
  hu,
  no,
  el,
  bg,
  hr,
  vi,
  th,
  id,
  ar,
  ja,
  ko,
  zh,
}

type KeyOf<File> = File extends unknown ? keyof File : never

/** The name of a meaning, such as `verdict.thanks`; a name in no file does not compile. */
export type Meaning = KeyOf<(typeof FILES)[keyof typeof FILES]>

/** Each language with the phrases of each meaning that it has words for. */
export const LANGUAGES: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  Object.entries(FILES).map(([language, file]) => [language, new Map(Object.entries(file))]),
)

/** The phrases of all languages; those of a language stand together. */
export function listPhrases(meaning: Meaning): readonly string[] {
  return [...LANGUAGES.values()].flatMap((words) => words.get(meaning) ?? [])
}

/** Every meaning that begins with `prefix`, as the English file orders them. */
export function listMeanings(prefix: string): readonly Meaning[] {
  const names = [...LANGUAGES.values()].flatMap((words) => [...words.keys()])
  return [...new Set(names)].filter(isMeaning).filter((name) => name.startsWith(prefix))
}

function isMeaning(name: string): name is Meaning {
  return [...LANGUAGES.values()].some((words) => words.has(name))
}

/** For text that is folded (fold-text.ts); the phrases are folded too. */
interface FoldedOptions {
  readonly text?: 'folded'
  /**
   * `word`: a phrase in Latin letters begins where a word begins (or ends where one ends, unless a
   * star stands there). Left out: a phrase may stand inside of a word.
   */
  readonly start?: 'word'
  readonly end?: 'word'
}

/** For text with its capitals and accents; the pattern around the phrases says where they stand. */
interface WrittenOptions {
  readonly text: 'as written'
  /** As for folded text; Cyrillic letters and those with an accent count as well. */
  readonly start?: 'word'
  readonly end?: 'word'
}

export type PatternOptions = FoldedOptions | WrittenOptions

/** One pattern for a meaning in all languages; its flags have no `g`, so it keeps no state. */
export function compileMeaning(meaning: Meaning, options: PatternOptions = {}): RegExp {
  return new RegExp(sourceOf(meaning, options), options.text === 'as written' ? 'iu' : 'u')
}

/** The same as the source of a pattern, for the grammar around it; it has no groups. */
export function sourceOf(meaning: Meaning, options: PatternOptions = {}): string {
  return joinPhrases(listPhrases(meaning), options)
}

/** One pattern for the phrases: of two that begin at one place the first wins. */
export function joinPhrases(phrases: readonly string[], options: PatternOptions = {}): string {
  return `(?:${joinAlternatives(phrases.map((phrase) => compileAlternative(phrase, options)))})`
}

const SIGN = /<(\d+)(?:([x-])(\d+))?>|\*(\d+)|\)\?|[()|*]|[\\^$.+?[\]{}/]/g

/** The source of a pattern for one phrase. Throws for a bracket or a bar that is out of place. */
export function compilePhrase(written: string, options: PatternOptions = {}): string {
  const { boundary, source } = compileAlternative(written, options)
  return boundary + source
}

function compileAlternative(written: string, options: PatternOptions): Alternative {
  const { start, end } = options
  const phrase = options.text === 'as written' ? written : foldText(written)
  let depth = 0
  const source = phrase
    .replace(/^\*/, '')
    .replace(/\*$/, '')
    .replaceAll(SIGN, (sign, count?: string, kind?: string, length?: string, ending?: string) => {
      depth += bracketOf(sign)
      if (depth < 0) throw new Error(`a bracket too many in the phrase "${phrase}"`)
      if (depth === 0 && sign === '|') throw new Error(`a bar without brackets in "${phrase}"`)
      if (ending !== undefined) return `${letterOf(options)}{0,${ending}}`
      if (count === undefined) return compileSign(sign, options)
      return compileGap(count, kind, length ?? '')
    })
  if (depth !== 0) throw new Error(`an open bracket in the phrase "${phrase}"`)
  const [, first = ''] = /^[(]*(.)/u.exec(phrase) ?? []
  const [, last = ''] = /(.)(?:\*\d+)?[)]*$/u.exec(phrase) ?? []
  const boundary = start === 'word' ? boundaryAt(first, '(?<!\\p{L})', options) : ''
  const after = end === 'word' ? boundaryAt(last, '(?!\\p{L})', options) : ''
  return { boundary, source: source + after }
}

// Languages without spaces have no boundaries of words.
function boundaryAt(letter: string, written: string, { text }: PatternOptions): string {
  if (/[a-z\d]/i.test(letter)) return '\\b'
  const isSpaced = text === 'as written' && /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(letter)
  return isSpaced ? written : ''
}

function compileGap(count: string, kind: string | undefined, length: string): string {
  if (kind === 'x') return `(?: \\S{1,${length}}){0,${count}}`
  return kind === undefined ? `.{0,${count}}?` : `.{${count},${length}}?`
}

function bracketOf(sign: string): number {
  if (sign === '(') return 1
  return sign.startsWith(')') ? -1 : 0
}

function compileSign(sign: string, options: PatternOptions): string {
  if (sign === '(') return '(?:'
  if (sign === '*') return `${letterOf(options)}*`
  return /^[)|]/.test(sign) ? sign : `\\${sign}`
}

function letterOf({ text }: PatternOptions): string {
  return text === 'as written' ? '\\p{L}' : '\\S'
}
