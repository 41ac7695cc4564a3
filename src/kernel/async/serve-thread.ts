// The thread's side of worker-host.ts: takes messages one after the other and answers them.

import { parentPort } from 'node:worker_threads'

/** To the thread. All messages of one job have its id. */
export interface ThreadRequest<Message> {
  readonly id: number
  readonly message: Message
}

/** From the thread. `spentMs`: its processor time since its start, to measure the next job by. */
export type ThreadReport<Reply> = { readonly spentMs: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply }
  /** The job threw. */
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
)

export interface ThreadAnswer<Reply> {
  readonly reply: Reply
  /** Given away with the reply, not copied. */
  readonly transfer?: readonly ArrayBuffer[]
}

/**
 * Serves the host for as long as the thread lives. A message without an answer gets null. Does
 * nothing in the main thread, where a test may have loaded the module.
 */
// Both ends of a port name what passes through it.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveThread<Message, Reply>(
  handle: (
    message: Message,
    id: number,
  ) => ThreadAnswer<Reply> | null | Promise<ThreadAnswer<Reply> | null>,
): void {
  const parent = parentPort
  if (parent === null) return
  const post = (report: ThreadReport<Reply>, transfer: readonly ArrayBuffer[] = []): void =>
    parent.postMessage(report, [...transfer])
  const serve = async ({ id, message }: ThreadRequest<Message>): Promise<void> => {
    try {
      const answer = await handle(message, id)
      if (answer === null) return
      const { reply, transfer } = answer
      post({ kind: 'reply', id, reply, spentMs: readSpentMs() }, transfer)
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      post({ kind: 'failed', id, reason, spentMs: readSpentMs() })
    }
  }
  let last: Promise<void> = Promise.resolve()
  parent.on('message', (request: ThreadRequest<Message>) => {
    last = last.then(() => serve(request))
  })
  post({ kind: 'ready', spentMs: readSpentMs() })
}

function readSpentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
