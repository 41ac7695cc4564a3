// A thread that reads large pushes beside the serving one. Started by push-worker.ts.

import { parentPort } from 'node:worker_threads'
import { OperatingError } from '../../../kernel/operating-error.ts'
import { type PushForm, PushReader, type ReadPush } from './push-reader.ts'

/** To the thread. Everything of one push has its id; what follows a failure is ignored. */
export type PushMessage =
  | {
      readonly kind: 'open'
      readonly id: number
      readonly form: PushForm
      readonly nowMs: number
      readonly tags: readonly string[]
    }
  | { readonly kind: 'lines'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'array'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'finish'; readonly id: number }
  | { readonly kind: 'drop'; readonly id: number }

/** A refusal, as it travels between threads. */
type Refusal = Pick<OperatingError, 'code' | 'status' | 'publicMessage'>

/** From the thread: `taken` for each message with bytes, then `done` or one `failed`. */
export type PushReply =
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'done'; readonly id: number; readonly read: ReadPush }
  | {
      readonly kind: 'failed'
      readonly id: number
      readonly refusal: Refusal | null
      readonly reason: string
    }

if (parentPort !== null) serve(parentPort)

function serve(parent: NonNullable<typeof parentPort>): void {
  const readers = new Map<number, PushReader>()
  parent.on('message', (message: PushMessage) => {
    try {
      const reply = take(readers, message)
      if (reply === null) return
      const pieces = reply.kind === 'done' ? reply.read.staged.pieces : []
      parent.postMessage(
        reply,
        pieces.map((piece) => piece.buffer),
      )
    } catch (error) {
      readers.delete(message.id)
      // A port between threads knows no origins; the rule means windows.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      parent.postMessage({ kind: 'failed', id: message.id, ...describe(error) } satisfies PushReply)
    }
  })
}

function take(readers: Map<number, PushReader>, message: PushMessage): PushReply | null {
  const { id } = message
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
      return { kind: 'taken', id }
    case 'array':
      reader.takeArray(Buffer.from(message.bytes.buffer))
      return { kind: 'taken', id }
    case 'drop':
      readers.delete(id)
      return null
    case 'finish':
      readers.delete(id)
      return { kind: 'done', id, read: reader.finish() }
  }
}

function describe(error: unknown): { refusal: Refusal | null; reason: string } {
  if (!(error instanceof OperatingError)) return { refusal: null, reason: String(error) }
  const { code, status, publicMessage } = error
  return { refusal: { code, status, publicMessage }, reason: error.message }
}
