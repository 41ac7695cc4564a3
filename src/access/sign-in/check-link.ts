// POST /beta/session/links/check: what a link is for, so that a page can ask for what it needs. The
// link is not used up by it.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { findUser } from '../people/user-store.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { CheckedLink, LinkToCheck } from './credential-wire.ts'
import { linkNotValid } from './errors.ts'
import { findLink } from './link-store.ts'
import { readLinkSecret } from './make-link.ts'

export interface CheckLinkDeps {
  readonly db: Db
  readonly clock: Clock
}

export function checkLinkRoute({ db, clock }: CheckLinkDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/links/check',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'checkLink',
    summary: 'Look at a link',
    description: 'Says what a link is for. It can still be used afterwards.',
    body: LinkToCheck,
    responses: {
      200: { description: 'What it is for.', schema: CheckedLink },
      404: { description: 'It was used, has ended, or never was.' },
    },
    async handle({ body }) {
      const secretHash = hashSecret(readLinkSecret(body.link))
      const link = await findLink(db, secretHash, new Date(clock.nowMs()))
      if (link === null) throw linkNotValid()
      const user = link.userId === null ? null : await findUser(db, link.userId)
      const membership = user?.memberships.find((one) => one.tenantId === link.tenantId)
      return {
        status: 200,
        json: {
          kind: link.kind,
          email: user?.email ?? null,
          name: membership?.invitedName ?? user?.name ?? null,
          tenant_id: link.tenantId,
          has_password: user?.hasPassword ?? false,
          expires_at: link.expiresAt.toISOString(),
        },
      }
    },
  })
}
