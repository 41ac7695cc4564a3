import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  compileMeaning,
  compilePhrase,
  LANGUAGES,
  listMeanings,
  listPhrases,
  type PatternOptions,
} from './compile-words.ts'
import { foldText } from './fold-text.ts'

const READER = join(import.meta.dirname, '..')

// Some phrases stand for a million texts.
const TEXTS_FULL_MAX = 200

/**
 * Texts that the phrase stands for: every choice is in one of them, and up to 200 texts every
 * combination; gaps as short as they may be, stars without an ending.
 */
function writeOut(phrase: string): readonly string[] {
  const plain = phrase
    .replace(/^\*/, '')
    .replaceAll(/<(\d+)-\d+>/g, (_, count: string) => 'x'.repeat(Number(count)))
    .replaceAll(/<\d+(?:x\d+)?>|\*\d*/g, '')
  let texts: readonly string[] = [plain]
  while (texts.some((text) => text.includes('('))) {
    const isFull = texts.length >= TEXTS_FULL_MAX
    texts = texts.flatMap((text, index) => {
      const made = chooseInBrackets(text)
      return isFull ? (made[index % made.length] ?? []) : made
    })
  }
  return texts
}

/** The text with each choice of its first innermost brackets; the text itself without brackets. */
function chooseInBrackets(text: string): readonly string[] {
  const group = /\(([^()]*)\)(\?)?/.exec(text)
  if (group === null) return [text]
  const [brackets, choices = '', optional] = group
  const all = [...choices.split('|'), ...(optional === undefined ? [] : [''])]
  return all.map((choice) => text.replace(brackets, () => choice))
}

const OPTIONS: readonly PatternOptions[] = [
  {},
  { text: 'as written' },
  { start: 'word' },
  { start: 'word', end: 'word' },
]

describe('the words of the languages', () => {
  it('are one file each, all of them merged', () => {
    const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z]{2}\.json$/.test(name))
    assert.deepEqual(
      [...LANGUAGES.keys()].map((name) => `${name}.json`).toSorted(),
      files.toSorted(),
    )
    assert.ok(LANGUAGES.size > 16)
  })

  it('are met, every phrase of every language, by the pattern of their meaning', () => {
    let seen = 0
    for (const meaning of listMeanings('')) {
      // These are looked up in tables, each with a test of its own.
      if (/^(?:evidence|saying|label)\./.test(meaning)) continue
      for (const options of OPTIONS) {
        const pattern = compileMeaning(meaning, options)
        for (const phrase of listPhrases(meaning)) {
          const own = new RegExp(`^${compilePhrase(phrase, options)}$`, pattern.flags)
          for (const written of writeOut(phrase)) {
            const text = options.text === 'as written' ? written : foldText(written)
            seen += 1
            assert.match(text, pattern, `${meaning}: ${phrase}`)
            assert.match(text, own, `${meaning}: ${phrase}`)
          }
        }
      }
    }
    assert.ok(seen > 1_000, `only ${seen} texts were seen`)
  })

  it('have no meaning that nothing asks for', () => {
    const sources = globSync('**/*.ts', { cwd: READER })
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(READER, name), 'utf8'))
      .join()
    const unused = listMeanings('').filter(
      (meaning) =>
        !/^(?:evidence|saying|label|zone)\./.test(meaning) && !sources.includes(`'${meaning}'`),
    )
    assert.deepEqual(unused, [])
  })

  it('have no blank phrase and no empty meaning', () => {
    for (const [language, words] of LANGUAGES) {
      for (const [meaning, phrases] of words) {
        assert.ok(phrases.length > 0, `${language} ${meaning}`)
        assert.ok(
          phrases.every((phrase) => phrase.trim() !== ''),
          `${language} ${meaning}`,
        )
      }
    }
  })
})

describe('a phrase', () => {
  it('may name choices, gaps and endings', () => {
    const pattern = new RegExp(
      `^${compilePhrase('(we|i)( have)? <10>removed <2x5>customer*', { start: 'word' })}$`,
      'u',
    )
    assert.equal(
      pattern.source,
      '^\\b(?:we|i)(?: have)? .{0,10}?removed (?: \\S{1,5}){0,2}customer$',
    )
    assert.match('we have now removed customer', pattern)
  })

  it('is plain text otherwise', () => {
    assert.match('100 % off. [now]', new RegExp(compilePhrase('% off. [now]'), 'u'))
    assert.doesNotMatch('% offx', new RegExp(compilePhrase('% off.'), 'u'))
  })

  it('ends where a word ends, if it is asked to', () => {
    const whole = { start: 'word', end: 'word' } as const
    assert.doesNotMatch('enclosed', new RegExp(compilePhrase('closed', whole), 'u'))
    assert.doesNotMatch('closeded', new RegExp(compilePhrase('closed', whole), 'u'))
    assert.match('closeded', new RegExp(compilePhrase('closed*', whole), 'u'))
    assert.match('再closed', new RegExp(compilePhrase('再closed', whole), 'u'))
  })

  it('may end in some letters, or begin in the middle of a word', () => {
    const written = { text: 'as written', start: 'word', end: 'word' } as const
    assert.equal(compilePhrase('kopiert*3', written), '\\bkopiert\\p{L}{0,3}\\b')
    assert.equal(compilePhrase('*zeiten*', written), 'zeiten')
    assert.equal(compilePhrase('жалоба', written), '(?<!\\p{L})жалоба(?!\\p{L})')
    assert.equal(compilePhrase('<6-160> wrote'), '.{6,160}? wrote')
  })

  it('is refused with an open bracket or a bar outside of brackets', () => {
    assert.throws(() => compilePhrase('(a|b'), /open bracket/)
    assert.throws(() => compilePhrase('(a)|b)'), /a bar without brackets/)
    assert.throws(() => compilePhrase('a)b'), /bracket too many/)
  })
})
