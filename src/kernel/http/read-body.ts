// Reads a request body by the rules of its route: media type, size, time. Every limit is checked
// while the bytes arrive, never afterwards.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import {
  bodiesTooMany,
  bodyTooLarge,
  bodyTooSlow,
  contentEncodingNotTaken,
  mediaTypeNotTaken,
  requestNotValid,
} from '../errors.ts'
import { openBodyShare } from './body-bounds.ts'
import type { Route } from './route.ts'

const JSON_TYPE = 'application/json'
// Design section 10: "other bodies 256 KiB".
const BODY_LIMIT = 256 * 1_024
const BODY_TIMEOUT_MS = 10_000

/** The members of a route that limit its body. */
export type BodyRules = Pick<
  Route,
  'consumes' | 'bodyKind' | 'streamsBody' | 'bodyLimit' | 'jsonBodyLimit' | 'bodyTimeoutMs'
>

/** How to read one body whose headers are valid. */
export interface BodyPlan {
  readonly isJson: boolean
  readonly limit: number
  readonly timeoutMs: number
}

/**
 * Checks the headers of a body. Throws bodyTooLarge (413), mediaTypeNotTaken or
 * contentEncodingNotTaken (415).
 */
export function planBody(message: IncomingMessage, rules: BodyRules): BodyPlan {
  const consumes = rules.consumes ?? [JSON_TYPE]
  const mediaType = parseMediaType(message.headers['content-type'])
  if (mediaType === null || !(consumes.includes(mediaType.name) || consumes.includes('*/*'))) {
    throw mediaTypeNotTaken(consumes)
  }
  if (!isPlain(message.headers['content-encoding'])) throw contentEncodingNotTaken()
  const isJson = mediaType.name === JSON_TYPE
  // RFC 8259 section 8.1: JSON is UTF-8.
  if (isJson && !isUtf8Charset(mediaType.charset)) throw mediaTypeNotTaken(consumes)
  const limit = (isJson ? rules.jsonBodyLimit : undefined) ?? rules.bodyLimit ?? BODY_LIMIT
  if (Number(message.headers['content-length'] ?? 0) > limit) throw bodyTooLarge()
  return { isJson, limit, timeoutMs: bodyTimeoutMs(rules) }
}

/** How long the whole body may take to arrive. */
export function bodyTimeoutMs(rules: BodyRules): number {
  return rules.bodyTimeoutMs ?? BODY_TIMEOUT_MS
}

// Compressed bodies are refused: a few bytes could expand beyond every limit here.
function isPlain(contentEncoding: string | undefined): boolean {
  return (contentEncoding ?? '')
    .split(',')
    .every((coding) => /^(?:identity)?$/i.test(coding.trim()))
}

function isUtf8Charset(charset: string | null): boolean {
  return charset === null || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
}

/**
 * Returns the parsed JSON, the raw Buffer or the limited stream, as the route demands. Rejects with
 * an operating error.
 */
export async function readBody(
  message: IncomingMessage,
  plan: BodyPlan,
  rules: BodyRules,
): Promise<unknown> {
  if (rules.streamsBody === true && !plan.isJson) return boundStream(message, plan)
  const bytes = announcesBody(message) ? await collect(message, plan) : Buffer.alloc(0)
  return plan.isJson && rules.bodyKind !== 'bytes' ? parseJsonBody(bytes) : bytes
}

const NO_BODY_LENGTH = new Set([undefined, '0'])

/** True when the request announces a body, whether or not it has arrived. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || !NO_BODY_LENGTH.has(headers['content-length'])
  )
}

function collect(message: IncomingMessage, plan: BodyPlan): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const share = openBodyShare(message.socket)
    const stop = (): void => {
      clearTimeout(timer)
      share?.giveBack()
      message.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    const refuse = (error: Error): void => {
      stop()
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length > plan.limit) refuse(bodyTooLarge())
      else if (share?.take(chunk.length) === false) refuse(bodiesTooMany())
      else chunks.push(chunk)
    }
    const onEnd = (): void => {
      stop()
      const only = chunks.length === 1 ? chunks[0] : undefined
      resolve(only ?? Buffer.concat(chunks, length))
    }
    const onClose = (): void => refuse(requestNotValid('The request body broke off.'))
    const timer = setTimeout(() => refuse(bodyTooSlow()), plan.timeoutMs)
    // 'close' reports a broken connection; an 'error' without a listener would end the process.
    message.on('error', ignoreError).on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

function ignoreError(): void {}

/**
 * Limits the size and time of a streamed body. It does not use `pipeline`, which would destroy the
 * request and with it the connection for the error response.
 */
