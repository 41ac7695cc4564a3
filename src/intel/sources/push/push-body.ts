// What the routes whose rows are read by `readPush` have in common: media types, how the body
// comes, refusals, and how many streams at once.

import { Readable } from 'node:stream'
import { FailureEnvelope } from '../../../vocabulary/envelope-wire.ts'
import { tooManyPushes } from '../../errors.ts'

/** Of a JSON array; also that of the contacts, which come in no other way. */
export const JSON_BYTES_MAX = 8 * 1_024 * 1_024

/** JSON comes whole, NDJSON as it arrives. */
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
  503: { description: 'The database is away; nothing was kept.', schema: FailureEnvelope },
} as const

/** The body of a route with `bodyKind: 'bytes'`: JSON whole, NDJSON as it arrives. */
export function asPushBody(body: unknown): Buffer | Readable {
  if (Buffer.isBuffer(body) || body instanceof Readable) return body
  throw new Error('the body of a push is handed on as it came')
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
