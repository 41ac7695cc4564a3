// `casework check [file]`: a quick check of every line of a file or of standard input, in batches
// of a thousand, answered in their order as they come, so that memory is bounded by a few batches.

import { setFlagsFromString } from 'node:v8'
import { readLines } from '../app/read-file-lines.ts'
import type { QuickCheckItem, UnreadItem } from '../client/results.ts'
import { isStorableText } from '../values/json-value.ts'
import { WRAPPED_LENGTH_MAX } from '../values/wrapped-item.ts'
import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { createPaint, type Paint, paintIntent } from './colour.ts'
import { type CsvField, formatCsvRows } from './csv-rows.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { countBytes, openInput } from './open-input.ts'
import { createProgress } from './progress.ts'
import { OUTPUTS, type Output, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeOutput } from './write-output.ts'

// Answers are shown while a long file is still being read.
const CHUNK_BYTES = 64 * 1_024

type Flags = Readonly<Record<string, unknown>>
export type Checked = QuickCheckItem | UnreadItem

// The limit of a quick check.
const ITEMS_A_BATCH = 1_000
// Below the limit of 1 MiB of its body.
const BYTES_A_BATCH = 1_000_000
// The server answers a batch in about 1 ms. With two concurrent requests it never waits for the
// client; a third would only use memory.
const BATCHES_UNDER_WAY = 3
// Such a line is answered here, with the answer of the server.
const ITEM_LENGTH_MAX = WRAPPED_LENGTH_MAX

/** Exit code 5 when some lines were no items, 1 when all were. Blank lines are skipped. */
export async function runCheck(file: string, flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, OUTPUTS)
  // A stream makes many short-lived strings, for which the heap would otherwise grow by some 60 MB
  // without being faster.
  setFlagsFromString('--optimize-for-size')
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const input = await openInput(file, CHUNK_BYTES)
  const writer = new Writer(createFormat(output))
  // Two writers on one terminal would overwrite each other.
  const progress = createProgress(input.bytes)
  const meter = { bytesRead: 0 }
  try {
    const underWay: Promise<readonly Checked[]>[] = []
    const takeFirst = async (): Promise<void> => {
      await writer.write((await underWay.shift()) ?? [])
      if (!process.stdout.isTTY) progress.show(meter.bytesRead, writer.count)
    }
    for await (const batch of readBatches(countBytes(input.stream, meter))) {
      const checked = checkBatch(client, batch)
      // The promise is awaited later; until then its rejection must not end the process.
      checked.catch(() => undefined)
      underWay.push(checked)
      if (underWay.length >= BATCHES_UNDER_WAY) await takeFirst()
      if (writer.isClosed) break
    }
    while (underWay.length > 0) await takeFirst()
    await writer.end()
  } finally {
    progress.end()
    input.stream.destroy()
  }
  if (writer.invalid === 0) return EXIT.ok
  return writer.invalid === writer.count ? EXIT.failure : EXIT.partial
}

async function* readBatches(input: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  let bytes = 0
  for await (const { text } of readLines(input)) {
    const item = text === null ? 'a line of more than 64 KiB' : text.replace(/^\uFEFF/, '').trim()
    if (item === '') continue
    const itemBytes = Buffer.byteLength(item) + 3
    if (batch.length === ITEMS_A_BATCH || bytes + itemBytes > BYTES_A_BATCH) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += itemBytes
  }
  if (batch.length > 0) yield batch
}

async function checkBatch(
  client: ApiClient,
  batch: readonly string[],
): Promise<readonly Checked[]> {
  const sent = batch.filter(isWorthAsking)
  const answers = sent.length === 0 ? [] : await askQuickCheck(client, sent)
  let at = 0
  return batch.map((item) => {
    const answer = isWorthAsking(item) ? answers[at++] : undefined
    return answer ?? invalid(item)
  })
}

