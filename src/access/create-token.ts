// POST /beta/admin/tokens: creates a token and shows its secret once. A caller can grant only
// scopes and tenants that it holds. Rotation is create, then revoke: both tokens are live in
// between.

import type { Static } from 'typebox'
import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import type { IdSource } from '../kernel/ids.ts'
import { isLooseEmailAddress } from '../values/email.ts'
import type { FieldProblem } from '../values/field-problem.ts'
import { parseInstant } from '../values/timestamp.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'
import { requireCaller } from './admit-request.ts'
import { countLiveTokens, insertToken, LIVE_TOKENS_MAX } from './api-token-store.ts'
import { CreatedApiToken, NewApiToken, presentToken } from './api-token-wire.ts'
import { grantBeyondOwn, tokenNotValid, tokensTooMany } from './errors.ts'
import { findTenant } from './tenant-store.ts'
import { createTokenText, hashToken } from './token-text.ts'

const DAY_MS = 86_400_000
const LIFETIME_DEFAULT_MS = 90 * DAY_MS

interface TokenGrant {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly tenantId: string
  readonly contactEmail: string | null
  readonly expiresAt: Date | null
}

export interface CreateTokenDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  /** Makes the change known to this process at once. */
  readonly refreshTokens: () => Promise<void>
}

export function createTokenRoute({ db, clock, ids, refreshTokens }: CreateTokenDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/tokens',
    group: 'admin',
    access: { kind: 'scope', scope: 'tokens:manage' },
    operationId: 'createToken',
    summary: 'Create an API token',
    body: NewApiToken,
    responses: {
      201: { description: 'The token with its secret.', schema: CreatedApiToken },
      409: { description: 'There are too many live tokens.' },
    },
    async handle({ caller, body }) {
      const grant = readGrant(requireCaller(caller), body, clock.nowMs())
      await assertTenantExists(db, grant.tenantId)
      if ((await countLiveTokens(db)) >= LIVE_TOKENS_MAX) throw tokensTooMany(LIVE_TOKENS_MAX)
      const text = createTokenText(grant.scopes.includes('instance:admin') ? 'admin' : 'api')
      const token = await insertToken(db, {
        ...grant,
        id: `tok_${ids.nextUuid().replaceAll('-', '')}`,
        tokenHash: hashToken(text),
        isBootstrap: false,
      })
      await refreshTokens()
      return { status: 201, json: { ...presentToken(token, clock.nowMs()), token: text } }
    },
  })
}

/** The grant that the caller asks for. Throws 400 for a faulty and 403 for a forbidden one. */
function readGrant(caller: Caller, body: Static<typeof NewApiToken>, nowMs: number): TokenGrant {
  const expiresAt = readExpiry(body.expires_at, nowMs)
  const contactEmail = body.contact_email ?? null
  const problems: FieldProblem[] = body.scopes.flatMap((scope, index) =>
    isScope(scope) ? [] : [{ path: `/scopes/${index}`, reason: 'is no scope' }],
  )
  if (expiresAt === 'wrong') {
    problems.push({ path: '/expires_at', reason: 'must be a time to come, in ISO 8601 form' })
  }
  if (contactEmail !== null && !isLooseEmailAddress(contactEmail)) {
    problems.push({ path: '/contact_email', reason: 'must be an e-mail address' })
  }
  if (expiresAt === 'wrong' || problems.length > 0) throw tokenNotValid(problems)
  const scopes = [...new Set(body.scopes.filter(isScope))]
  const missing = scopes.filter((scope) => !caller.scopes.has(scope))
  if (missing.length > 0) throw grantBeyondOwn(`the scopes ${missing.join(', ')}`)
  const tenantId = body.tenant_id ?? caller.tenantId
  if (tenantId !== caller.tenantId && !caller.scopes.has('instance:admin')) {
    throw grantBeyondOwn('access to another tenant')
  }
  return { name: body.name, scopes, tenantId, contactEmail, expiresAt }
}

function readExpiry(text: string | null | undefined, nowMs: number): Date | null | 'wrong' {
  if (text === null) return null
  if (text === undefined) return new Date(nowMs + LIFETIME_DEFAULT_MS)
  const ms = parseInstant(text)
  return ms !== null && ms > nowMs ? new Date(ms) : 'wrong'
}

async function assertTenantExists(db: Db, tenantId: string): Promise<void> {
  if ((await findTenant(db, tenantId)) === null) {
    throw tokenNotValid([{ path: '/tenant_id', reason: 'is no tenant of this instance' }])
  }
}
