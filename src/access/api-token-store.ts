// SQL of API tokens. Every change raises the serial in its own transaction, so that nodes see it
// within a second.

import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Tx } from '../kernel/db/database.ts'
import { inTransaction, seeTables } from '../kernel/db/database.ts'
import type { CallerOwner } from '../vocabulary/caller.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'

interface TokenTables {
  api_token: {
    id: string
    token_hash: Buffer
    name: string
    tenant_id: string
    scopes: string[]
    contact_email: string | null
    is_bootstrap: boolean
    created_at: Date
    expires_at: Date | null
    revoked_at: Date | null
    last_used_at: Date | null
    changed_serial: number
    roles: string[]
    networks: string[] | null
    owner_user_id: string | null
    service_account_id: string | null
    former_hash: Buffer | null
    former_until: Date | null
    rotated_at: Date | null
    is_personal: boolean
  }
  api_token_serial: { id: number; serial: number }
}

export interface TokenRecord {
  readonly id: string
  readonly name: string
  readonly tenantId: string
  /** Its own; those of its roles come on top. */
  readonly scopes: readonly Scope[]
  readonly roles: readonly string[]
  /** CIDR blocks that it may come from; null for any address. */
  readonly networks: readonly string[] | null
  readonly owner: CallerOwner | null
  readonly contactEmail: string | null
  readonly isBootstrap: boolean
  /** Made by a login of its owner. */
  readonly isPersonal: boolean
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly rotatedAt: Date | null
  /** When the secret before the last rotation ends; null without one. */
  readonly formerUntil: Date | null
}

export interface HashedToken extends TokenRecord {
  readonly tokenHash: Buffer
  readonly formerHash: Buffer | null
}

export interface NewToken {
  readonly id: string
  readonly tokenHash: Buffer
  readonly name: string
  readonly tenantId: string
  readonly scopes: readonly Scope[]
  readonly roles?: readonly string[]
  readonly networks?: readonly string[] | null
  readonly owner?: CallerOwner | null
  readonly contactEmail: string | null
  readonly isBootstrap: boolean
  readonly isPersonal?: boolean
  readonly expiresAt: Date | null
}

/** The number that grows with every change of any token. */
export async function readTokenSerial(db: Db): Promise<number> {
  const row = await seeTables<TokenTables>(db)
    .selectFrom('api_token_serial')
    .select('serial')
    .executeTakeFirstOrThrow()
  return row.serial
}

/**
 * A node holds the live tokens in memory (about 500 bytes each): all of 1,000 tenants that have as
 * many as they may. Past that the newest are known.
 */
const HELD_TOKENS_MAX = 1_000_000

/** Every token that is not revoked; the clock of the node decides on expiry at each use. */
export async function listLiveTokens(db: Db): Promise<readonly HashedToken[]> {
  const rows = await seeTables<TokenTables>(db)
    .selectFrom('api_token')
    .selectAll()
    .where('revoked_at', 'is', null)
    // A day for nodes whose clock is behind the database's.
    .where((eb) =>
      eb.or([
        eb('expires_at', 'is', null),
        eb('expires_at', '>', sql<Date>`now() - interval '1 day'`),
      ]),
    )
    .orderBy('created_at', 'desc')
    .limit(HELD_TOKENS_MAX)
    .execute()
  return rows.map(presentHashedRow)
}

/** Every token that changed after that serial, revoked ones included. */
export async function listTokensChangedSince(
  db: Db,
  serial: number,
): Promise<readonly HashedToken[]> {
  const rows = await seeTables<TokenTables>(db)
    .selectFrom('api_token')
    .selectAll()
    .where('changed_serial', '>', serial)
    // A row each that this process keeps or drops; the bound is that of all it keeps.
    .limit(HELD_TOKENS_MAX)
    .execute()
  return rows.map(presentHashedRow)
}

export interface TokenPageRequest {
  /** Null for all tenants. */
  readonly tenantId: string | null
  /** Creation time as ISO 8601 and id of the last token of the page before. */
  readonly after: readonly string[] | null
  readonly limit: number
}

