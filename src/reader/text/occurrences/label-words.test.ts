import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findLabels } from './find-label.ts'
import { LABEL_WORDS } from './label-words.ts'

describe('the words of labels', () => {
  test('are all found as what they are listed for', () => {
    let seen = 0
    for (const [label, words] of Object.entries(LABEL_WORDS)) {
      for (const word of words.split('|').map((each) => each.trim().replace(/\*$/, ''))) {
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
