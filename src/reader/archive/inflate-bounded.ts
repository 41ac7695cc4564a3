// Decompresses one piece of data within two limits: the bytes that the archive has left, and a
// compression ratio that no honest table or text reaches.

import type { ZlibOptions } from 'node:zlib'
import type { ArchiveLimits } from '../mail/reading-limits.ts'

/** Why an archive, or an entry of it, is not read. `message` is a public sentence. */
export class ArchiveTrouble extends Error {
  override readonly name = 'ArchiveTrouble'
  readonly kind: 'limit' | 'damaged'

  constructor(kind: 'limit' | 'damaged', sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.kind = kind
  }
}

export function inflateBounded(
  packed: Uint8Array,
  limits: ArchiveLimits,
  left: number,
  inflate: (packed: Uint8Array, options: ZlibOptions) => Uint8Array,
): Uint8Array {
  const denseMax = Math.max(limits.ratioFreeBytes, packed.length * limits.ratioMax)
  const lengthMax = Math.min(left, denseMax)
  try {
    // Zero would mean no bound.
    const content = inflate(packed, { maxOutputLength: lengthMax + 1 })
    if (content.length <= lengthMax) return content
  } catch (error) {
    if (!isTooLarge(error)) throw new ArchiveTrouble('damaged', 'It is damaged.', error)
  }
  throw new ArchiveTrouble(
    'limit',
    lengthMax === left
      ? 'It unpacks to more than is read of one report.'
      : `It unpacks to more than ${limits.ratioMax} times its size.`,
  )
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
