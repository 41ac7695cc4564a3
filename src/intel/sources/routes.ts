// The endpoints of sources: pushes, whole lists, the sources themselves and the change log.

import type { Clock } from '../../kernel/clock.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { listChangesRoute } from './changes/list-changes.ts'
import { SourceCounts } from './count-sources.ts'
import { deleteSourceRoute } from './delete-source.ts'
import { fetchSourceRoute } from './fetch/fetch-source.ts'
import type { SourceFetcher } from './fetch/refresh-source.ts'
import { getSourceRoute } from './get-source.ts'
import { listSourcesRoute } from './list-sources.ts'
import { pushRoutes } from './push/push-rows.ts'
import type { ReadPushBody } from './push/read-push.ts'
import { replaceEntriesRoute } from './push/replace-entries.ts'
import { putSourceRoute } from './put-source.ts'

export interface SourceRoutesDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly clock: Clock
  readonly index: IntelIndex
  readonly readPush: ReadPushBody
  readonly fetcher: SourceFetcher
}

export function sourceRoutes(deps: SourceRoutesDeps): readonly Route[] {
  const { database, clock, index, fetcher } = deps
  const db = database.kysely
  const counts = new SourceCounts({ clock, index })
  return [
    listChangesRoute({ db }),
    ...pushRoutes(deps),
    replaceEntriesRoute(deps),
    listSourcesRoute({ db, clock, counts }),
    getSourceRoute({ db, clock, counts }),
    putSourceRoute({ db, clock, counts, index }),
    deleteSourceRoute(deps),
    fetchSourceRoute({ db, fetcher }),
  ]
}