/** Tokens newest first, revoked ones included. */
export async function listTokens(db: Db, page: TokenPageRequest): Promise<readonly TokenRecord[]> {
  let query = seeTables<TokenTables>(db).selectFrom('api_token').selectAll()
  if (page.tenantId !== null) query = query.where('tenant_id', '=', page.tenantId)
  if (page.after !== null) {
    const [createdAt = '', id = ''] = page.after
    query = query.where((eb) =>
      eb(
        eb.refTuple('created_at', 'id'),
        '<',
        eb.tuple(sql<Date>`${createdAt}::timestamptz`, sql<string>`${id}`),
      ),
    )
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(presentRow)
}

/**
 * A token that is not revoked, by its public id (in that tenant, unless it is null); null when
 * there is none.
 */
export async function findLiveToken(
  db: Db,
  id: string,
  tenantId: string | null,
): Promise<TokenRecord | null> {
  let query = seeTables<TokenTables>(db)
    .selectFrom('api_token')
    .selectAll()
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
  if (tenantId !== null) query = query.where('tenant_id', '=', tenantId)
  const row = await query.executeTakeFirst()
  return row === undefined ? null : presentRow(row)
}

/**
 * The token as it is stored now; null when its tenant has `liveMax` live ones already. The row of
 * the serial is locked before they are counted, so two calls at once cannot pass the bound.
 */
export async function insertToken(
  db: Db,
  token: NewToken,
  liveMax: number = Number.POSITIVE_INFINITY,
): Promise<TokenRecord | null> {
  return await inTransaction(db, async (tx) => {
    const serial = await raiseTokenSerial(tx)
    if (Number.isFinite(liveMax) && (await countLiveTokens(tx, token.tenantId)) >= liveMax) {
      return null
    }
    return presentRow(await insertRow(tx, token, serial))
  })
}

export interface NewSecret {
  readonly id: string
  readonly tokenHash: Buffer
  /** How long the former secret stays good; it never outlives its old end. */
  readonly overlapSeconds: number
  readonly expiresAt: Date | null
}

/** The token as it is afterwards, or null when it is revoked or expired. */
export async function rotateToken(tx: Tx, secret: NewSecret): Promise<TokenRecord | null> {
  const { id, tokenHash, overlapSeconds, expiresAt } = secret
  const serial = await raiseTokenSerial(tx)
  const former =
    overlapSeconds === 0
      ? sql`former_hash = null, former_until = null`
      : sql`former_hash = token_hash,
        former_until = least(now() + make_interval(secs => ${overlapSeconds}), expires_at)`
  const { rows } = await sql<TokenTables['api_token']>`
    update api_token set ${former}, token_hash = ${tokenHash}, expires_at = ${expiresAt},
      rotated_at = now(), changed_serial = ${serial}
    where id = ${id} and revoked_at is null and (expires_at is null or expires_at > now())
    returning *`.execute(tx)
  return rows[0] === undefined ? null : presentRow(rows[0])
}

/** The live tokens of a tenant that name this role. */
export async function countTokensOfRole(tx: Tx, tenantId: string, role: string): Promise<number> {
  const row = await seeTables<TokenTables>(tx)
    .selectFrom('api_token')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where(isNotExpired)
    .where(sql<boolean>`${role} = any (roles)`)
    .executeTakeFirstOrThrow()
  return row.count
}

/** What the live tokens of a service account name together. */
export async function listGrantsOfServiceAccount(
  db: Db,
  tenantId: string,
  serviceAccountId: string,
): Promise<{ readonly scopes: readonly Scope[]; readonly roles: readonly string[] }> {
  const rows = await seeTables<TokenTables>(db)
    .selectFrom('api_token')
    .select(['scopes', 'roles'])
    .where('tenant_id', '=', tenantId)
    .where('service_account_id', '=', serviceAccountId)
    .where('revoked_at', 'is', null)
    .where(isNotExpired)
    .execute()
  return {
    scopes: rows.flatMap(({ scopes }) => scopes.filter(isScope)),
    roles: [...new Set(rows.flatMap(({ roles }) => roles))],
  }
}

/** Tokens of a tenant that are neither revoked nor expired. */
async function countLiveTokens(tx: Tx, tenantId: string): Promise<number> {
  const row = await seeTables<TokenTables>(tx)
    .selectFrom('api_token')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where(isNotExpired)
    .executeTakeFirstOrThrow()
  return row.count
}

const isNotExpired = (eb: ExpressionBuilder<TokenTables, 'api_token'>) =>
  eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)])

