// `casework import <format> <file>`: a file of threat data through the push endpoints, in parts. A
// part counts once the server has stored it.

import { Readable } from 'node:stream'
import {
  findReplacementPath,
  IMPORT_FORMATS,
  type ImportEntry,
  type ImportFormat,
  type ImportOptions,
  type ImportRow,
  type PushTarget,
  planImport,
} from '../app/import-file.ts'
import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { sendReplacement } from './import-replacement.ts'
import { countBytes, openInput } from './open-input.ts'
import { createProgress } from './progress.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

type Flags = Readonly<Record<string, unknown>>

// These formats have commands of their own: import-mail.ts and import-owners-command.ts.
const OTHER_FORMATS = ['mail', 'customers', 'contracts', 'resources']

// The limit of refused lines on standard error; without it a file of another format would be
// printed completely.
const REFUSALS_SHOWN_MAX = 100

/** Few large pieces of a file cost less than many small ones. */
export const CHUNK_BYTES = 1_024 * 1_024

// While the server stores one part the next is read and sent. Rows are independent, and a repeat
// changes nothing, so their order is free.
const PUSHES_MAX = 2

export interface Tally {
  accepted: number
  refused: number
  /** Entries of the old list that are not in the new one; absent when nothing was replaced. */
  removed?: number
  readonly refusals: { readonly line: number; readonly reason: string }[]
}

/**
 * Imports the file and reports the refused rows; exit code 5 when some rows were, 1 when all were.
 */
export async function runImport(format: string, file: string, flags: Flags): Promise<ExitCode> {
  const known = IMPORT_FORMATS.find((name) => name === format)
  if (known === undefined) {
    throw new CommandFailure(
      `There is no format "${format}"; the formats are ${[...IMPORT_FORMATS, ...OTHER_FORMATS].join(', ')}.`,
      EXIT.usage,
    )
  }
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const input = await openInput(file, CHUNK_BYTES)
  const progress = createProgress(input.bytes)
  const tally: Tally = { accepted: 0, refused: 0, refusals: [] }
  try {
    const options = readOptions(flags)
    const meter = { bytesRead: 0 }
    const entries = planImport(known, countBytes(input.stream, meter), options)
    if (typeof entries === 'string') throw new CommandFailure(entries, EXIT.usage)
    const show = (rows: number): void => progress.show(meter.bytesRead, rows)
    const path = flags['replace'] === true ? chooseReplacement(known, options, flags) : null
    if (path === null) await pushAll(client, entries, tally, show)
    else {
      const refuse = (line: number, reason: string): void => note(tally, line, reason)
      const answer = await sendReplacement(client, { path, entries, refuse, show })
      tally.accepted = readResult(answer).accepted
      tally.removed = readResult(answer).removed ?? 0
    }
  } finally {
    progress.end()
    // A refusal may come before the end of the input, which would keep the process.
    input.stream.destroy()
  }
  report(tally, flags)
  if (tally.refused === 0) return EXIT.ok
  return tally.accepted === 0 ? EXIT.failure : EXIT.partial
}

function readOptions(flags: Flags): ImportOptions {
  const read = (name: string): string | null => {
    const value = flags[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const exclusions = read('exclusions') ?? 'skip'
  if (exclusions !== 'skip' && exclusions !== 'allow') {
    throw new CommandFailure('--exclusions takes skip or allow.', EXIT.usage)
  }
  return {
    list: read('list'),
    tag: read('tag'),
    source: read('source'),
    dataset: read('dataset'),
    exclusions,
  }
}

function chooseReplacement(format: ImportFormat, options: ImportOptions, flags: Flags): string {
  const path = findReplacementPath(format, options)
  if (path === null || options.exclusions === 'allow') {
    throw new CommandFailure(
      '--replace is for whole lists: not for sightings and contacts, and not with --exclusions allow.',
      EXIT.usage,
    )
  }
  return flags['allowShrink'] === true ? `${path}?allowShrink=true` : path
}

async function pushAll(
  client: ApiClient,
  entries: AsyncIterable<ImportEntry>,
  tally: Tally,
  show: (rows: number) => void,
): Promise<void> {
  // Most files go to one endpoint; each endpoint has its own part, since a push has one kind of
  // rows.
  const parts = new Map<PushTarget, ImportRow[]>()
  const underWay = new Set<Promise<void>>()
  const push = (target: PushTarget, part: readonly ImportRow[]): void => {
    const send = async (): Promise<void> => {
      await pushPart(client, target, part, tally)
      underWay.delete(sent)
      show(tally.accepted)
    }
    const sent = send()
    // It is awaited later; until then its rejection must not end the process.
    sent.catch(() => undefined)
    underWay.add(sent)
  }
  try {
    for await (const entry of entries) {
      if (entry.kind === 'refused') {
        note(tally, entry.lineNumber, entry.reason)
        continue
      }
      const { target } = entry
      const part = parts.get(target) ?? []
      part.push(entry)
      parts.set(target, part)
      if (part.length < target.rowsAPart) continue
      parts.delete(target)
      push(target, part)
      if (underWay.size >= PUSHES_MAX) await Promise.race(underWay)
    }
    for (const [target, part] of parts) push(target, part)
    await Promise.all(underWay)
  } finally {
    // The first failure is reported. The other request is awaited first, so that nothing runs on
    // after the report.
    await Promise.allSettled(underWay)
  }
}

async function pushPart(
  client: ApiClient,
  { method, path, encoding }: PushTarget,
  part: readonly ImportRow[],
  tally: Tally,
): Promise<void> {
  const rows = part.map(({ row }) => row)
  const body =
    encoding === 'array'
      ? { json: rows }
      : {
          contentType: 'application/x-ndjson',
          stream: Readable.from([`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`]),
        }
  const answer = readJsonAnswer(await client.send({ method, path, ...body }))
  const { accepted, rejected } = readResult(answer)
  tally.accepted += accepted
  for (const { index, reason } of rejected) note(tally, part[index]?.lineNumber ?? 0, reason)
}

interface PushResult {
  readonly accepted: number
  readonly removed?: number
  readonly rejected: readonly { readonly index: number; readonly reason: string }[]
}

function readResult(body: Record<string, unknown>): PushResult {
  const result = body['result']
  if (typeof result !== 'object' || result === null || !('accepted' in result)) {
    throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
  }
  // The shape of `PushResult` in the contract; the check above has recognised a Casework server.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return result as PushResult
}

export function note(tally: Tally, line: number, reason: string): void {
  tally.refused += 1
  if (tally.refusals.length < REFUSALS_SHOWN_MAX) tally.refusals.push({ line, reason })
}

export function report(tally: Tally, flags: Flags): void {
  if (flags['output'] === 'json') {
    process.stdout.write(`${formatJson(tally, 2)}\n`)
    return
  }
  for (const { line, reason } of tally.refusals.toSorted((one, other) => one.line - other.line)) {
    process.stderr.write(`line ${line}: ${escapeControls(reason)}\n`)
  }
  if (tally.refused > tally.refusals.length) {
    process.stderr.write(`… and ${tally.refused - tally.refusals.length} more\n`)
  }
  const removed = tally.removed === undefined ? '' : `, ${tally.removed} removed`
  process.stdout.write(`${tally.accepted} accepted, ${tally.refused} refused${removed}\n`)
}
