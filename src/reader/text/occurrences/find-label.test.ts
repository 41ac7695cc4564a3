import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listMeanings, listPhrases } from '../../words/compile-words.ts'
import { findLabels } from './find-label.ts'

describe('the words of labels', () => {
  test('are all found as what they are listed for', () => {
    let seen = 0
    for (const meaning of listMeanings('label.')) {
      const label = meaning.replace('label.', '')
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
})
