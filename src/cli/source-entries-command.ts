// `casework source entries` and `source delist`: reads a list back, and takes one entry off it.

import { parseSubject } from '../values/range.ts'
import { parseWrappedItem } from '../values/wrapped-item.ts'
import { createApiClient, readJsonAnswer } from './api-client.ts'
import { isDryRun, requireConsent } from './confirm.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { formatRowsAsCsv, formatRowsAsLines } from './operations/show-answer.ts'
import { OUTPUTS, type Output, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { pathOfSource, readSourceName } from './source-command.ts'
import { countOf } from './wording.ts'
import { writeOutput } from './write-output.ts'

type Flags = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, unknown>>

const COLUMNS = [
  'item',
  'list',
  'tag',
  'reason',
  'service',
  'type',
  'count',
  'email',
  'firstSeen',
  'lastSeen',
  'expires',
] as const
// The largest page of the endpoint.
const PAGE_ENTRIES = 10_000

/**
 * For people every item once, a line each, as `import` reads them; else the entries as they are.
 */
export async function runSourceEntries(text: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const path = `${pathOfSource(readSourceName(text))}/entries?limit=${PAGE_ENTRIES}`
  let next = ''
  let written = ''
  const all: Members[] = []
  if (output === 'csv') process.stdout.write(formatRowsAsCsv([], COLUMNS))
  do {
    const page = `${path}&after=${encodeURIComponent(next)}`
    const answer = readResult(readJsonAnswer(await client.send({ method: 'GET', path: page })))
    const entries = readEntries(answer)
    const piece = formatPiece(output, entries, written)
    if (piece === null) all.push(...entries)
    else if ((await writeOutput(piece)) === 'enough') return
    const last = entries.at(-1)
    if (last !== undefined) written = String(last['item'])
    next = String(answer['next'])
  } while (next !== '')
  if (output === 'json') process.stdout.write(`${formatJson(all, 2)}\n`)
  if (output === 'raw') process.stdout.write(`${formatJson(all)}\n`)
}

/** What is written of a page as it comes; null where all entries make one document. */
function formatPiece(output: Output, entries: readonly Members[], written: string): string | null {
  switch (output) {
    case 'human':
      return listItems(entries, written)
    case 'jsonl':
      return formatRowsAsLines(entries)
    case 'csv':
      return withoutHead(formatRowsAsCsv(entries, COLUMNS))
    case 'json':
    case 'raw':
      return null
  }
}

/** Entries come in the order of their items: the last item written may be the next one again. */
function listItems(entries: readonly Members[], written: string): string {
  let last = written
  let lines = ''
  for (const entry of entries) {
    const item = String(entry['item'])
    if (item !== last) lines += `${escapeControls(item)}\n`
    last = item
  }
  return lines
}

function withoutHead(csv: string): string {
  return csv.slice(csv.indexOf('\r\n') + 2)
}

export async function runSourceDelist(text: string, entry: string, flags: Flags): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const subject = encodeURIComponent(readSubject(entry))
  const path = `${pathOfSource(readSourceName(text))}/entries/${subject}`
  const request = { method: 'DELETE', path }
  if (isDryRun(flags, request)) return
  await requireConsent(`Remove ${readSubject(entry)} from ${text}?`, flags)
  const result = readResult(readJsonAnswer(await client.send(request)))
  const removed = countOf(result['removed'], 'entry', 'entries')
  process.stderr.write(
    `${text}: ${removed} of ${String(result['item'])} removed. ${String(result['note'])}\n`,
  )
}

/** Ranges as they are; items also defanged or wrapped, as people paste them. */
function readSubject(entry: string): string {
  const parsed = parseSubject(entry)
  if (parsed.kind === 'subject') return parsed.subject.text
  const item = parseWrappedItem(entry)
  if (item !== null) return item.text
  throw new CommandFailure(`"${entry}": ${parsed.reason}`, EXIT.usage)
}

function readResult(answer: Members): Members {
  const { result } = answer
  if (isRecord(result)) return result
  throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
}

function readEntries({ entries }: Members): readonly Members[] {
  if (Array.isArray(entries) && entries.every(isRecord)) return entries
  throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
