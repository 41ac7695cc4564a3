// Answers requests that fail before routing: invalid HTTP, headers that are too large, requests
// that arrive too slowly, CONNECT. Node gives only the socket, so the response is written as text,
// in the form of the group as far as the target is known.

import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { bodyTooSlow, headersTooLarge, methodNotAllowed, requestNotValid } from '../errors.ts'
import type { OperatingError } from '../operating-error.ts'
import { guessFailureForm, presentFailure } from './present-failure.ts'
import { readPath } from './request-meter.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

interface RawFailure {
  readonly error: OperatingError
  /** The target of the request line, `/` when it is not known. */
  readonly target: string
  readonly accept?: string | undefined
  readonly requestId: string
}

/** The error of Node for a connection on which HTTP could not be read (`clientError`). */
export interface ConnectionTrouble {
  readonly code?: string | undefined
  readonly rawPacket?: unknown
}

/**
 * Answers the error once, or closes the connection when another response has been started on it.
 * Null when nothing was sent.
 */
export function answerClientError(
  trouble: ConnectionTrouble,
  socket: Duplex,
  requestId: string,
): OperatingError | null {
  const pending = findPendingAnswer(socket)
  if (!socket.writable || trouble.code === 'ECONNRESET' || pending?.headersSent === true) {
    socket.destroy()
    return null
  }
  if (pending?.req.complete === true) {
    // Invalid bytes follow a complete request. An error response now would be mistaken for the
    // response to that request.
    pending.shouldKeepAlive = false
    return null
  }
  const error = explainConnectionTrouble(trouble.code)
  const target = pending?.req.url ?? readTarget(trouble.rawPacket)
  endWithFailure(socket, { error, target, accept: pending?.req.headers.accept, requestId })
  return error
}

/** Answers CONNECT with 405; Node alone would close the connection without an answer. */
export function answerConnect(
  message: IncomingMessage,
  socket: Duplex,
  requestId: string,
): OperatingError {
  const error = methodNotAllowed(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
  const target = message.url ?? '/'
  endWithFailure(socket, { error, target, accept: message.headers.accept, requestId })
  return error
}

function endWithFailure(socket: Duplex, failure: RawFailure): void {
  socket.on('error', ignoreError)
  socket.end(formatRawFailure(failure), () => socket.destroy())
}

// The client has disconnected; the response was already written.
function ignoreError(): void {}

// `_httpMessage` is not documented, but Node's default handler uses it for the same decision
// (lib/_http_server.js). Without it, an error would be written into a response already started.
function findPendingAnswer(socket: Duplex): ServerResponse | null {
  const pending: unknown = Reflect.get(socket, '_httpMessage')
  return pending instanceof ServerResponse ? pending : null
}

function readTarget(packet: unknown): string {
  const start = Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 2_048) : ''
  return /^[A-Z]+ (\S+)/.exec(start)?.[1] ?? '/'
}

function explainConnectionTrouble(code: string | undefined): OperatingError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return bodyTooSlow()
  return requestNotValid('The bytes received are not a valid HTTP request.')
}

function formatRawFailure(failure: RawFailure): string {
  const { status, headers, text } = presentFailure(failure.error, {
    ...guessFailureForm(readPath(failure.target)),
    accept: failure.accept,
    requestId: failure.requestId,
  })
  const lines = Object.entries({
    ...headers,
    'x-request-id': failure.requestId,
    ...SECURITY_HEADERS,
    'content-length': String(Buffer.byteLength(text)),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${text}`
}
