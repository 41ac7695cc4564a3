// A thread that does jobs on the intel set, one after the other, beside the serving threads.

import { serveThread } from '../../kernel/async/serve-thread.ts'
import { doIndexJob, type IndexJob } from './index-job.ts'

serveThread<IndexJob, SharedArrayBuffer>(async (job) => ({ reply: await doIndexJob(job) }))
