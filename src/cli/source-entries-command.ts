// `casework source entries` and `source delist`: reads a list back, and takes one entry off it.

import { parseSubject } from '../values/range.ts'
import { parseWrappedItem } from '../values/wrapped-item.ts'
import { createApiClient, readJsonAnswer } from './api-client.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { pathOfSource, readSourceName } from './source-command.ts'
import { countOf } from './wording.ts'

type Flags = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, unknown>>

// The largest page of the endpoint.
const PAGE_ENTRIES = 10_000

/** Every item once, a line each, as `import` reads them; with jsonl the entries as they are. */
export async function runSourceEntries(text: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, ['human', 'jsonl'])
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const path = `${pathOfSource(readSourceName(text))}/entries?limit=${PAGE_ENTRIES}`
  let next = ''
  let written = ''
  do {
    const page = `${path}&after=${encodeURIComponent(next)}`
    const answer = readResult(readJsonAnswer(await client.send({ method: 'GET', path: page })))
    let lines = ''
    for (const entry of readEntries(answer)) {
      const item = String(entry['item'])
      if (output === 'jsonl') lines += `${formatJson(entry)}\n`
      else if (item !== written) lines += `${escapeControls(item)}\n`
      written = item
    }
    process.stdout.write(lines)
    next = String(answer['next'])
  } while (next !== '')
}

export async function runSourceDelist(text: string, entry: string, flags: Flags): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const subject = encodeURIComponent(readSubject(entry))
  const path = `${pathOfSource(readSourceName(text))}/entries/${subject}`
  const result = readResult(readJsonAnswer(await client.send({ method: 'DELETE', path })))
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
