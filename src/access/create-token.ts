// POST /beta/admin/tokens: creates a token and shows its secret once. A caller can grant only
// scopes, tenants and a lifetime that it has itself. Rotation is create, then revoke: both tokens
// are live in between.

import type { Static } from 'typebox'
import type { Clock } from '../kernel/clock.ts'
import { type Db, inTransaction } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import type { IdSource } from '../kernel/ids.ts'
import { isLooseEmailAddress } from '../values/email.ts'
import type { FieldProblem } from '../values/field-problem.ts'
import { parseInstant } from '../values/timestamp.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { isScope, ROLE_SCOPES, type Scope } from '../vocabulary/scopes.ts'
import { requireCaller } from './admit-request.ts'
import { insertToken } from './api-token-store.ts'
import { CreatedApiToken, NewApiToken, presentToken } from './api-token-wire.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { grantBeyondOwn, tokenNotValid, tokensTooMany } from './errors.ts'
import { findTenant } from './tenant-store.ts'
import { createTokenText, hashToken } from './token-text.ts'

const DAY_MS = 86_400_000
const LIFETIME_DEFAULT_MS = 90 * DAY_MS
// A person and a script each need one; a node holds all of them in memory. The operator of the
// instance is not bound by it.
const TENANT_TOKENS_MAX = 1_000

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
  readonly audit: AuditLog
  /** Makes the change known to this process at once. */
  readonly refreshTokens: () => Promise<void>
}

export function createTokenRoute({ db, clock, ids, audit, refreshTokens }: CreateTokenDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/tokens',
    group: 'admin',
    access: { kind: 'scope', scope: 'tokens:manage' },
    operationId: 'createToken',
    idempotency: 'sealed',
    summary: 'Create a token',
    description: 'Creates a token. The answer is the only place that shows its secret part.',
    body: NewApiToken,
    responses: {
      201: { description: 'The token with its secret.', schema: CreatedApiToken },
      409: { description: 'The tenant has too many live tokens.' },
    },
    async handle({ caller, body }) {
      const maker = requireCaller(caller)
      const grant = readGrant(maker, body, clock.nowMs())
      await assertTenantExists(db, grant.tenantId)
      const text = createTokenText(grant.scopes.includes('instance:admin') ? 'admin' : 'api')
      const id = `tok_${ids.nextUuid().replaceAll('-', '')}`
      const liveMax = maker.scopes.has('instance:admin') ? undefined : TENANT_TOKENS_MAX
      const token = await inTransaction(db, async (tx) => {
        const isBootstrap = false
        const { owner } = maker
        const row = { ...grant, owner, id, tokenHash: hashToken(text), isBootstrap }
        const made = await insertToken(tx, row, liveMax)
        if (made === null) throw tokensTooMany(TENANT_TOKENS_MAX)
        const after = presentToken(made, clock.nowMs())
        await audit.record(tx, 'token.create', { tenantId: made.tenantId, id, after })
        return made
      })
      await refreshTokens()
      return { status: 201, json: { ...presentToken(token, clock.nowMs()), token: text } }
    },
  })
}

/** The grant that the caller asks for. Throws 400 for a faulty and 403 for a forbidden one. */
function readGrant(caller: Caller, body: Static<typeof NewApiToken>, nowMs: number): TokenGrant {
  const expiresAt = readExpiry(body.expires_at, nowMs, caller.expiresAt)
  const contactEmail = body.contact_email ?? null
  const named = body.scopes ?? []
  const problems: FieldProblem[] = named.flatMap((scope, index) =>
    isScope(scope) ? [] : [{ path: `/scopes/${index}`, reason: 'is no scope' }],
  )
  if (body.scopes === undefined && body.role === undefined) {
    problems.push({ path: '/scopes', reason: 'is missing, and so is "role"' })
  }
  if (expiresAt === 'wrong') {
    problems.push({ path: '/expires_at', reason: 'must be a time to come, in ISO 8601 form' })
  }
  if (contactEmail !== null && !isLooseEmailAddress(contactEmail)) {
    problems.push({ path: '/contact_email', reason: 'must be an e-mail address' })
  }
  if (expiresAt === 'wrong' || problems.length > 0) throw tokenNotValid(problems)
  const ofRole = body.role === undefined ? [] : ROLE_SCOPES[body.role]
  const scopes = [...new Set([...ofRole, ...named.filter(isScope)])]
  const missing = scopes.filter((scope) => !caller.scopes.has(scope))
  if (missing.length > 0) throw grantBeyondOwn(`the scopes ${missing.join(', ')}`)
  const tenantId = body.tenant_id ?? caller.tenantId
  if (tenantId !== caller.tenantId && !caller.scopes.has('instance:admin')) {
    throw grantBeyondOwn('access to another tenant')
  }
  if (outlives(expiresAt, caller.expiresAt)) {
    throw grantBeyondOwn(`a life beyond ${caller.expiresAt?.toISOString()}`)
  }
  return { name: body.name, scopes, tenantId, contactEmail, expiresAt }
}

/** In 90 days when it is left out, or with the token of the caller when that ends earlier. */
function readExpiry(
  text: string | null | undefined,
  nowMs: number,
  callerEnd: Date | null,
): Date | null | 'wrong' {
  if (text === null) return null
  if (text === undefined) {
    const callerEndMs = callerEnd?.getTime() ?? Number.POSITIVE_INFINITY
    return new Date(Math.min(nowMs + LIFETIME_DEFAULT_MS, callerEndMs))
  }
  const ms = parseInstant(text)
  return ms !== null && ms > nowMs ? new Date(ms) : 'wrong'
}

/** A stolen token that ends must not buy one that does not. */
function outlives(end: Date | null, callerEnd: Date | null): boolean {
  return callerEnd !== null && (end === null || end.getTime() > callerEnd.getTime())
}

async function assertTenantExists(db: Db, tenantId: string): Promise<void> {
  if ((await findTenant(db, tenantId)) === null) {
    throw tokenNotValid([{ path: '/tenant_id', reason: 'is no tenant of this instance' }])
  }
}
