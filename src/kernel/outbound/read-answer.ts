// Reads the body of an answer within its limit, before and after decompression, so that neither an
// endless answer nor a decompression bomb can fill the memory.

import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { hasErrorCode } from '../system-error.ts'

/** The encodings that are understood, as `Accept-Encoding` says them. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

export class TooLargeTrouble extends Error {
  constructor() {
    super('The answer is larger than asked for')
    this.name = 'TooLargeTrouble'
  }
}

export class MalformedTrouble extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MalformedTrouble'
  }
}

/** The connection ended before the body did. */
export class BrokenOffTrouble extends Error {
  constructor(cause: unknown) {
    super('The connection broke off within the answer', { cause })
    this.name = 'BrokenOffTrouble'
  }
}

interface UnpackOptions {
  readonly maxOutputLength: number
}

type Unpack = (packed: Buffer, options: UnpackOptions) => Promise<Buffer>

// RFC 9110 section 8.4.1. Exactly one is accepted: only a decompression bomb is compressed twice.
const UNPACKERS: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', promisify<Buffer, UnpackOptions, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, UnpackOptions, Buffer>(gunzip)],
  ['br', promisify<Buffer, UnpackOptions, Buffer>(brotliDecompress)],
  ['deflate', unpackDeflate],
])

/**
 * Rejects with `TooLargeTrouble`, `MalformedTrouble`, `BrokenOffTrouble`, or the error of the HTTP
 * parser.
 */
export async function readAnswerBody(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase()
  const unpack = UNPACKERS.get(encoding)
  if (unpack === undefined && encoding !== '' && encoding !== 'identity') {
    throw new MalformedTrouble(`Unknown content encoding ${encoding}`)
  }
  const packed = await collect(message, maxBytes)
  // Answers to HEAD, 204 and 304 name an encoding without having a body.
  if (unpack === undefined || packed.length === 0) return packed
  try {
    return await unpack(packed, { maxOutputLength: maxBytes })
  } catch (error) {
    if (hasErrorCode(error, 'ERR_BUFFER_TOO_LARGE')) throw new TooLargeTrouble()
    throw new MalformedTrouble(`The answer is not in the encoding ${encoding}`, error)
  }
}

async function collect(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of message) {
      // Without an encoding set, a message gives buffers.
      const bytes: Buffer = chunk
      length += bytes.length
      if (length > maxBytes) throw new TooLargeTrouble()
      chunks.push(bytes)
    }
  } catch (error) {
    throw hasErrorCode(error, 'ECONNRESET') ? new BrokenOffTrouble(error) : error
  }
  return Buffer.concat(chunks, length)
}

// "deflate" means the zlib format, but some servers send the bare stream. The first byte of the
// former has 8 in its low half (RFC 1950).
function unpackDeflate(packed: Buffer, options: UnpackOptions): Promise<Buffer> {
  const isZlib = ((packed[0] ?? 0) & 0x0f) === 8
  return promisify<Buffer, UnpackOptions, Buffer>(isZlib ? inflate : inflateRaw)(packed, options)
}
