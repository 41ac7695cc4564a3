// Sends a large answer in slices, so that its reader is watched and others are answered between.

import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ConnectionGuard } from './connection-guard.ts'

// The kernel copies a slice in some 50 µs. A larger write would keep other requests waiting.
const SLICE = 64 * 1_024

/** Whether an answer of this length is sent at once. */
export function isFew(length: number): boolean {
  return length <= SLICE
}

/** What Fastify is to send: the bytes themselves when they are few. */
export function sliceBytes(
  bytes: Buffer,
  reply: FastifyReply,
  socket: Socket,
  connections: Pick<ConnectionGuard, 'hold'>,
): Buffer | Readable {
  if (isFew(bytes.length)) return bytes
  reply.header('content-length', String(bytes.length))
  connections.hold(socket, reply.raw, bytes.length)
  return Readable.from(slice(bytes), { objectMode: false })
}

function* slice(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE)
}
