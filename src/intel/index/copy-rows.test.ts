import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { parseSubject, type Subject } from '../../values/range.ts'
import { CopyRows } from './copy-rows.ts'

function subjectOf(text: string): Subject {
  const parsed = parseSubject(text)
  return parsed.kind === 'subject' ? parsed.subject : assert.fail(text)
}

// As PostgreSQL writes the text format of COPY.
function escapeCopy(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
}

const ROW = fc.tuple(
  fc.ipV4(),
  fc.nat(),
  fc.nat(),
  fc.nat(),
  fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { minLength: 2, maxLength: 2 }),
)

describe('rows of COPY', () => {
  it('are read as they were written, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(ROW, { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        (rows, cut) => {
          const text = rows
            .map(([subject, first, last, extra, origin]) =>
              [subject, first, last, extra, ...origin.map(escapeCopy)].join('\t'),
            )
            .map((line) => `${line}\n`)
            .join('')
          const read: unknown[] = []
          let origins = 0
          const reader = new CopyRows((origin) => {
            origins += 1
            return (subject, first, last, extra) => {
              read.push([subject.text, first, last, extra, [...origin]])
            }
          }, subjectOf)
          const bytes = Buffer.from(text)
          for (let at = 0; at < bytes.length; at += cut) reader.write(bytes.subarray(at, at + cut))
          assert.deepEqual(read, rows)
          assert.equal(origins, new Set(rows.map((row) => JSON.stringify(row[4]))).size)
        },
      ),
    )
  })
})
