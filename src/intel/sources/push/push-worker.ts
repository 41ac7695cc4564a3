// Hands large pushes to a thread of its own (push-thread.ts): reading a row takes some 5 µs and
// leaves objects behind, and on the serving thread both would be waits of the look-ups (measured:
// collections of up to 60 ms while four imports ran). The thread is there only while there is
// something to read, and gives back all of its memory when it ends.

import type { Worker } from 'node:worker_threads'
import { startWorkerBehind } from '../../../kernel/async/yield-processor.ts'
import { pushRefused } from '../../errors.ts'
import type { PushForm, ReadPush } from './push-reader.ts'
import type { PushMessage, PushReply } from './push-thread.ts'

// Starting a thread takes about 100 ms, so it stays between the parts of one import.
const LINGER_MS = 5_000
// Messages with bytes that were sent and not taken yet; more would only fill memory.
const WINDOW = 4

export interface PushContext {
  readonly nowMs: number
  /** Names of the tags there are. */
  readonly tags: readonly string[]
}

export class PushWorker {
  #worker: Worker | null = null
  #linger: NodeJS.Timeout | undefined
  #lastId = 0
  readonly #sessions = new Map<number, PushSession>()
  #isClosed = false

  /** A push to read. The caller ends it by `finish` or `drop`. */
  open(form: PushForm, { nowMs, tags }: PushContext): PushSession {
    if (this.#isClosed) throw new Error('the reader of pushes is closed')
    clearTimeout(this.#linger)
    this.#worker ??= this.#start()
    const worker = this.#worker
    worker.ref()
    this.#lastId += 1
    const id = this.#lastId
    const session = new PushSession(id, {
      post: (message, buffers) => {
        if (this.#worker === worker) worker.postMessage(message, buffers)
      },
      end: () => this.#forget(id),
    })
    this.#sessions.set(id, session)
    // A port between threads knows no origins; the rule means windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage({ kind: 'open', id, form, nowMs, tags } satisfies PushMessage)
    return session
  }

  #start(): Worker {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = startWorkerBehind(new URL(`./push-thread.${extension}`, import.meta.url))
    worker.on('message', (reply: PushReply) => this.#sessions.get(reply.id)?.settle(reply))
    const fail = (error: Error): void => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#failAll(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread that reads pushes ended early')))
    return worker
  }

  #forget(id: number): void {
    if (!this.#sessions.delete(id) || this.#sessions.size > 0) return
    this.#worker?.unref()
    this.#linger = setTimeout(() => void this.#end(), LINGER_MS)
    this.#linger.unref()
  }

  #failAll(error: Error): void {
    for (const session of this.#sessions.values()) session.fail(error)
    this.#sessions.clear()
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#linger)
    const ending = this.#end()
    this.#failAll(new Error('the reader of pushes is closed'))
    await ending
    clearTimeout(this.#linger)
  }
}

interface Wire {
  readonly post: (message: PushMessage, buffers: readonly ArrayBuffer[]) => void
  readonly end: () => void
}

/** One push on its way through the thread. */
export class PushSession {
  readonly #id: number
  readonly #wire: Wire
  readonly #done = Promise.withResolvers<ReadPush>()
  #untaken = 0
  #hasRoom: PromiseWithResolvers<void> | null = null
  #failure: Error | null = null

  constructor(id: number, wire: Wire) {
    this.#id = id
    this.#wire = wire
    // Told by `take` or `finish`, whichever is waited for.
    this.#done.promise.catch(() => undefined)
  }

  /**
   * Gives the bytes away; resolves when there is room for more. Rejects with the refusal of what
   * came before.
   */
  async take(kind: 'lines' | 'array', bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    this.#untaken += 1
    this.#wire.post({ kind, id: this.#id, bytes }, [bytes.buffer])
    if (this.#untaken < WINDOW) return
    this.#hasRoom ??= Promise.withResolvers<void>()
    await this.#hasRoom.promise
  }

  async finish(): Promise<ReadPush> {
    if (this.#failure !== null) throw this.#failure
    this.#wire.post({ kind: 'finish', id: this.#id }, [])
    return await this.#done.promise
  }

  /** Nobody wants it any more. */
  drop(): void {
    this.#wire.post({ kind: 'drop', id: this.#id }, [])
    this.#wire.end()
  }

  settle(reply: PushReply): void {
    switch (reply.kind) {
      case 'taken':
        this.#untaken -= 1
        if (this.#untaken >= WINDOW) return
        this.#hasRoom?.resolve()
        this.#hasRoom = null
        return
      case 'done':
        this.#wire.end()
        this.#done.resolve(reply.read)
        return
      case 'failed':
        this.#wire.end()
        this.fail(reply.refusal === null ? new Error(reply.reason) : pushRefused(reply.refusal))
    }
  }

  fail(error: Error): void {
    this.#failure = error
    this.#done.reject(error)
    this.#hasRoom?.reject(error)
    this.#hasRoom = null
  }
}
