// The endpoints of the tag catalogue.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { deleteTagRoute } from './delete-tag.ts'
import { getTagRoute } from './get-tag.ts'
import { listTaggedRoute } from './list-tagged.ts'
import { listTagsRoute } from './list-tags.ts'
import { putTagRoute } from './put-tag.ts'

export interface TagRoutesDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly index: IntelIndex
}

export function tagRoutes(deps: TagRoutesDeps): readonly Route[] {
  return [...readTagRoutes(deps), listTaggedRoute(deps), putTagRoute(deps), deleteTagRoute(deps)]
}

/** Those that answer from memory. */
export function readTagRoutes(deps: Pick<TagRoutesDeps, 'index'>): readonly Route[] {
  return [getTagRoute(deps), listTagsRoute(deps)]
}
