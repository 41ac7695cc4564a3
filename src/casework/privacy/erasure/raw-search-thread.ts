// The worker thread that searches raw reports. raw-searcher.ts starts it and may kill it.

import { serveThread } from '../../../kernel/async/serve-thread.ts'
import { type RawQuery, searchRawBytes } from './search-raw-bytes.ts'

export interface RawSearchJob {
  readonly reports: readonly Uint8Array[]
  readonly query: RawQuery
}

serveThread<RawSearchJob, readonly boolean[]>(({ reports, query }) => ({
  reply: searchRawBytes(reports, query),
}))
