import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLines } from '../lines/text-lines.ts'
import { Above } from './above.ts'

function headingOf(text: string): string | null {
  const above = new Above()
  for (const line of readLines([{ part: 'text', kind: 'body', lines: [text] }])) {
    above.enter(line, 0, '')
  }
  return above.heading?.text ?? null
}

test('a labelled value is no heading, a title is', () => {
  assert.equal(headingOf('Ticket: TR-5512'), null)
  assert.equal(headingOf('Attacked hosts'), 'Attacked hosts')
})

test('a label before one word of 1,400 letters is read at once', () => {
  assert.notEqual(headingOf(`Subject: ${'x=B'.repeat(470)} |`), undefined)
})
