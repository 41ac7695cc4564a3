// The thread for jobs on the intel set. It is there only while there is something to do: idle it
// would cost some 15 MB.

import { locateScript, WorkerHost } from '../../kernel/async/worker-host.ts'
import type { IndexJob } from './index-job.ts'

export type IndexWorker = WorkerHost<IndexJob, SharedArrayBuffer>

// The thread stays between the parts of one import.
const LINGER_MS = 5_000

/** The snapshot that a job gives; see `doIndexJob`. */
export function createIndexWorker(): IndexWorker {
  const script = locateScript('index-thread', import.meta.url)
  return new WorkerHost({ script, name: 'intel index', lingerMs: LINGER_MS, isBehind: true })
}
