// DELETE /beta/sources/{kind}/{name} (design sections 4.3 and 9).

import { Type } from 'typebox'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope } from '../../vocabulary/envelope-wire.ts'
import { sourceOfReports, sourceUnknown } from '../errors.ts'
import { isReportSource } from '../facts/sighting-rules.ts'
import type { EntryStore } from './entries/entry-store.ts'
import { findSource, nameSource } from './source-store.ts'

export function deleteSourceRoute({
  db,
  audit,
  entriesOf,
}: {
  readonly db: Db
  readonly audit: AuditLog
  readonly entriesOf: (kind: string) => EntryStore
}): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/sources/{kind}/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'deleteSource',
    summary: 'Delete a source',
    description: 'All its entries are removed in one change, which look-ups see at once.',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    responses: {
      204: { description: 'The source is deleted.' },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
      409: { description: 'Accepted reports write the source.', schema: FailureEnvelope },
    },
    async handle({ params }) {
      const source = await findSource(db, params)
      if (source === null) throw sourceUnknown()
      // Its sightings would be missing until reports write them again, and the reports still count.
      if (isReportSource(source)) throw sourceOfReports()
      await entriesOf(source.kind).remove(source, async (tx, entries) => {
        const { description, origin, licence, ttlSeconds, fetch } = source
        await audit.record(tx, 'source.delete', {
          tenantId: null,
          id: nameSource(source),
          before: { description, origin, licence, ttlSeconds, fetch, entries },
        })
      })
      return { status: 204 }
    },
  })
}
