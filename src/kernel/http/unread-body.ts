// The rest of a request body that its refusal leaves unread. Closing the connection while the
// client still sends resets it, and the reset can overtake the answer (RFC 9112 section 9.6). So
// the rest is read and dropped for a while after the answer was sent.

import type { IncomingMessage } from 'node:http'
import { hasUnknownCoding } from './message-form.ts'
import { announcesBody } from './read-body.ts'

// Smaller rests are dropped by Node, and the connection lives on. Larger ones are not worth their
// bytes.
const REST_KEPT_MAX = 64 * 1_024
const DISCARD_BYTES_MAX = 64 * 1_024 * 1_024

/** True when the connection is better closed than read on. */
export function hasLargeRest(message: IncomingMessage): boolean {
  if (message.complete || !announcesBody(message)) return false
  // Node reads no more of it, and closes the connection itself.
  if (hasUnknownCoding(message)) return false
  const declared = message.headers['content-length']
  return declared === undefined || Number(declared) > REST_KEPT_MAX
}

/** Resolves when the connection may be closed: the rest has come, or a bound was reached. */
export function discardRest(message: IncomingMessage, discardMs: number): Promise<void> {
  // Without "100 Continue" the client holds its body back.
  if (message.complete || message.destroyed || message.headers.expect !== undefined) {
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    let left = DISCARD_BYTES_MAX
    const onData = (chunk: Buffer): void => {
      left -= chunk.length
      if (left < 0) finish()
    }
    const finish = (): void => {
      clearTimeout(timer)
      message.off('data', onData).off('end', finish).off('close', finish)
      resolve()
    }
    const timer = setTimeout(finish, discardMs)
    message.on('error', ignoreError).on('data', onData).once('end', finish).once('close', finish)
    message.resume()
  })
}

// The client went away while its rest was dropped: there is no one left to answer.
function ignoreError(): void {}
