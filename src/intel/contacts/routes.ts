// The endpoint of imported abuse contacts.

import type { Db } from '../../kernel/db/database.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { ReadPushBody } from '../sources/push/read-push.ts'
import { putContactsRoute } from './put-contacts.ts'

export interface ContactRoutesDeps {
  readonly db: Db
  readonly readPush: ReadPushBody
  /** Reads the imported contacts anew. */
  readonly refreshContacts: () => Promise<void>
}

export function contactRoutes(deps: ContactRoutesDeps): readonly Route[] {
  return [putContactsRoute(deps)]
}
