// A list over HTTP from its first page to its last.

import assert from 'node:assert/strict'
import type { AnswerFields } from './answer-fields.ts'
import type { TestAnswer } from './harness.ts'

/** All items of the list, page by page; `path` has a query. */
export async function walkList(
  get: (path: string) => Promise<TestAnswer>,
  path: string,
): Promise<readonly AnswerFields[]> {
  const items: AnswerFields[] = []
  // The loop ends, because each page starts after the previous page.
  for (let cursor = ''; ; ) {
    const answer = await get(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`)
    assert.equal(answer.status, 200, answer.text)
    items.push(...answer.json().items)
    cursor = answer.json().next_cursor
    assert.equal(typeof cursor, 'string')
    if (cursor === '') return items
  }
}
