// Reads a request body by the rules of its route: media type, size, time. Every bound is checked
// while the bytes arrive, never after.

import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import {
  bodyTooLarge,
  bodyTooSlow,
  contentEncodingNotTaken,
  mediaTypeNotTaken,
  requestNotValid,
} from '../errors.ts'
import { parseMediaType } from './media-type.ts'
import { parseJsonBody } from './parse-json-body.ts'
import type { Route } from './route.ts'

const JSON_TYPE = 'application/json'
// Design section 10: "other bodies 256 KiB".
const BODY_LIMIT = 256 * 1_024
const BODY_TIMEOUT_MS = 10_000

/** The part of a route that its body has to keep to. */
export type BodyRules = Pick<
  Route,
  'consumes' | 'bodyKind' | 'streamsBody' | 'bodyLimit' | 'jsonBodyLimit' | 'bodyTimeoutMs'
>

/** How one body is to be read, once its headers were found fit. */
export interface BodyPlan {
  readonly isJson: boolean
  readonly limit: number
  readonly timeoutMs: number
}

/** From the headers of a body. Throws the operating errors 413 and 415 of those that are not fit. */
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

// Compressed bodies are refused: a few bytes would become any number, past every bound here.
function isPlain(contentEncoding: string | undefined): boolean {
  return (contentEncoding ?? '').split(',').every((coding) => /^\s*(identity)?\s*$/i.test(coding))
}

function isUtf8Charset(charset: string | null): boolean {
  return charset === null || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
}

/**
 * The parsed JSON, the raw Buffer or the bounded stream, whichever the route asks for. Rejects with
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
    const stop = (): void => {
      clearTimeout(timer)
      message.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    const refuse = (error: Error): void => {
      stop()
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length > plan.limit) refuse(bodyTooLarge())
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
 * Not `pipeline`: that would destroy the request, and with it the connection that the refusal needs.
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
  // A handler that refuses before it reads has no listener; an 'error' must not then end the process.
  bounded.on('error', ignoreError)
  return message.pipe(bounded)
}
