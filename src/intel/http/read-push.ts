// Reads the body of a push: a JSON array, or NDJSON line by line as it arrives. No database is touched until the whole body was read, so
// a slow client holds no transaction open and a body that breaks off leaves nothing behind.

import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PushResult } from '../../contract/push-result.ts'
import { pushHasTooManyRows, pushNotReadable } from '../errors.ts'
import type { ReadRow } from './read-pushed-row.ts'

/** Rows of a JSON array (design section 10). */
export const ARRAY_ROWS_MAX = 10_000
// A longer list of refusals helps nobody: then the format is another one.
const REJECTED_MAX = 10_000
// The longest row that can be accepted is about 2 KiB.
const LINE_BYTES_MAX = 64 * 1_024
const NEWLINE = 10

export interface ReadPush<Row> {
  readonly rows: readonly Row[]
  readonly rejected: PushResult['rejected']
}

type ReadOne<Row> = (value: unknown) => ReadRow<Row>

/** Rows of a JSON array or of a stream of NDJSON. Throws INTEL_PUSH_NOT_READABLE or INTEL_PUSH_HAS_TOO_MANY_ROWS. */
export async function readPush<Row>(
  body: unknown,
  stream: Readable | null,
  readOne: ReadOne<Row>,
): Promise<ReadPush<Row>> {
  const collector = new Collector(readOne)
  if (stream !== null) await readLines(stream, collector)
  else if (!Array.isArray(body)) throw pushNotReadable('the body must be a JSON array of rows.')
  else if (body.length > ARRAY_ROWS_MAX) throw pushHasTooManyRows(ARRAY_ROWS_MAX)
  else await takeValues(body, collector)
  return collector
}

// About 1 ms of reading; in between other requests get their turn.
const ROWS_PER_TURN = 250

async function takeValues<Row>(
  values: readonly unknown[],
  collector: Collector<Row>,
): Promise<void> {
  for (const [at, value] of values.entries()) {
    collector.take(value)
    if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
  }
}

class Collector<Row> implements ReadPush<Row> {
  readonly rows: Row[] = []
  readonly rejected: PushResult['rejected'] = []
  readonly #readOne: ReadOne<Row>
  #index = 0

  constructor(readOne: ReadOne<Row>) {
    this.#readOne = readOne
  }

  take(value: unknown): void {
    const read = this.#readOne(value)
    if (read.kind === 'row') {
      this.rows.push(read.row)
      this.#index += 1
    } else this.reject(read.reason)
  }

  takeLine(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.reject('The line is not valid JSON.')
      return
    }
    this.take(value)
  }

  reject(reason: string): void {
    if (this.rejected.length >= REJECTED_MAX) {
      throw pushNotReadable(
        `more than ${REJECTED_MAX} rows were rejected, so this looks like another format; row ${this.rejected[0]?.index}: ${this.rejected[0]?.reason}`,
      )
    }
    this.rejected.push({ index: this.#index, reason })
    this.#index += 1
  }
}

async function readLines<Row>(stream: Readable, collector: Collector<Row>): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true
  for await (const chunk of stream) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    rest = bytes.subarray(end)
    if (rest.length > LINE_BYTES_MAX) throw pushNotReadable('a line is longer than 64 KiB.')
    if (end === 0) continue
    await takeLines(bytes.subarray(0, end), collector, isFirst)
    isFirst = false
  }
  if (rest.length > 0) await takeLines(rest, collector, isFirst)
}

// Blank lines are no rows and have no index.
async function takeLines<Row>(
  bytes: Buffer,
  collector: Collector<Row>,
  isFirst: boolean,
): Promise<void> {
  if (!isUtf8(bytes)) throw pushNotReadable('the body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  const start = isFirst && text.startsWith('\uFEFF') ? 1 : 0
  for (const [at, line] of text.slice(start).split('\n').entries()) {
    if (line.length > LINE_BYTES_MAX) throw pushNotReadable('a line is longer than 64 KiB.')
    if (!isBlank(line)) collector.takeLine(line)
    if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
  }
}

function isBlank(line: string): boolean {
  return line.length < 3 && line.trim() === ''
}
