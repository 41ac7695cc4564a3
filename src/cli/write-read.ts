// What a command read, in the form that was asked for. A command that is one operation has its own
// way (operations/run-operation.ts), which keeps the bytes of the server.

import { formatJson } from './format-table.ts'
import {
  formatRowsAsCsv,
  formatRowsAsLines,
  readRecord,
  readRows,
} from './operations/show-answer.ts'
import type { Output } from './read-output.ts'

export interface ReadView {
  readonly document: unknown
  /** What lines of JSON and CSV consist of, where it is not the list in the document. */
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  /** Of CSV; all members of the rows when left out. */
  readonly columns?: readonly string[]
  readonly formatForPeople: () => string
}

export function writeRead(output: Output, view: ReadView): void {
  process.stdout.write(formatRead(output, view))
}

export function formatRead(output: Output, view: ReadView): string {
  const { document, columns, formatForPeople } = view
  const rows = view.rows ?? readRows(document) ?? [readRecord(document)]
  switch (output) {
    case 'human':
      return formatForPeople()
    case 'json':
      return `${formatJson(document, 2)}\n`
    case 'raw':
      return `${formatJson(document)}\n`
    case 'jsonl':
      return formatRowsAsLines(rows)
    case 'csv':
      return formatRowsAsCsv(rows, columns)
  }
}
