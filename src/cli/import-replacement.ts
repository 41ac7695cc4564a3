// `casework import … --replace`: the file replaces the whole list of its source, in one request, so
// that look-ups see the old or the new list and never a mixture.

import { Readable } from 'node:stream'
import type { ImportEntry } from '../app/import-file.ts'
import { type ApiClient, readJsonAnswer } from './api-client.ts'

export interface Replacement {
  readonly path: string
  readonly entries: AsyncIterable<ImportEntry>
  /** Called for each line that is refused, here or by the server. */
  readonly refuse: (lineNumber: number, reason: string) => void
  /** Called as rows are sent, with their number so far. */
  readonly show: (rows: number) => void
}

// Rows are sent in pieces of about 100 KB: single rows would cost a system call each.
const ROWS_A_PIECE = 1_000

/**
 * Sends the whole file and returns the body of the answer; a read error leaves the old list
 * unchanged.
 */
export async function sendReplacement(
  client: ApiClient,
  { path, entries, refuse, show }: Replacement,
): Promise<Record<string, unknown>> {
  // The server counts rows; a person counts lines.
  const lineNumbers: number[] = []
  async function* pieces(): AsyncGenerator<string> {
    let piece = ''
    for await (const entry of entries) {
      if (entry.kind === 'refused') {
        refuse(entry.lineNumber, entry.reason)
        continue
      }
      // The path names the source.
      piece += `${JSON.stringify({ ...entry.row, source: undefined })}\n`
      lineNumbers.push(entry.lineNumber)
      if (lineNumbers.length % ROWS_A_PIECE !== 0) continue
      yield piece
      piece = ''
      show(lineNumbers.length)
    }
    if (piece !== '') yield piece
  }
  const body = readJsonAnswer(
    await client.send({
      method: 'PUT',
      path,
      contentType: 'application/x-ndjson',
      stream: Readable.from(pieces()),
    }),
  )
  for (const { index, reason } of readRejected(body)) refuse(lineNumbers[index] ?? 0, reason)
  return body
}

interface Rejected {
  readonly index: number
  readonly reason: string
}

function readRejected({ result }: Record<string, unknown>): readonly Rejected[] {
  if (typeof result !== 'object' || result === null || !('rejected' in result)) return []
  return Array.isArray(result.rejected) ? result.rejected : []
}
