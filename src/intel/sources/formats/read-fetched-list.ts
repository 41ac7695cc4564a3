// Reads a fetched list into the rows of a push, in slices, so that other requests are served
// between them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseSubject } from '../../../values/range.ts'
import type { FetchFormat } from '../source-wire.ts'
import { readLines } from './read-list-lines.ts'
import { readPlainList } from './read-plain-list.ts'
import { readRbldnsdZone } from './read-rbldnsd-zone.ts'

// Some 1,000 lines, which take a millisecond or two.
const SLICE_BYTES = 16 * 1_024
const LINE_END = '\n'
// Number of rows in one piece of the output.
const PIECE_ROWS = 1_000

export interface ReadCounts {
  refused: number
  /** The first line that could not be read, with its number. */
  firstRefusal: string | null
}

export interface ListMeaning {
  readonly format: FetchFormat
  /** The members of each row beside its item: the list, or the tag; none of a network. */
  readonly members: object
}

type Entry =
  | { readonly kind: 'entry' | 'exclusion'; readonly item: string; readonly reason?: string }
  | { readonly kind: 'refused'; readonly lineNumber: number; readonly reason: string }

/** NDJSON of the rows. `counts` is complete when it has ended. */
export async function* readFetchedList(
  body: Buffer,
  { format, members }: ListMeaning,
  counts: ReadCounts,
): AsyncGenerator<Buffer> {
  let rows: string[] = []
  for await (const entry of readEntries(body, format)) {
    if (entry.kind === 'refused') {
      counts.refused += 1
      counts.firstRefusal ??= `line ${entry.lineNumber}: ${entry.reason}`
      continue
    }
    // An exclusion of a zone from its own ranges is not an entry.
    if (entry.kind === 'exclusion') continue
    // A tagging has no reason of its own.
    const reason = 'list' in members && entry.reason !== undefined ? { reason: entry.reason } : {}
    rows.push(JSON.stringify({ item: entry.item, ...members, ...reason }))
    if (rows.length < PIECE_ROWS) continue
    yield Buffer.from(rows.join(LINE_END) + LINE_END)
    rows = []
  }
  if (rows.length > 0) yield Buffer.from(rows.join(LINE_END) + LINE_END)
}

function readEntries(body: Buffer, format: FetchFormat): AsyncIterable<Entry> {
  const input = slicesOf(body)
  switch (format) {
    case 'plain':
      return readPlainList(input)
    case 'rbldnsd':
      return readRbldnsdZone(input)
    case 'ndjson':
      return readJsonList(input)
  }
}

async function* slicesOf(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    yield body.subarray(at, at + SLICE_BYTES)
    // One slice after the other, to serve other requests between them.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await nextTurn()
  }
}

// The item is the first of these members that a row has.
const ITEM_MEMBERS = ['item', 'cidr', 'ip', 'address', 'domain'] as const

/**
 * One object a line. An object without an item describes the list itself, as in some last lines.
 */
async function* readJsonList(input: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  for await (const { number: lineNumber, text } of readLines(input)) {
    if (text !== null && text.trim() === '') continue
    const value = text === null ? undefined : parseObject(text)
    if (value === undefined) {
      yield { kind: 'refused', lineNumber, reason: 'The line is no JSON object.' }
      continue
    }
    const item = ITEM_MEMBERS.map((member) => value[member]).find((found) => found !== undefined)
    if (item === undefined) continue
    const parsed = typeof item === 'string' ? parseSubject(item, 'clear') : null
    if (parsed?.kind === 'subject') yield { kind: 'entry', item: parsed.subject.text }
    else {
      yield { kind: 'refused', lineNumber, reason: parsed?.reason ?? 'The item is no text.' }
    }
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
