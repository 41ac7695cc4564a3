// DELETE /beta/sources/{kind}/{name} (design sections 4.3 and 9).

import { Type } from 'typebox'
import type { Database } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope } from '../../vocabulary/envelope-wire.ts'
import { sourceUnknown } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { removeSource } from './source-removal-store.ts'
import { findSource } from './source-store.ts'

export function deleteSourceRoute({
  database,
  index,
}: {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly index: IntelIndex
}): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/sources/{kind}/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'deleteSource',
    summary: 'Delete a source with all its entries',
    description: 'All its entries are removed in one change, which look-ups see at once.',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    responses: {
      204: { description: 'The source is deleted.' },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
    },
    async handle({ params }) {
      const source = await findSource(database.kysely, params)
      if (source === null) throw sourceUnknown()
      const removed = await removeSource(database, source)
      // The source is removed for good. When reading that back fails, the call has still succeeded
      // and the next poll reads it.
      if (removed > 0) await index.refreshNow().catch(() => undefined)
      return { status: 204 }
    },
  })
}