export interface TokenToRevoke {
  readonly id: string
  /** Null for that of any tenant. */
  readonly tenantId: string | null
  /** Also the last one that administers the instance. */
  readonly isForced: boolean
}

/**
 * Revokes a token. `absent`: there is no live one of that id in the tenant. `last`: no other live
 * token administers the instance. The row of the serial is locked before they are looked for, so
 * two administrators cannot revoke each other at once.
 */
export async function revokeToken(
  db: Db,
  { id, tenantId, isForced }: TokenToRevoke,
): Promise<'revoked' | 'absent' | 'last'> {
  return await inTransaction(db, async (tx) => {
    const serial = await raiseTokenSerial(tx)
    if (!isForced && (await isLastAdministrator(tx, id))) return 'last'
    let update = seeTables<TokenTables>(tx)
      .updateTable('api_token')
      .set({ revoked_at: sql<Date>`now()`, changed_serial: serial })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
    if (tenantId !== null) update = update.where('tenant_id', '=', tenantId)
    const result = await update.executeTakeFirst()
    return result.numUpdatedRows > 0n ? 'revoked' : 'absent'
  })
}

/** The oldest live logins of a user past that many. Ids and tenants of those that are revoked. */
export async function revokeOldLogins(
  tx: Tx,
  userId: string,
  keptMax: number,
): Promise<readonly { readonly id: string; readonly tenantId: string }[]> {
  const serial = await raiseTokenSerial(tx)
  const { rows } = await sql<{ id: string; tenantId: string }>`
    update api_token set revoked_at = now(), changed_serial = ${serial}
    where id in (select id from api_token where owner_user_id = ${userId} and is_personal
      and revoked_at is null order by created_at desc, id desc offset ${keptMax})
    returning id, tenant_id as "tenantId"`.execute(tx)
  return rows
}

const administersInstance = sql<boolean>`('instance:admin' = any (scopes)
  or 'instance-admin' = any (roles)
  or exists (
    select from role where role.tenant_id = api_token.tenant_id
      and role.name = any (api_token.roles) and 'instance:admin' = any (role.scopes)))`

/** Whether this live token administers the instance, and no other live one does. */
async function isLastAdministrator(tx: Tx, id: string): Promise<boolean> {
  const rows = await seeTables<TokenTables>(tx)
    .selectFrom('api_token')
    .select('id')
    .where('revoked_at', 'is', null)
    .where(isNotExpired)
    .where(administersInstance)
    .limit(2)
    .execute()
  return rows.length === 1 && rows[0]?.id === id
}

/**
 * Makes `token` the one live bootstrap token; a former one of another value is revoked. Nothing
 * changes when it is the same: null then, else its id.
 */
