// The request of an operation from the arguments and flags of a command: each value is read by the
// kind of its member, and a wrong one is named before anything is sent.

import { readFileSync } from 'node:fs'
import { parseWrappedItem, refangMarks } from '../../values/wrapped-item.ts'
import type { ApiRequest } from '../api-client.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'
import { readInput } from '../open-input.ts'
import type { CommandSpec } from './command.ts'
import { type CliMember, type CliOperation, nameFlag, nameValue } from './operation.ts'

type Flags = Readonly<Record<string, unknown>>

export interface Given {
  readonly operation: CliOperation
  readonly spec: CommandSpec
  /** Of the placeholders of the path, in their order. */
  readonly params: readonly string[]
  /** Of the member that is an argument. */
  readonly text: string | null
  readonly flags: Flags
}

/** The members of the query, of one request or the first of several pages. */
export function readQuery({ operation, spec, text, flags }: Given): Record<string, string> {
  const query: Record<string, string> = {}
  for (const member of operation.query) {
    const value =
      member.name === spec.text
        ? readTarget(member.name, text ?? '')
        : readFlag(member, spec, flags)
    if (value === null || value === undefined) continue
    query[member.name] = Array.isArray(value) ? value.join(',') : writeText(value)
  }
  return query
}

export function buildPath(
  { operation, params }: Given,
  query: Record<string, string> = {},
): string {
  const path = operation.params.reduce(
    (built, { name }, at) =>
      built.replace(`{${name}}`, encodeURIComponent(readTarget(name, params[at] ?? ''))),
    operation.path,
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

export function buildRequest(given: Given): ApiRequest {
  const { operation, flags } = given
  const path = buildPath(given, readQuery(given))
  const { method } = operation
  if (operation.types.length === 0) return { method, path }
  const file = flags['body']
  if (typeof file === 'string') return { method, path, ...readBodyFile(operation, file) }
  const json = readBody(given)
  return { method, path, json: operation.isArray === true ? [json] : json }
}

function readBody({ operation, spec, text, flags }: Given): Record<string, unknown> {
  const body: Record<string, unknown> = { ...spec.fixed }
  for (const member of operation.body) {
    const value =
      member.name === spec.text && text !== null
        ? readTarget(member.name, text)
        : readFlag(member, spec, flags)
    if (value !== undefined) body[member.name] = value
  }
  return body
}

const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  '.eml': 'message/rfc822',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.ndjson': 'application/x-ndjson',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
}

function readBodyFile(
  { types }: CliOperation,
  file: string,
): Required<Pick<ApiRequest, 'bytes' | 'contentType'>> {
  const bytes = readWhole(file)
  if (bytes.length === 0) throw new CommandFailure(`${nameInput(file)} is empty.`, EXIT.usage)
  return { bytes, contentType: chooseType(types, file, bytes) }
}

/** By the ending of the file, else by what is in it. */
function chooseType(types: readonly string[], file: string, bytes: Buffer): string {
  const isOpen = types.includes('*/*')
  const byEnding = TYPES_BY_ENDING[/\.[a-z]+$/.exec(file)?.[0] ?? '']
  if (byEnding !== undefined && (isOpen || types.includes(byEnding))) return byEnding
  if (isOpen) return 'application/octet-stream'
  const ofLines = types.find((type) => /ndjson|jsonl/.test(type))
  if (ofLines !== undefined && !isJson(bytes)) return ofLines
  return types[0] ?? 'application/json'
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** The bytes of a file, or of standard input for `-`. */
export function readWhole(file: string): Buffer {
  try {
    return file === '-' ? readInput('the body') : readFileSync(file)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${nameInput(file)} cannot be read.`, EXIT.notFound, error)
  }
}

function nameInput(file: string): string {
  return file === '-' ? 'Standard input' : `"${file}"`
}

/** Undefined when the flag was not given. */
function readFlag(member: CliMember, { flags: names = {} }: CommandSpec, flags: Flags): unknown {
  const flag = names[member.name] ?? nameFlag(member.name)
  const given = flags[nameValue(flag)]
  if (given === undefined) return undefined
  return readValue(member, flag, given)
}

// Members that name an address, a domain or a range, which people paste defanged or as a link.
const TARGETS: ReadonlySet<string> = new Set(['ip', 'domain', 'item', 'range', 'cidr'])

/** The item or range in a pasted text; a text that is neither is left to the server. */
function readTarget(name: string, text: string): string {
  if (!TARGETS.has(name)) return text
  const plain = refangMarks(text.trim())
  return /\/\d{1,3}$/.test(plain) ? plain : (parseWrappedItem(text)?.text ?? plain)
}

// Members that are times, for which `now`, `-24h` or `+3d` may be said.
const TIMES = /(?:Seen|_at|_date|^since|^until|^from|^to|expires|_after|_before)$/
const DISTANCE = /^([+-])(\d{1,4})(min|h|d|w)$/
const UNIT_MS: Readonly<Record<string, number>> = {
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

function readTime(text: string): string {
  if (text === 'now') return new Date().toISOString()
  const [, sign, count, unit = ''] = DISTANCE.exec(text) ?? []
  const unitMs = UNIT_MS[unit]
  if (unitMs === undefined) return text
  return new Date(Date.now() + Number(`${sign}${count}`) * unitMs).toISOString()
}

/** `null` empties a member that may be empty. */
function readValue(member: CliMember, flag: string, given: unknown): unknown {
  const { kind, values } = member
  if (typeof given === 'boolean') return given
  const texts = [given].flat().map(String)
  const last = texts.at(-1) ?? ''
  if (member.isNullable === true && last === 'null') return null
  if (kind === 'texts') {
    const parts = texts.flatMap((one) => one.split(',')).map((one) => one.trim())
    return parts.filter((one) => one !== '')
  }
  if (kind === 'number') {
    const number = Number(last)
    if (last.trim() === '' || !Number.isFinite(number)) throw wrong(flag, 'takes a number')
    return number
  }
  if (kind === 'truth') {
    if (last === 'true' || last === 'false') return last === 'true'
    throw wrong(flag, 'takes true or false')
  }
  if (kind === 'json') return readJson(flag, last)
  if (TIMES.test(member.name)) return readTime(last)
  if (values !== undefined && !values.includes(last)) {
    throw wrong(flag, `takes one of ${values.join(', ')}`)
  }
  return readTarget(member.name, last)
}

/** A value that is no JSON is a text, as most are. */
function readJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (/^\s*[{["]/.test(text)) throw wrong(flag, 'is no valid JSON')
    return text
  }
}

function wrong(flag: string, what: string): CommandFailure {
  return new CommandFailure(`--${flag} ${what}.`, EXIT.usage)
}

function writeText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
