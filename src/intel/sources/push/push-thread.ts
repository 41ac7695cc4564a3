// The thread that reads large pushes, started by push-worker.ts.

import { serveThread, type ThreadAnswer } from '../../../kernel/async/serve-thread.ts'
import { OperatingError } from '../../../kernel/operating-error.ts'
import { type PushForm, PushReader, type ReadPush } from './push-reader.ts'

/** To the thread. Messages of a push that failed or was dropped are ignored. */
export type PushMessage =
  | {
      readonly kind: 'open'
      readonly form: PushForm
      readonly nowMs: number
      readonly tags: readonly string[]
    }
  | { readonly kind: 'lines'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'array'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'finish' }
  | { readonly kind: 'drop' }

/** A refusal, as it travels between threads. */
type Refusal = Pick<OperatingError, 'code' | 'status' | 'publicMessage'>

/** From the thread: `taken` for each message with bytes, then one `done` or `refused`. */
export type PushReply =
  | { readonly kind: 'taken' }
  | { readonly kind: 'done'; readonly read: ReadPush }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const readers = new Map<number, PushReader>()

serveThread<PushMessage, PushReply>((message, id) => {
  try {
    return take(message, id)
  } catch (error) {
    readers.delete(id)
    if (!(error instanceof OperatingError)) throw error
    const { code, status, publicMessage } = error
    return { reply: { kind: 'refused', refusal: { code, status, publicMessage } } }
  }
})

function take(message: PushMessage, id: number): ThreadAnswer<PushReply> | null {
  if (message.kind === 'open') {
    const tags = new Set(message.tags)
    const context = { nowMs: message.nowMs, hasTag: (name: string) => tags.has(name) }
    readers.set(id, new PushReader(message.form, context, { keepsFacts: true }))
    return null
  }
  const reader = readers.get(id)
  if (reader === undefined) return null
  switch (message.kind) {
    case 'lines':
      reader.takeLines(Buffer.from(message.bytes.buffer))
      return { reply: { kind: 'taken' } }
    case 'array':
      reader.takeArray(Buffer.from(message.bytes.buffer))
      return { reply: { kind: 'taken' } }
    case 'drop':
      readers.delete(id)
      return null
    case 'finish': {
      readers.delete(id)
      const read = reader.finish()
      const transfer = read.staged.pieces.map((piece) => piece.buffer)
      return { reply: { kind: 'done', read }, transfer }
    }
  }
}