function boundStream(message: IncomingMessage, plan: BodyPlan): Readable {
  let length = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length
      if (length > plan.limit) done(bodyTooLarge())
      else done(null, chunk)
    },
  })
  const timer = setTimeout(() => bounded.destroy(bodyTooSlow()), plan.timeoutMs)
  const onClose = (): void => {
    if (!message.complete) bounded.destroy(requestNotValid('The request body broke off.'))
  }
  bounded.once('close', () => {
    clearTimeout(timer)
    message.off('close', onClose).unpipe(bounded)
  })
  message.on('error', ignoreError).once('close', onClose)
  // A handler that throws before it reads has no error listener; without this one an 'error' would
  // end the process.
  bounded.on('error', ignoreError)
  return message.pipe(bounded)
}

const TOKEN = String.raw`[!#$%&'*+.^_\u0060|~0-9A-Za-z-]+`

const MEDIA_TYPE_PATTERN = new RegExp(`^(${TOKEN}/${TOKEN})[ \\t]*(;.*)?$`)

const PARAMETER_PATTERN = new RegExp(
  String.raw`;[ \t]*(?:(${TOKEN})=(${TOKEN}|"(?:[^"\\\r\n]|\\.)*"))?[ \t]*`,
  'y',
)

interface MediaType {
  /** Lower case, without parameters. */
  readonly name: string
  /** Lower case; null without a charset parameter. */
  readonly charset: string | null
}

/**
 * Parses a Content-Type header (RFC 9110 section 8.3.1). Null when the media type or its parameters
 * are invalid. Strict on purpose: other servers had vulnerabilities because one of their parts read
 * a spelling as JSON and another part did not.
 */
function parseMediaType(header: string | undefined): MediaType | null {
  const match = MEDIA_TYPE_PATTERN.exec(header ?? '')
  if (match?.[1] === undefined) return null
  const charsets = readCharsets(match[2] ?? '')
  // Two charsets would be read differently by different readers.
  if (charsets === null || charsets.length > 1) return null
  return { name: match[1].toLowerCase(), charset: charsets[0] ?? null }
}

function readCharsets(parameters: string): string[] | null {
  const charsets: string[] = []
  PARAMETER_PATTERN.lastIndex = 0
  while (PARAMETER_PATTERN.lastIndex < parameters.length) {
    const found = PARAMETER_PATTERN.exec(parameters)
    if (found === null) return null
    if (found[1]?.toLowerCase() === 'charset') {
      charsets.push((found[2] ?? '').replaceAll('"', '').toLowerCase())
    }
  }
  return charsets
}

// A recursive search needs a limit, and no request body of the interface is this deep.
const DEPTH_MAX = 200

/**
 * Throws requestNotValid for any other body. A byte order mark is dropped (RFC 8259 section 8.1
 * allows it).
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw requestNotValid('The request body is empty; JSON is expected.')
  // Invalid UTF-8 would be replaced silently, and the stored text would differ from the sent text.
  if (!isUtf8(bytes)) throw requestNotValid('The request body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch (error) {
    throw requestNotValid('The request body is not valid JSON.', [], error)
  }
  // No honest body has such a member, and copying the object would make it dangerous.
  if (mayNamePrototype(text) && hasPrototypeMember(value, 0)) {
    throw requestNotValid(
      'The request body nests too deep, or has a member that is not allowed: __proto__ or constructor.prototype.',
    )
  }
  return value
}

// A cheap test of the text first: only a text with an object and such a name, plain or escaped,
// needs the recursive search. A list of 1,000 items has no brace, so the test takes less than 1 µs;
// a regular expression over all names takes 40 µs.
function mayNamePrototype(text: string): boolean {
  return (
    text.includes('{') &&
    (text.includes('__proto__') || text.includes('prototype') || text.includes('\\u'))
  )
}

function hasPrototypeMember(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > DEPTH_MAX) return true
  if (Array.isArray(value)) return value.some((member) => hasPrototypeMember(member, depth + 1))
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__' || (key === 'constructor' && hasOwnPrototype(member))) return true
    if (hasPrototypeMember(member, depth + 1)) return true
  }
  return false
}

function hasOwnPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}
