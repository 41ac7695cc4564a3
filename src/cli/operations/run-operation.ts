// Runs a command that is one operation: a list page by page, a record, or an act on one or several
// records, with the question before it.

import { findNextQuery } from '../../client/next-page.ts'
import {
  type ApiClient,
  type ApiRequest,
  createApiClient,
  readJsonAnswer,
  type ServerAnswer,
} from '../api-client.ts'
import { requireConsent } from '../confirm.ts'
import { CommandFailure, chooseExitCode, EXIT } from '../exit-codes.ts'
import { escapeControls, formatJson } from '../format-table.ts'
import { readInput } from '../open-input.ts'
import { OUTPUTS, type Output, readOutput } from '../read-output.ts'
import { loadConfigFromFlags } from '../settings-flags.ts'
import { countOf } from '../wording.ts'
import { showBytes, writeOutput } from '../write-output.ts'
import type { CommandSpec } from './command.ts'
import { findAssignee, findViewQuery } from './desk-names.ts'
import { type CliOperation, findOperation, nameFlag, nameValue } from './operation.ts'
import { buildPath, buildRequest, type Given, readQuery } from './read-request.ts'
import {
  formatRecordForPeople,
  formatRowsAsCsv,
  formatRowsAsLines,
  formatRowsForPeople,
  readCounts,
  readRecord,
  readRows,
} from './show-answer.ts'

type Flags = Readonly<Record<string, unknown>>

export interface Invocation {
  readonly spec: CommandSpec
  /** The arguments of the command line; the last one is a list where the command takes several. */
  readonly args: readonly (string | readonly string[])[]
  readonly flags: Flags
}

/** Returns the exit code. */
export async function runOperation({ spec, args, flags: said }: Invocation): Promise<number> {
  const operation = findOperation(spec.operation)
  const output = readOutput(said, OUTPUTS)
  requireFlags(spec, operation, said)
  const client = createApiClient(said, loadConfigFromFlags(said).config)
  const flags = await withAssignee(client, spec, said)
  const [first, ...rest] = readTargets(spec, operation, args).map(
    ({ params, text }): Given => ({ spec, operation, params, text, flags }),
  )
  if (first === undefined) throw new CommandFailure('Standard input names nothing.', EXIT.usage)
  if (operation.method === 'GET') {
    if (isPaged(operation)) await showPages(client, first, output)
    else showAnswer(await client.send(buildRequest(withView(first, output))), first, output)
    return EXIT.ok
  }
  const all = [first, ...rest]
  // A wrong value is found before the first of them is sent.
  for (const one of all) buildRequest(one)
  if (flags['dryRun'] === true && spec.dryRun === undefined) {
    for (const one of all) process.stdout.write(describeRequest(buildRequest(one)))
    return EXIT.ok
  }
  await askBefore(all, flags)
  return await actOnAll(client, all, output)
}

/** A person or a group may be named: the interface takes an id. */
async function withAssignee(client: ApiClient, spec: CommandSpec, flags: Flags): Promise<Flags> {
  const flag = nameValue(flagOf(spec, 'assignee_user_id'))
  const given = flags[flag]
  if (typeof given !== 'string' || spec.flags?.['assignee_user_id'] === undefined) return flags
  return { ...flags, [flag]: await findAssignee(client, given) }
}

/** Whether a GET has pages that follow each other. */
function isPaged({ query }: CliOperation): boolean {
  return query.some(({ name }) => name === 'cursor' || name === 'after' || name === 'offset')
}

function requireFlags(spec: CommandSpec, operation: CliOperation, flags: Flags): void {
  const named = new Set(spec.required)
  // The version of the record is read before it is changed.
  const known = new Set(['version', spec.text, ...Object.keys(spec.fixed ?? {})])
  const missing = [...operation.query, ...operation.body].find(({ name, isRequired }) => {
    const flag = flagOf(spec, name)
    const isNeeded = named.has(name) || (isRequired === true && !known.has(name))
    return isNeeded && flags[nameValue(flag)] === undefined && flags['body'] === undefined
  })
  if (missing !== undefined) {
    const choice = missing.values === undefined ? '' : `one of ${missing.values.join(', ')}. `
    throw new CommandFailure(
      `--${flagOf(spec, missing.name)} is needed: ${choice}${missing.word}`.trimEnd(),
      EXIT.usage,
    )
  }
}

