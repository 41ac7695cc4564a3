// POST /beta/admin/setup-link: the link for the first person, for `casework user setup-link`.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { UserLink } from '../people/user-wire.ts'
import { firstPersonPresent } from './errors.ts'
import { makeSetupLink } from './make-setup-link.ts'

export interface CreateSetupLinkDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly readPublicUrl: () => string
}

export function createSetupLinkRoute({
  db,
  audit,
  clock,
  readPublicUrl,
}: CreateSetupLinkDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/setup-link',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'createSetupLink',
    idempotency: 'sealed',
    summary: 'Make the link for the first person',
    description:
      'While nobody can sign in, this link makes the first person, who administers the instance. It is good once and for an hour; a former one stops working.',
    responses: {
      201: { description: 'The link, shown this once.', schema: UserLink },
      409: { description: 'There is a person already.' },
    },
    async handle() {
      const link = await makeSetupLink(db, {
        publicUrl: readPublicUrl(),
        nowMs: clock.nowMs(),
        audit,
      })
      if (link === null) throw firstPersonPresent()
      const json = { link: link.url, link_expires_at: link.expiresAt.toISOString() }
      return { status: 201, json }
    },
  })
}
