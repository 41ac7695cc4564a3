// The request of an operation from the arguments and flags of a command: each value is read by the
// kind of its member, and a wrong one is named before anything is sent.

import { readFileSync } from 'node:fs'
import type { ApiRequest } from '../api-client.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'
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
    const value = member.name === spec.text ? text : readFlag(member, spec, flags)
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
    (built, { name }, at) => built.replace(`{${name}}`, encodeURIComponent(params[at] ?? '')),
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
    const value = member.name === spec.text ? text : readFlag(member, spec, flags)
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

// It ends with its first reading, and a request is built twice: to be checked, and to be sent.
let standardInput: Buffer | null = null

/** The bytes of a file, or of standard input for `-`. */
export function readWhole(file: string): Buffer {
  try {
    if (file !== '-') return readFileSync(file)
    standardInput ??= readFileSync(0)
    return standardInput
  } catch (error) {
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

// Members that are times, for which `now` may be said.
const TIMES = /(?:Seen|_at|_date|^since|^until|_after|_before)$/

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
  if (last === 'now' && TIMES.test(member.name)) return new Date().toISOString()
  if (values !== undefined && !values.includes(last)) {
    throw wrong(flag, `takes one of ${values.join(', ')}`)
  }
  return last
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
