// Writes answers to the socket. One place for both gifts and refusals, since both must mind what is
// left of an unread body.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { OperatingError } from '../operating-error.ts'
import { announcesBody, type Exchange } from './http-exchange.ts'
import { type FailurePlace, guessPlace, presentFailure } from './present-failure.ts'
import type { Reply, RouteGroup } from './route.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
// Small rests are read and dropped, and the connection lives on; larger ones are not worth their
// bytes.
const REST_KEPT_MAX = 64 * 1_024
// Closing while the client still sends resets the connection, and the reset can overtake the answer
// (RFC 9112 section 9.6). So what it sends is dropped for a while, up to these bounds.
const DISCARD_BYTES_MAX = 64 * 1_024 * 1_024

/**
 * Node's array form of headers: names and values in turn. It is the cheapest that `writeHead`
 * takes.
 */
type HeaderList = string[]

/** Sends what a handler gave. */
export function sendReply(exchange: Exchange, reply: Reply): void {
  const { response } = exchange
  const body =
    reply.text ?? reply.bytes ?? (reply.json === undefined ? '' : JSON.stringify(reply.json))
  const headers = startHeaders(exchange)
  if (reply.stream !== undefined || body.length > 0) {
    headers.push('content-type', reply.contentType ?? JSON_TYPE)
  }
  if (holdsSecrets(exchange.route?.group) && reply.headers?.['cache-control'] === undefined) {
    headers.push('cache-control', 'no-store')
  }
  if (reply.headers !== undefined) addHeaders(headers, reply.headers)
  if (reply.stream !== undefined) {
    response.writeHead(reply.status, headers)
    // A source that fails midway cuts the connection: the client must not take half an answer for a
    // whole one.
    pipeline(reply.stream, response, (error) => {
      if (error !== null && error !== undefined && !exchange.message.destroyed) {
        exchange.log.error('An answer broke off', {
          request_id: exchange.requestId,
          cause: error.stack ?? error.message,
        })
      }
    })
    return
  }
  const length = addLength(
    headers,
    reply.status,
    reply.isAscii === true ? body.length : Buffer.byteLength(body),
  )
  response.writeHead(reply.status, headers)
  // Text of as many bytes as letters is ASCII, which Node sends as Latin-1 without looking at each
  // letter again.
  if (typeof body === 'string' && length === body.length) response.end(body, 'latin1')
  else response.end(body)
}

/** What every answer has, whether gift or refusal. */
function startHeaders(exchange: Exchange): HeaderList {
  return ['x-request-id', exchange.requestId, 'x-content-type-options', 'nosniff']
}

/**
 * Answers of the case and administration groups are about people and secrets: no cache may keep
 * them.
 */
function holdsSecrets(group: RouteGroup | undefined): boolean {
  return group !== 'intel' && group !== 'system'
}

/**
 * Sends a refusal in the form of the route's group, and closes the connection in good order when a
 * large body is left unread.
 */
export function sendFailure(exchange: Exchange, error: OperatingError, discardMs: number): void {
  const { message, response, route } = exchange
  // An answer that has begun cannot be taken back; cutting it is the only honest end.
  if (response.headersSent) {
    response.destroy()
    return
  }
  const place: FailurePlace =
    route === null
      ? guessPlace(exchange.path)
      : { group: route.group, failsWithoutBody: route.failsWithoutBody === true }
  const failure = presentFailure(error, {
    ...place,
    accept: message.headers.accept,
    requestId: exchange.requestId,
  })
  const headers = startHeaders(exchange)
  addHeaders(headers, failure.headers)
  addLength(headers, failure.status, Buffer.byteLength(failure.text))
  if (hasLargeRest(message) || failure.headers['connection'] === 'close') {
    if (failure.headers['connection'] === undefined) headers.push('connection', 'close')
    response.writeHead(failure.status, headers)
    endAfterDiscarding(message, response, failure.text, discardMs)
  } else {
    response.writeHead(failure.status, headers)
    response.end(failure.text)
  }
}

function addHeaders(list: HeaderList, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) list.push(name, value)
  }
}

/** Gives the bytes of the body. */
function addLength(list: HeaderList, status: number, length: number): number {
  // RFC 9110 section 8.6: none in a 204, and in a 304 only that of the answer which is not sent.
  if (status !== 204 && status !== 304) list.push('content-length', String(length))
  return length
}

function hasLargeRest(message: IncomingMessage): boolean {
  if (message.complete || !announcesBody(message)) return false
  const declared = message.headers['content-length']
  return declared === undefined || Number(declared) > REST_KEPT_MAX
}

function endAfterDiscarding(
  message: IncomingMessage,
  response: ServerResponse,
  text: string,
  discardMs: number,
): void {
  // Everything is sent now; only the end of the exchange, which closes the connection, waits.
  if (text === '') response.flushHeaders()
  else response.write(text)
  // Without "100 Continue" the client holds its body back.
  if (message.complete || message.destroyed || message.headers.expect !== undefined) {
    response.end()
    return
  }
  let left = DISCARD_BYTES_MAX
  const onData = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) finish()
  }
  const finish = (): void => {
    clearTimeout(timer)
    message.off('data', onData).off('end', finish).off('close', finish)
    response.end()
  }
  const timer = setTimeout(finish, discardMs)
  message.on('error', ignoreError).on('data', onData).once('end', finish).once('close', finish)
  message.resume()
}

// The client went away while its rest was dropped: there is no one left to tell.
function ignoreError(): void {}