function flagOf(spec: CommandSpec, member: string): string {
  return spec.flags?.[member] ?? nameFlag(member)
}

interface Target {
  readonly params: readonly string[]
  readonly text: string | null
}

/** One for each request. */
function readTargets(
  spec: CommandSpec,
  operation: CliOperation,
  args: Invocation['args'],
): readonly Target[] {
  const count = operation.params.length
  const params = args.slice(0, count)
  const given = args[count]
  const text = typeof given === 'string' ? readText(given) : null
  const last = params.at(-1)
  if (spec.isMany !== true || typeof last === 'string' || last === undefined) {
    return [{ params: params.map(String), text }]
  }
  const before = params.slice(0, -1).map(String)
  return last.flatMap(readIds).map((id) => ({ params: [...before, id], text }))
}

/** `-` is the whole of standard input, without its last line end. */
function readText(given: string): string {
  if (given !== '-') return given
  return readInput('the text')
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

/** `-` is an id a line of standard input. */
function readIds(given: string): readonly string[] {
  if (given !== '-') return [given]
  const lines = readInput('the ids').toString('utf8').split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

const COUNT_DEFAULT = 50
const PAGE_MAX = 100

async function showPages(client: ApiClient, given: Given, output: Output): Promise<void> {
  const { flags, spec } = given
  const wanted = readWanted(flags)
  const view = withView(given, output)
  const saved =
    spec.views !== undefined && typeof flags['view'] === 'string'
      ? await findViewQuery(client, spec.views, flags['view'])
      : {}
  let query: Record<string, string> | null = { ...saved, ...readQuery(view) }
  const rows: Readonly<Record<string, unknown>>[] = []
  let shown = 0
  while (query !== null && shown < wanted) {
    query['limit'] = String(Math.min(PAGE_MAX, wanted - shown))
    // Each page says where the next one begins.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer: ServerAnswer = await client.send({ method: 'GET', path: buildPath(view, query) })
    const page: unknown = readJsonAnswer(answer)
    const found = readRows(page) ?? []
    shown += found.length
    const piece = formatPiece(answer, found, output)
    if (piece === null) rows.push(...found)
    // A list may have a million pages, which nobody needs whose reader is gone (`| head`).
    else if ((await writeOutput(piece)) === 'enough') return
    const next = findNextQuery(page, query)
    query = next === null ? null : { ...query, ...readNext(next) }
  }
  if (output === 'json') process.stdout.write(`${formatJson(rows, 2)}\n`)
  if (output === 'csv') process.stdout.write(formatRowsAsCsv(rows, spec.columns))
  if (output !== 'human') return
  process.stdout.write(
    formatRowsForPeople(rows, { columns: spec.columns, nowMs: chooseNow(flags) }),
  )
  if (rows.length === 0) process.stderr.write('Nothing was found.\n')
  if (query !== null) process.stderr.write('There is more: ask with --limit or --all.\n')
}

/** What is written of a page as it comes; null where the rows of all pages are shown together. */
function formatPiece(
  answer: ServerAnswer,
  found: readonly Readonly<Record<string, unknown>>[],
  output: Output,
): string | Buffer | null {
  if (output === 'jsonl') return formatRowsAsLines(found)
  return output === 'raw' ? showBytes(answer.bytes) : null
}

function readNext(next: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(next).map(([name, value]) => [name, String(value)]))
}

function readWanted(flags: Flags): number {
  if (flags['all'] === true) return Number.POSITIVE_INFINITY
  const given = flags['limit']
  if (given === undefined) return COUNT_DEFAULT
  const count = Number(given)
  if (Number.isInteger(count) && count > 0) return count
  throw new CommandFailure('--limit takes a whole number above 0.', EXIT.usage)
}

/** What a table shows may need more than a program asked for. */
function withView(given: Given, output: Output): Given {
  const { view } = given.spec
  if (view === undefined || (output !== 'human' && output !== 'csv')) return given
  return { ...given, flags: { ...view, ...given.flags } }
}

/** Ages are for a person at a terminal; a pipe gets times. */
function chooseNow(flags: Flags): number | null {
  return process.stdout.isTTY && flags['absolute'] !== true ? Date.now() : null
}

function showAnswer(answer: ServerAnswer, { spec, flags }: Given, output: Output): void {
  if (output === 'raw' || !isJson(answer)) {
    // Throws what the server refused.
    if (answer.status >= 300) readJsonAnswer(answer)
    process.stdout.write(showBytes(answer.bytes))
    return
  }
  const body: unknown = readJsonAnswer(answer)
  const rows = readRows(body)
  const nowMs = chooseNow(flags)
  const record = readRecord(body)
  const inRows = rows ?? (spec.isCount === true ? readCounts(record) : [record])
  if (output === 'json') process.stdout.write(`${formatJson(rows ?? record, 2)}\n`)
  if (output === 'jsonl') process.stdout.write(formatRowsAsLines(inRows))
  if (output === 'csv') process.stdout.write(formatRowsAsCsv(inRows, spec.columns))
  if (output !== 'human') return
  if (rows === null) process.stdout.write(formatOne(record, spec, nowMs))
  else process.stdout.write(formatRowsForPeople(rows, { columns: spec.columns, nowMs }))
  if (rows?.length === 0) process.stderr.write('Nothing was found.\n')
}

/** A command with columns, such as an act on a case, shows these of its record. */
function formatOne(
  record: Readonly<Record<string, unknown>>,
  { columns }: CommandSpec,
  nowMs: number | null,
): string {
  return columns === undefined
    ? formatRecordForPeople(record, nowMs)
    : formatRowsForPeople([record], { columns, nowMs })
}

function isJson({ status, text }: ServerAnswer): boolean {
  return status >= 300 || text === '' || /^\s*[{[]/.test(text)
}

/** A line for a person: what is sent, without sending it. */
export function describeRequest({ method, path, json, bytes }: ApiRequest): string {
  const body = bytes === undefined ? json : `${bytes.length} bytes`
  return `${method} ${path}${body === undefined ? '' : ` ${formatJson(body)}`}\n`
}

async function askBefore(all: readonly Given[], flags: Flags): Promise<void> {
  const [first] = all
  if (first === undefined || first.spec.question === undefined) return
  if (first.spec.dryRun !== undefined && flags['dryRun'] === true) return
  const { spec, params } = first
  const noun = spec.arguments?.at(-1) ?? 'record'
  const question = spec.question
    ?.replace('{count}', countOf(all.length, noun))
    .replace(`{${noun}}`, params.at(-1) ?? '')
    .replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
      const value = flags[nameValue(name)]
      return typeof value === 'string' ? value : name
    })
  await requireConsent(question ?? '', flags)
}

/** Goes on after a refusal, and ends with its exit code. */
async function actOnAll(client: ApiClient, all: readonly Given[], output: Output): Promise<number> {
  let exitCode: number = EXIT.ok
  for (const given of all) {
    const name = given.params.at(-1) ?? ''
    try {
      // One after the other, so that they are answered in their order.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const answer = await sendAct(client, withDryRun(given))
      showOutcome(answer, given, all.length > 1 ? 'brief' : output)
    } catch (error) {
      if (all.length === 1) throw error
      exitCode = chooseExitCode(error)
      const message = error instanceof Error ? error.message : String(error)
      process.stderr.write(`casework: ${escapeControls(name)}: ${message}\n`)
    }
  }
  return exitCode
}

// A playbook may be at work on a new case just then, with several changes one after the other.
const ACT_TRIES_MAX = 5

/** Reads the record anew when it was changed between its reading and the act. */
async function sendAct(client: ApiClient, given: Given): Promise<ServerAnswer> {
  for (let tries = 1; ; tries += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- a try follows the other
    const asked = await withVersion(client, given)
    // oxlint-disable-next-line eslint/no-await-in-loop -- a try follows the other
    const answer = await client.send(buildRequest(asked))
    if (answer.status !== 412 || asked === given || tries === ACT_TRIES_MAX) return answer
  }
}

/**
 * A change names the version that it was decided on. A person who names none means the record as it
 * is now.
 */
async function withVersion(client: ApiClient, given: Given): Promise<Given> {
  const { operation, flags } = given
  const isAsked =
    operation.method === 'PATCH' && operation.body.some(({ name }) => name === 'version')
  const flag = nameValue(nameFlag('version'))
  if (!isAsked || flags[flag] !== undefined || flags['body'] !== undefined) return given
  const record = readRecord(
    readJsonAnswer(await client.send({ method: 'GET', path: buildPath(given) })),
  )
  return { ...given, flags: { ...flags, [flag]: String(record['version']) } }
}

/** `brief`: a line for each of several. */
function showOutcome(answer: ServerAnswer, given: Given, output: Output | 'brief'): void {
  requireAccepted(answer)
  const isEmpty = answer.text === '' && answer.status < 300
  if (!isEmpty && output !== 'brief') {
    showAnswer(answer, given, output)
    if (output === 'human') showCounts(answer, given)
    showNext(answer, given)
    sayDryRun(given)
    return
  }
  readJsonAnswer(answer)
  process.stderr.write(`${nameAct(given)}: done\n`)
}

/** One line, such as `changed 2, refused 1`. */
function showCounts(answer: ServerAnswer, { spec: { counts = [] } }: Given): void {
  const body = readRecord(readJsonAnswer(answer))
  const shown = counts.flatMap((name): (readonly [string, unknown])[] => {
    const value = body[name]
    return typeof value === 'object' ? Object.entries({ ...value }) : [[name, value]]
  })
  if (shown.length === 0) return
  const line = shown.map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`)
  process.stderr.write(`${line.join(', ')}\n`)
}

/** Standard error, so that a program that reads the answer does not see it. */
function showNext(answer: ServerAnswer, { spec: { next } }: Given): void {
  if (next === undefined) return
  const value = readRecord(readJsonAnswer(answer))[next.member]
  if (typeof value !== 'string') return
  process.stderr.write(`To take it back: npx casework ${next.command} ${escapeControls(value)}\n`)
}

/** The answer of a dry run looks like that of the act, with ids that lead nowhere. */
function sayDryRun({ spec: { dryRun, counts }, flags }: Given): void {
  // Counts say so by themselves.
  if (dryRun === undefined || flags['dryRun'] !== true || counts !== undefined) return
  process.stderr.write('A dry run: nothing was stored or sent, and new ids in it lead nowhere.\n')
}

/** A push tells of each refused row in an answer of 200. */
function requireAccepted(answer: ServerAnswer): void {
  if (answer.status !== 200 || !answer.text.includes('"rejected":[{')) return
  const { rejected } = readRecord(readJsonAnswer(answer))
  const reasons = [rejected].flat().map((one: unknown) => {
    const { index, reason }: Readonly<Record<string, unknown>> = { ...Object(one) }
    return `row ${String(index)}: ${String(reason)}`
  })
  throw new CommandFailure(`Refused: ${reasons.slice(0, REASONS_MAX).join('; ')}`, EXIT.partial)
}

const REASONS_MAX = 10

function withDryRun(given: Given): Given {
  const { spec, flags } = given
  if (spec.dryRun === undefined || flags['dryRun'] !== true) return given
  return { ...given, flags: { ...flags, [nameValue(flagOf(spec, spec.dryRun))]: true } }
}

function nameAct({ spec, params }: Given): string {
  return escapeControls([spec.name, ...params].join(' '))
}
