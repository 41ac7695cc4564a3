// A list over HTTP from its first page to its last.

import assert from 'node:assert/strict'
import type { AnswerFields } from './answer-fields.ts'
import type { TestAnswer } from './harness.ts'

// Far beyond the lists of tests. A cursor that leads back would go on without end.
const PAGES_MAX = 10_000

/** All items of the list, page by page; `path` has a query. */
export async function walkList(
  get: (path: string) => Promise<TestAnswer>,
  path: string,
): Promise<readonly AnswerFields[]> {
  const items: AnswerFields[] = []
  let cursor = ''
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const answer = await get(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`)
    assert.equal(answer.status, 200, answer.text)
    items.push(...answer.json().items)
    cursor = answer.json().next_cursor
    assert.equal(typeof cursor, 'string')
    if (cursor === '') return items
  }
  return assert.fail(`${path} has more than ${PAGES_MAX} pages, or goes round in a circle`)
}
