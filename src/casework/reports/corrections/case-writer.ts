// Writes regression cases in a thread beside the serving threads: a mail of a stranger is parsed
// there only. The thread starts with the first case and ends when it is idle.

import { limit, QueueFull } from '../../../kernel/async/limit.ts'
import { locateScript, ThreadLost, WorkerHost } from '../../../kernel/async/worker-host.ts'
import type { CaseRequest, WrittenCase } from '../../../reader/reading.ts'
import { readersBusy } from '../../cases/errors.ts'
import { READING_LIMITS } from '../reading/reading-pool.ts'
import type { CaseJob } from './case-thread.ts'

/** Throws readersBusy when too many wait. */
export type WriteCase = (bytes: Uint8Array, request: CaseRequest) => Promise<WrittenCase>

export interface CaseWriter {
  readonly write: WriteCase
  readonly close: () => Promise<void>
}

// Asked for by a person, one by one.
const QUEUE_MAX = 20
const LINGER_MS = 30_000

export function openCaseWriter(): CaseWriter {
  const host = new WorkerHost<CaseJob, WrittenCase>({
    script: locateScript('case-thread', import.meta.url),
    name: 'case-writer',
    lingerMs: LINGER_MS,
    isBehind: true,
    limits: READING_LIMITS,
  })
  const turns = limit(1, { queueMax: QUEUE_MAX })
  return {
    async write(bytes, request) {
      try {
        return await turns.run(async () => {
          const copy = new Uint8Array(bytes)
          return await host.run({ bytes: copy, request }, [copy.buffer])
        })
      } catch (error) {
        if (error instanceof QueueFull) throw readersBusy()
        return explainLoss(error)
      }
    },
    async close() {
      await host.close()
    },
  }
}

function explainLoss(error: unknown): WrittenCase {
  if (!(error instanceof ThreadLost)) throw error
  if (error.why === 'closed' || error.why === 'not_started') throw readersBusy()
  return { kind: 'refused', reason: 'it takes more time or memory than a report may take' }
}
