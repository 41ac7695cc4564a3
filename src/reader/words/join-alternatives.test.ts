import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { array, assert as assertProperty, constantFrom, property } from 'fast-check'
import { compilePhrase, joinPhrases, LANGUAGES, type PatternOptions } from './compile-words.ts'
import { joinAlternatives } from './join-alternatives.ts'

function join(...sources: readonly string[]): string {
  return joinAlternatives(sources.map((source) => ({ boundary: '', source })))
}

describe('joined alternatives', () => {
  it('are tried by their first letters, each letter once', () => {
    assert.equal(join('attack', 'abuse', 'spam', 'attempt'), '(?:a(?:tt(?:ack|empt)|buse)|spam)')
  })

  it('stand behind their boundary once', () => {
    const source = joinAlternatives([
      { boundary: '\\b', source: 'spam' },
      { boundary: '', source: 'спам' },
      { boundary: '\\b', source: 'scan' },
    ])
    assert.equal(source, '(?:\\bs(?:pam|can)|спам)')
  })

  it('begin with each choice of their first brackets', () => {
    assert.equal(join('(?:has|is)? closed', 'hacked'), '(?:ha(?:s closed|cked)|is closed| closed)')
  })

  it('keep their order where several can match at one place', () => {
    const cases: readonly (readonly [sources: readonly string[], text: string, match: string])[] = [
      [['ab', 'a\\S*', 'abc'], 'abc', 'ab'],
      [['a\\S*', 'ab'], 'abc', 'abc'],
      [['a', 'ab'], 'ab', 'a'],
      [['x', '.{0,2}?b', 'ab'], 'ab', 'ab'],
      [['(?:a|ab)c?', 'abc'], 'abc', 'a'],
    ]
    for (const [sources, text, match] of cases) {
      assert.equal(new RegExp(join(...sources), 'u').exec(text)?.[0], match, sources.join(' or '))
    }
  })
})

const OPTIONS: readonly PatternOptions[] = [
  {},
  { start: 'word' },
  { start: 'word', end: 'word' },
  { text: 'as written', start: 'word', end: 'word' },
]

// Few letters, so that phrases often share their beginnings and often match; `ſ` shares the capital
// of `s`.
const LETTERS = ['a', 'b', 's', 'S', 'ſ', 'п', 'и', '報', ' ', '1', '-', '.'] as const
const SIGNS = ['*', '*2', '<2>', '<1x2>', '(a|b)', '(a|ab)?', '(s|п)', '((a|b)?s|ba)'] as const
const piece = constantFrom(...LETTERS, ...SIGNS)
const phrase = array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const text = array(constantFrom(...LETTERS), { maxLength: 30 }).map((letters) => letters.join(''))

describe('a pattern of phrases', () => {
  it('matches as the phrases do one after the other, with every option', () => {
    const phrases = array(phrase, { minLength: 1, maxLength: 8 })
    assertProperty(
      property(phrases, array(text, { maxLength: 6 }), (all, texts) => {
        for (const options of OPTIONS) {
          const written = all.map((each) => compilePhrase(each, options)).join('|')
          for (const flags of ['gu', 'giu']) {
            const [plain, joined] = [written, joinPhrases(all, options)].map(
              (source) => new RegExp(source, flags),
            )
            assert.ok(plain !== undefined && joined !== undefined)
            for (const each of texts) {
              assert.deepEqual(listMatches(each, joined), listMatches(each, plain))
            }
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('meets each phrase of each language where the phrases one after the other do', () => {
    let seen = 0
    for (const [language, meanings] of LANGUAGES) {
      // The first of each choice.
      const all = [...meanings.values()].flat().join(' ')
      const within = all.replaceAll(/\|[^()]*\)\??|[()*]|<[^>]*>/g, '')
      for (const [meaning, phrases] of meanings) {
        if (/^(?:evidence|saying|label)\./.test(meaning)) continue
        const written = phrases.map((each) => compilePhrase(each)).join('|')
        const [plain, joined] = [written, joinPhrases(phrases)].map(
          (source) => new RegExp(source, 'gu'),
        )
        assert.ok(plain !== undefined && joined !== undefined)
        const found = listMatches(within, joined)
        assert.deepEqual(found, listMatches(within, plain), `${language} ${meaning}`)
        seen += found.length
      }
    }
    assert.ok(seen > 5_000, String(seen))
  })
})

function listMatches(within: string, pattern: RegExp): readonly (readonly [number, string])[] {
  return [...within.matchAll(pattern)].map((match) => [match.index, match[0]])
}
