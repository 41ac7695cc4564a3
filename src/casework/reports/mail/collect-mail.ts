// The bytes of one mail, whole, or the reason why not. What does not fit is read on and thrown
// away: SMTP has no way to stop a client in the middle of its mail but to close the connection.

import type { Readable } from 'node:stream'
import type { Share } from '../../../kernel/async/quota.ts'
import { brokenOff, type MailRefusal, noMemory, tooLarge, tooSlow } from './mail-refusal.ts'

export interface CollectLimits {
  readonly bytesMax: number
  /**
   * For the whole mail; a client that sends a byte now and then never runs into a limit of silence.
   */
  readonly timeoutMs: number
}

// A client that goes on for so long after its mail became too large does not want an answer.
const FLOOD_FACTOR = 2

/** Rejects with a `MailRefusal`. The share keeps what was taken; the caller gives it back. */
export async function collectMail(
  stream: Readable,
  share: Share,
  limits: CollectLimits,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  let refusal: MailRefusal | null = null
  const drop = (why: MailRefusal): void => {
    refusal = why
    chunks.length = 0
    share.giveBack()
  }
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), limits.timeoutMs)
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limits.bytesMax * FLOOD_FACTOR) {
        clearTimeout(timer)
        reject(tooLarge(limits.bytesMax))
      }
      if (refusal !== null) return
      if (length > limits.bytesMax) drop(tooLarge(limits.bytesMax))
      else if (share.take(chunk.length)) chunks.push(chunk)
      else drop(noMemory())
    })
    stream.once('end', () => {
      clearTimeout(timer)
      if (refusal === null) resolve(Buffer.concat(chunks, length))
      else reject(refusal)
    })
    // A client that goes away in the middle destroys the stream, with or without an error.
    stream.once('error', (error) => {
      clearTimeout(timer)
      reject(brokenOff(error))
    })
    stream.once('close', () => {
      clearTimeout(timer)
      reject(brokenOff('closed'))
    })
  })
}