// Control characters become six times as long in JSON, and no item has any.
function isWorthAsking(item: string): boolean {
  return item.length <= ITEM_LENGTH_MAX && isStorableText(item) && !/\p{Cc}/u.test(item)
}

function invalid(item: string): UnreadItem {
  return { item, type: 'INVALID' }
}

/** The answers of one quick check, in the order of the items: a thousand at most. */
export async function askQuickCheck(
  client: ApiClient,
  json: readonly string[],
): Promise<readonly Checked[]> {
  const path = '/beta/quick-check?invalid=report&refang=true'
  const { result } = readJsonAnswer(await client.send({ method: 'POST', path, json }))
  if (!Array.isArray(result) || result.length !== json.length) {
    throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
  }
  return result
}

/** Text around and between the batches, and the text of a batch. */
interface Format {
  readonly head: string
  readonly between: string
  readonly tail: string
  readonly format: (batch: readonly Checked[]) => string
}

function createFormat(output: Output): Format {
  switch (output) {
    case 'json':
      return {
        head: '[\n',
        between: ',\n',
        tail: '\n]\n',
        format: (batch) => batch.map((item) => formatJson(item)).join(',\n'),
      }
    case 'jsonl':
    case 'raw':
      return buildLines((item) => formatJson(item))
    case 'csv':
      return {
        head: formatCsvRows([COLUMNS]),
        between: '',
        tail: '',
        format: (batch) =>
          formatCsvRows(batch.map((item) => COLUMNS.map((column) => readCell(item, column)))),
      }
    case 'human': {
      const paint = createPaint(process.stdout, process.env)
      return buildLines((item) => formatHuman(item, paint))
    }
  }
}

function buildLines(one: (item: Checked) => string): Format {
  const format: Format['format'] = (batch) => batch.map((item) => `${one(item)}\n`).join('')
  return { head: '', between: '', tail: '', format }
}

const COLUMNS = ['item', 'serviceMailBlocklist', 'type', 'bogon', 'intent', 'activity'] as const
type Column = (typeof COLUMNS)[number]

/** Empty where there is no verdict, so that no reader of one column takes garbage for clean. */
function readCell(item: Checked, column: Column): CsvField {
  const cells: Readonly<Partial<Record<Column, string | boolean>>> = item
  return cells[column] ?? null
}

// The widest IPv6 address has 39 characters; longer names push their row to the right, since the
// widest one is not known beforehand.
const ITEM_WIDTH = 39

function formatHuman(item: Checked, paint: Paint): string {
  const name = escapeControls(item.item).padEnd(ITEM_WIDTH)
  if (item.type === 'INVALID') return `${name}  ${paint('no address and no domain', 'yellow')}`
  const more = [
    item.serviceMailBlocklist === 'ACTIVE' ? 'listed' : '',
    item.activity ? 'active' : '',
    item.bogon ? 'bogon' : '',
  ].filter((word) => word !== '')
  const padding = more.length === 0 ? '' : ' '.repeat(10 - item.intent.length)
  return `${name}  ${paintIntent(item.intent, paint)}${padding}  ${more.join(' ')}`.trimEnd()
}

class Writer {
  count = 0
  invalid = 0
  /** The reader has closed the pipe, as after `| head`. */
  isClosed = false
  readonly #format: Format

  constructor(format: Format) {
    this.#format = format
  }

  async write(items: readonly Checked[]): Promise<void> {
    if (items.length === 0) return
    const { head, between, format } = this.#format
    const start = this.count === 0 ? head : between
    this.count += items.length
    for (const item of items) if (item.type === 'INVALID') this.invalid += 1
    await this.#send(start + format(items))
  }

  async end(): Promise<void> {
    const { head, tail } = this.#format
    if (this.count > 0) await this.#send(tail)
    // An empty input gives an empty list, not an empty output.
    else await this.#send(head === '[\n' ? '[]\n' : head)
  }

  async #send(text: string): Promise<void> {
    this.isClosed = (await writeOutput(text)) === 'enough'
  }
}
