import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listMeanings, listPhrases } from '../../words/compile-words.ts'
import { findLabels } from './find-label.ts'

describe('the words of labels', () => {
  test('are all found as what they are listed for', () => {
    let seen = 0
    for (const meaning of listMeanings('label.')) {
      const label = meaning.replace('label.', '')
      if (label === 'nothing') continue
      for (const word of listPhrases(meaning).map((each) => each.replace(/\*$/, ''))) {
        seen += 1
        const found = findLabels(`x ${word}: `).map((each) => each.label)
        assert.ok(
          found.some((each) => each === label),
          `${word} is ${label}, not ${found.join()}`,
        )
      }
    }
    assert.ok(seen > 800, `only ${seen} words were seen`)
  })

  test('say nothing within a phrase that says nothing', () => {
    for (const word of listPhrases('label.nothing').map((each) => each.replace(/\*$/, ''))) {
      assert.deepEqual(findLabels(`x ${word}: `), [], word)
    }
  })

  const phrases: readonly (readonly [string, readonly string[]])[] = [
    ['the URL for your reference', ['address']],
    ['Reference', ['evidence']],
    ['was not authorized by us', []],
    ['the authorized page', ['legitimate', 'address']],
    ['please act on this', []],
    ['see below', []],
    ['see', ['evidence']],
  ]
  for (const [text, labels] of phrases) {
    test(`of “${text}” are ${labels.join(', ') || 'none'}`, () => {
      assert.deepEqual(
        findLabels(text).map(({ label }) => label),
        labels,
      )
    })
  }
})
