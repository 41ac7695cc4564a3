// Reads the body of an answer within its limit, before and after decompression, so that neither an
// endless answer nor a decompression bomb can fill the memory.

import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzip,
  inflate,
  inflateRaw,
} from 'node:zlib'
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

interface Encoding {
  readonly unpack: (packed: Buffer, options: UnpackOptions) => Promise<Buffer>
  /** Takes a body that is cut in the middle. */
  readonly openStart: (packed: Buffer) => Transform
}

const CUT = { finishFlush: constants.Z_SYNC_FLUSH }
const GZIP: Encoding = {
  unpack: promisify<Buffer, UnpackOptions, Buffer>(gunzip),
  openStart: () => createGunzip(CUT),
}
// RFC 9110 section 8.4.1. Exactly one is accepted: only a decompression bomb is compressed twice.
const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  [
    'br',
    {
      unpack: promisify<Buffer, UnpackOptions, Buffer>(brotliDecompress),
      openStart: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    },
  ],
  [
    'deflate',
    {
      unpack: unpackDeflate,
      openStart: (packed) => (isZlib(packed) ? createInflate(CUT) : createInflateRaw(CUT)),
    },
  ],
])

/**
 * Rejects with `TooLargeTrouble`, `MalformedTrouble`, `BrokenOffTrouble`, or the error of the HTTP
 * parser.
 */
export async function readAnswerBody(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { name, encoding } = readEncoding(message)
  const packed = await collect(message, maxBytes)
  // Answers to HEAD, 204 and 304 name an encoding without having a body.
  if (encoding === null || packed.length === 0) return packed
  try {
    return await encoding.unpack(packed, { maxOutputLength: maxBytes })
  } catch (error) {
    if (hasErrorCode(error, 'ERR_BUFFER_TOO_LARGE')) throw new TooLargeTrouble()
    throw new MalformedTrouble(`The answer is not in the encoding ${name}`, error)
  }
}

/**
 * The first bytes of the body, at most `maxBytes` before and after decompression; an endless body
 * is cut too. Rejects as `readAnswerBody`, but never with `TooLargeTrouble`.
 */
export async function readAnswerStart(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { name, encoding } = readEncoding(message)
  const packed = await collectStart(message, maxBytes)
  if (encoding === null || packed.length === 0) return packed
  const unpacking = encoding.openStart(packed)
  unpacking.end(packed)
  try {
    return await collectStart(unpacking, maxBytes)
  } catch (error) {
    throw new MalformedTrouble(`The answer is not in the encoding ${name}`, error)
  }
}

function readEncoding({ headers }: IncomingMessage): {
  readonly name: string
  readonly encoding: Encoding | null
} {
  const name = (headers['content-encoding'] ?? '').trim().toLowerCase()
  const encoding = ENCODINGS.get(name) ?? null
  if (encoding !== null || name === '' || name === 'identity') return { name, encoding }
  throw new MalformedTrouble(`Unknown content encoding ${name}`)
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

async function collectStart(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of source) {
      chunks.push(chunk)
      length += chunk.length
      // Leaving the loop closes the source.
      if (length >= maxBytes) break
    }
  } catch (error) {
    throw hasErrorCode(error, 'ECONNRESET') ? new BrokenOffTrouble(error) : error
  }
  return Buffer.concat(chunks, Math.min(length, maxBytes))
}

// "deflate" means the zlib format, but some servers send the bare stream. The first byte of the
// former has 8 in its low half (RFC 1950).
function isZlib(packed: Buffer): boolean {
  return ((packed[0] ?? 0) & 0x0f) === 8
}

function unpackDeflate(packed: Buffer, options: UnpackOptions): Promise<Buffer> {
  const unpack = isZlib(packed) ? inflate : inflateRaw
  return promisify<Buffer, UnpackOptions, Buffer>(unpack)(packed, options)
}