export async function replaceBootstrapToken(db: Db, token: NewToken): Promise<string | null> {
  return await inTransaction(db, async (tx) => {
    const tables = seeTables<TokenTables>(tx)
    const found = await tables
      .selectFrom('api_token')
      .select(['id', 'token_hash', 'is_bootstrap', 'revoked_at', 'scopes'])
      .where((eb) => eb.or([eb('is_bootstrap', '=', true), eb('token_hash', '=', token.tokenHash)]))
      .execute()
    const live = found.filter((row) => row.is_bootstrap && row.revoked_at === null)
    const same = found.find((row) => row.token_hash.equals(token.tokenHash))
    const others = live.filter((row) => row !== same)
    const isThere = same !== undefined && live.includes(same)
    const hasScopes = token.scopes.every((scope) => same?.scopes.includes(scope))
    if (isThere && hasScopes && others.length === 0) return null
    const serial = await raiseTokenSerial(tx)
    for (const row of others) {
      await tables
        .updateTable('api_token')
        .set({ revoked_at: sql<Date>`now()`, changed_serial: serial })
        .where('id', '=', row.id)
        .execute()
    }
    if (same === undefined) await insertRow(tx, token, serial)
    else {
      await tables
        .updateTable('api_token')
        .set({
          revoked_at: null,
          is_bootstrap: true,
          scopes: [...token.scopes],
          expires_at: null,
          changed_serial: serial,
        })
        .where('id', '=', same.id)
        .execute()
    }
    return same?.id ?? token.id
  })
}

/** Whether there is a token, revoked or not; without one a start makes the first and prints it. */
export async function hasAnyToken(db: Db): Promise<boolean> {
  const row = await seeTables<TokenTables>(db)
    .selectFrom('api_token')
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Notes when tokens were last used; called in batches, since a write on every request would cost
 * more than the request.
 */
export async function noteTokensUsed(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  const ids = [...uses.keys()]
  const times = [...uses.values()]
  await sql`
    update api_token set last_used_at = used.at
    from unnest(${ids}::text[], ${times}::timestamptz[]) as used (id, at)
    where api_token.id = used.id and (last_used_at is null or last_used_at < used.at)`.execute(db)
}

async function insertRow(
  tx: Tx,
  token: NewToken,
  serial: number,
): Promise<TokenTables['api_token']> {
  return await seeTables<TokenTables>(tx)
    .insertInto('api_token')
    .values({
      id: token.id,
      token_hash: token.tokenHash,
      name: token.name,
      tenant_id: token.tenantId,
      scopes: [...token.scopes],
      contact_email: token.contactEmail,
      is_bootstrap: token.isBootstrap,
      created_at: sql<Date>`now()`,
      expires_at: token.expiresAt,
      revoked_at: null,
      last_used_at: null,
      changed_serial: serial,
      roles: [...(token.roles ?? [])],
      networks:
        token.networks === undefined || token.networks === null ? null : [...token.networks],
      owner_user_id: token.owner?.kind === 'user' ? token.owner.id : null,
      service_account_id: token.owner?.kind === 'service_account' ? token.owner.id : null,
      former_hash: null,
      former_until: null,
      rotated_at: null,
      is_personal: token.isPersonal ?? false,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * The serial of the change that this transaction is about to make; no other change gets one before
 * it ends.
 */
export async function raiseTokenSerial(tx: Tx): Promise<number> {
  const row = await seeTables<TokenTables>(tx)
    .updateTable('api_token_serial')
    .set((eb) => ({ serial: eb('serial', '+', 1) }))
    .returning('serial')
    .executeTakeFirstOrThrow()
  return row.serial
}

function presentHashedRow(row: TokenTables['api_token']): HashedToken {
  return { ...presentRow(row), tokenHash: row.token_hash, formerHash: row.former_hash }
}

function presentRow(row: TokenTables['api_token']): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    tenantId: row.tenant_id,
    // A scope that a newer program wrote is unknown here and grants nothing.
    scopes: row.scopes.filter(isScope),
    roles: row.roles,
    networks: row.networks,
    owner: readOwner(row),
    contactEmail: row.contact_email,
    isBootstrap: row.is_bootstrap,
    isPersonal: row.is_personal,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    rotatedAt: row.rotated_at,
    formerUntil: row.former_until,
  }
}

function readOwner(row: TokenTables['api_token']): CallerOwner | null {
  if (row.owner_user_id !== null) return { kind: 'user', id: row.owner_user_id }
  if (row.service_account_id === null) return null
  return { kind: 'service_account', id: row.service_account_id }
}
