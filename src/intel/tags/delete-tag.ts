// DELETE /beta/tags/{name} (design section 9): removes an operator's own tag.

import { Type } from 'typebox'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope } from '../../vocabulary/envelope-wire.ts'
import { tagInUse, tagShipped, tagUnknown } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { readShippedTags } from './shipped-tags.ts'
import { lockTag, removeTag } from './tag-store.ts'

export function deleteTagRoute({
  db,
  audit,
  clock,
  index,
}: {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly index: IntelIndex
}): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/tags/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'deleteTag',
    summary: 'Delete a tag',
    description: 'Only a tag that no item carries any more. Shipped tags cannot be deleted.',
    params: Type.Object({
      name: Type.String({
        description: 'Lower-case words joined with hyphens, parts with a colon.',
      }),
    }),
    responses: {
      204: { description: 'The tag is deleted.' },
      400: { description: 'There is no tag of this name.', schema: FailureEnvelope },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      409: {
        description: 'The tag ships with the program, or is in use.',
        schema: FailureEnvelope,
      },
    },
    async handle({ params }) {
      const { name } = params
      if (readShippedTags().some((shipped) => shipped.name === name)) throw tagShipped()
      await inTransaction(db, async (tx) => {
        const before = await lockTag(tx, name)
        const done = await removeTag(tx, name, clock.nowMs())
        if (done === 'absent') throw tagUnknown()
        if (done === 'in-use') throw tagInUse()
        await audit.record(tx, 'tag.delete', { tenantId: null, id: name, before })
      })
      await index.refreshNow().catch(() => undefined)
      return { status: 204 }
    },
  })
}
