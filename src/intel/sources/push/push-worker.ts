// Hands large pushes to a thread of its own (push-thread.ts). Reading a row leaves objects behind,
// and on the serving thread their collection would delay the look-ups. The thread is there only
// while there is something to read, and gives back all of its memory when it ends.

import {
  type Conversation,
  type Listener,
  locateScript,
  WorkerHost,
} from '../../../kernel/async/worker-host.ts'
import { pushRefused } from '../../errors.ts'
import type { PushForm, ReadPush } from './push-reader.ts'
import type { PushMessage, PushReply } from './push-thread.ts'

// The thread stays between the parts of one import.
const LINGER_MS = 5_000
// Messages with bytes that were sent and not read yet. More would only fill memory.
const WINDOW = 4

export interface PushContext {
  readonly nowMs: number
  /** Names of the tags there are. */
  readonly tags: readonly string[]
}

export class PushWorker {
  readonly #host = new WorkerHost<PushMessage, PushReply>({
    script: locateScript('push-thread', import.meta.url),
    name: 'push reader',
    lingerMs: LINGER_MS,
    isBehind: true,
  })

  /** A push to read. The caller ends it by `finish` or `drop`. Throws when this is closed. */
  open(form: PushForm, { nowMs, tags }: PushContext): PushSession {
    const session = new PushSession((listener) => this.#host.open(listener))
    session.post({ kind: 'open', form, nowMs, tags })
    return session
  }

  /** Breaks off the pushes that are being read. */
  async close(): Promise<void> {
    await this.#host.close()
  }
}

/** One push on its way through the thread. */
export class PushSession {
  readonly #conversation: Conversation<PushMessage>
  readonly #done = Promise.withResolvers<ReadPush>()
  #untaken = 0
  #hasRoom: PromiseWithResolvers<void> | null = null
  #failure: Error | null = null

  constructor(open: (listener: Listener<PushReply>) => Conversation<PushMessage>) {
    this.#conversation = open({
      onReply: (reply) => this.#hear(reply),
      onFailure: (error) => this.#fail(error),
    })
    // A failure is reported by `take` or `finish`, whichever is waited for.
    this.#done.promise.catch(() => undefined)
  }

  post(message: PushMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#conversation.post(message, transfer)
  }

  /**
   * Gives the bytes away; resolves when there is room for more. Rejects with the refusal of the
   * bytes that were given before.
   */
  async take(kind: 'lines' | 'array', bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    this.#untaken += 1
    this.post({ kind, bytes }, [bytes.buffer])
    if (this.#untaken < WINDOW) return
    this.#hasRoom ??= Promise.withResolvers<void>()
    await this.#hasRoom.promise
  }

  async finish(): Promise<ReadPush> {
    if (this.#failure !== null) throw this.#failure
    this.post({ kind: 'finish' })
    return await this.#done.promise
  }

  /** Gives up the push. */
  drop(): void {
    this.post({ kind: 'drop' })
    this.#conversation.end()
  }

  #hear(reply: PushReply): void {
    switch (reply.kind) {
      case 'taken':
        this.#untaken -= 1
        if (this.#untaken >= WINDOW) return
        this.#hasRoom?.resolve()
        this.#hasRoom = null
        return
      case 'done':
        this.#conversation.end()
        this.#done.resolve(reply.read)
        return
      case 'refused':
        this.#fail(pushRefused(reply.refusal))
    }
  }

  #fail(error: Error): void {
    this.#conversation.end()
    this.#failure = error
    this.#done.reject(error)
    this.#hasRoom?.reject(error)
    this.#hasRoom = null
  }
}
