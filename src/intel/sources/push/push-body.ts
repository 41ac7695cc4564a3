// Common parts of the routes whose rows are read by `readPush`: media types, kind of body,
// refusals, and the limit of streams.

import { Readable } from 'node:stream'
import { FailureEnvelope } from '../../../vocabulary/envelope-wire.ts'
import { tooManyPushes } from '../../errors.ts'

/** Largest JSON array. Contacts come as JSON only, with the same limit. */
export const JSON_BYTES_MAX = 8 * 1_024 * 1_024

/** JSON is read as a whole, NDJSON as it arrives. */
export const STREAMED_BODY = {
  consumes: ['application/json', 'application/x-ndjson', 'application/jsonl'],
  streamsBody: true,
  // JSON is parsed where its rows are read.
  bodyKind: 'bytes',
  checksOwnBody: true,
  jsonBodyLimit: JSON_BYTES_MAX,
} as const

export const PUSH_REFUSALS = {
  400: { description: 'The body cannot be read.', schema: FailureEnvelope },
  401: { description: 'No valid token.', schema: FailureEnvelope },
  413: { description: 'Too many rows or bytes.', schema: FailureEnvelope },
  415: { description: 'Another media type.', schema: FailureEnvelope },
  503: { description: 'The database is unreachable; no row was stored.', schema: FailureEnvelope },
} as const

/** The body of a route with `bodyKind: 'bytes'`: JSON as a whole, NDJSON as it arrives. */
export function asPushBody(body: unknown): Buffer | Readable {
  if (Buffer.isBuffer(body) || body instanceof Readable) return body
  throw new Error('the body of a push is neither bytes nor a stream')
}

type ReadLimited = <Result>(
  body: unknown,
  read: (sent: Buffer | Readable) => Promise<Result>,
) => Promise<Result>

/** For one route: refuses a stream while `streamsMax` others are being read in this thread. */
export function limitStreams(streamsMax: number): ReadLimited {
  let streams = 0
  return async (body, read) => {
    const sent = asPushBody(body)
    if (!(sent instanceof Readable)) return await read(sent)
    if (streams >= streamsMax) {
      sent.destroy()
      throw tooManyPushes()
    }
    streams += 1
    try {
      return await read(sent)
    } finally {
      streams -= 1
    }
  }
}
