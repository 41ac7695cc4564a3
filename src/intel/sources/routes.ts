// The endpoints of sources: pushes, whole lists, the sources themselves and the change log.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { listChangesRoute } from './changes/list-changes.ts'
import { SourceCounts } from './count-sources.ts'
import { deleteSourceRoute } from './delete-source.ts'
import { deleteEntryRoutes } from './entries/delete-entry.ts'
import type { CountedEntryStore, EntryStore } from './entries/entry-store.ts'
import { createFactEntries } from './entries/fact-entry-store.ts'
import { listEntriesRoute } from './entries/list-entries.ts'
import { fetchSourceRoute } from './fetch/fetch-source.ts'
import type { SourceFetcher } from './fetch/refresh-source.ts'
import { getSourceRoute } from './get-source.ts'
import { getSourceHistoryRoute } from './history/get-source-history.ts'
import { listSourcesRoute } from './list-sources.ts'
import { createNetworkEntries } from './networks/network-store.ts'
import { pushNetworksRoute } from './networks/push-networks.ts'
import { pushRoutes } from './push/push-rows.ts'
import type { ReadPushBody } from './push/read-push.ts'
import { replaceEntriesRoute } from './push/replace-entries.ts'
import { putSourceRoute } from './put-source.ts'
import type { ReplaceList } from './replace-list.ts'

export interface SourceRoutesDeps {
  readonly audit: AuditLog
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly clock: Clock
  readonly index: IntelIndex
  readonly readPush: ReadPushBody
  readonly fetcher: SourceFetcher
  readonly replaceList: ReplaceList
  /** Reads the own networks anew. */
  readonly refreshNetworks: () => Promise<void>
  /** The stores of features to the right whose entries are no facts. */
  readonly otherEntries: readonly CountedEntryStore[]
}

export function sourceRoutes(deps: SourceRoutesDeps): readonly Route[] {
  const { database, audit, clock, index, fetcher, refreshNetworks } = deps
  const db = database.kysely
  const others = [...deps.otherEntries, createNetworkEntries({ ...database, refreshNetworks })]
  const counts = new SourceCounts({ clock, index, others })
  const facts = createFactEntries({ database, clock, index })
  const stores = new Map<string, EntryStore>(others.map((store) => [store.kind, store]))
  const entriesOf = (kind: string): EntryStore => stores.get(kind) ?? facts
  return [
    listChangesRoute({ db }),
    ...pushRoutes(deps),
    pushNetworksRoute(deps),
    replaceEntriesRoute(deps),
    listEntriesRoute({ db, entriesOf }),
    ...deleteEntryRoutes({ db, audit, entriesOf }),
    listSourcesRoute({ db, clock, counts }),
    getSourceRoute({ db, clock, counts }),
    getSourceHistoryRoute({ db, clock }),
    putSourceRoute({ db, audit, clock, counts, index }),
    deleteSourceRoute({ db, audit, entriesOf }),
    fetchSourceRoute({ db, fetcher }),
  ]
}
