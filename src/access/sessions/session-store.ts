// SQL of sessions. Every change raises the serial of the tokens in its own transaction, so that
// nodes see it within a second.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { raiseTokenSerial } from '../api-token-store.ts'

/** A session with what its caller is made of. */
export interface SessionRecord {
  readonly id: string
  readonly secretHash: Buffer
  readonly userId: string
  readonly tenantId: string
  readonly methods: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly address: string | null
  readonly userAgent: string | null
  readonly name: string
  readonly email: string
  /** In the tenant that the session acts in. */
  readonly roles: readonly string[]
  /** False once it was ended, its user disabled or taken out of the tenant. */
  readonly isLive: boolean
  /** When the person last proved who they are; null for sessions of older versions. */
  readonly provenAt: Date | null
  /** The person has to set up a second factor, and may do nothing else before. */
  readonly mustEnrol: boolean
}

/** The roles that count: none while the person must set up a second factor. */
export function readRoles({ mustEnrol, roles }: SessionRecord): readonly string[] {
  return mustEnrol ? [] : roles
}

const SESSIONS = sql`
  select s.id, s.secret_hash as "secretHash", s.user_id as "userId", s.tenant_id as "tenantId", s.methods,
    s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt",
    s.address, s.user_agent as "userAgent", u.name, u.email, coalesce(m.roles, '{}') as roles,
    s.ended_at is null and u.disabled_at is null and m.accepted_at is not null as "isLive",
    s.proven_at as "provenAt", s.must_enrol as "mustEnrol"
  from user_session s join user_account u on u.id = s.user_id
  left join tenant_user m on m.tenant_id = s.tenant_id and m.user_id = s.user_id`

// Some 700 bytes each in memory; a person has 50 at the most.
const HELD_SESSIONS_MAX = 200_000

/** Every session that has neither been ended nor reached its absolute limit. */
export async function listLiveSessions(db: Db): Promise<readonly SessionRecord[]> {
  const { rows } = await sql<SessionRecord>`${SESSIONS}
    -- A day for nodes whose clock is behind the database's.
    where s.ended_at is null and s.expires_at > now() - interval '1 day'
    order by s.created_at desc limit ${HELD_SESSIONS_MAX}`.execute(db)
  return rows
}

/** Every session that changed after that serial, ended ones included. */
export async function listSessionsChangedSince(
  db: Db,
  serial: number,
): Promise<readonly SessionRecord[]> {
  const { rows } = await sql<SessionRecord>`${SESSIONS}
    where s.changed_serial > ${serial} limit ${HELD_SESSIONS_MAX}`.execute(db)
  return rows
}

/** As the database knows it now: another node may have noted a later use. */
export async function findSessionBySecret(
  db: Db,
  secretHash: Buffer,
): Promise<SessionRecord | null> {
  const { rows } = await sql<SessionRecord>`${SESSIONS}
    where s.secret_hash = ${secretHash}`.execute(db)
  return rows[0] ?? null
}

/** A session of the user, live or not, or null. */
export async function findSessionOfUser(
  db: Db,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<SessionRecord | null> {
  const { rows } = await sql<SessionRecord>`${SESSIONS}
    where s.id = ${id} and s.user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

// Several browsers, and some forgotten ones; the oldest is ended for a new one past it.
const SESSIONS_OF_USER_MAX = 50

/** The live sessions of a user, the newest first. */
export async function listSessionsOfUser(
  db: Db,
  userId: string,
  { now, idleMs }: { readonly now: Date; readonly idleMs: number },
): Promise<readonly SessionRecord[]> {
  const { rows } = await sql<SessionRecord>`${SESSIONS}
    where s.user_id = ${userId} and s.ended_at is null and s.expires_at > ${now}
      and s.last_used_at > ${new Date(now.getTime() - idleMs)}
    order by s.created_at desc, s.id desc limit ${SESSIONS_OF_USER_MAX}`.execute(db)
  return rows
}

export interface NewSession {
  readonly id: string
  readonly secretHash: Buffer
  readonly userId: string
  readonly tenantId: string
  readonly methods: readonly string[]
  readonly at: Date
  readonly expiresAt: Date
  readonly address: string | null
  readonly userAgent: string | null
  readonly mustEnrol: boolean
}

/** Stores it, ends the oldest ones past the bound, and forgets those that ended a month ago. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const serial = await raiseTokenSerial(tx)
  const { userId, at } = session
  await sql`delete from user_session where user_id = ${userId}
    and least(ended_at, expires_at) < ${at}::timestamptz - interval '30 days'`.execute(tx)
  await sql`update user_session set ended_at = ${at}, changed_serial = ${serial}
    where id in (select id from user_session where user_id = ${userId} and ended_at is null
      order by created_at desc offset ${SESSIONS_OF_USER_MAX - 1})`.execute(tx)
  await sql`insert into user_session
    (id, secret_hash, user_id, tenant_id, methods, created_at, last_used_at, expires_at, address, user_agent, changed_serial,
      proven_at, must_enrol)
    values (${session.id}, ${session.secretHash}, ${userId}, ${session.tenantId}, ${[...session.methods]},
      ${session.at}, ${session.at}, ${session.expiresAt}, ${session.address}, ${session.userAgent}, ${serial},
      ${session.at}, ${session.mustEnrol})`.execute(tx)
}

/** Which sessions to end: one of a user, those in a tenant, or all. */
export interface SessionChoice {
  readonly userId: string
  readonly id?: string | undefined
  /** Those that act in this tenant alone; null or left out for all. */
  readonly tenantId?: string | null
}

/** The ids of those that were live and are ended now. */
export async function endSessions(
  tx: Tx,
  { userId, id, tenantId = null }: SessionChoice,
): Promise<readonly string[]> {
  const serial = await raiseTokenSerial(tx)
  const { rows } = await sql<{ id: string }>`
    update user_session set ended_at = now(), changed_serial = ${serial}
    where user_id = ${userId} and ended_at is null
      and (${id ?? null}::text is null or id = ${id ?? null})
      and (${tenantId}::text is null or tenant_id = ${tenantId})
    returning id`.execute(tx)
  return rows.map((row) => row.id)
}

/** All but this one: it has a second factor now, and whoever knew the password alone is out. */
export async function endOtherSessions(
  tx: Tx,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<void> {
  const serial = await raiseTokenSerial(tx)
  await sql`update user_session set ended_at = now(), changed_serial = ${serial}
    where user_id = ${userId} and id <> ${id} and ended_at is null`.execute(tx)
}

/** Ends all of them, and forgets where they came from. */
export async function forgetSessions(tx: Tx, userId: string): Promise<void> {
  await endSessions(tx, { userId })
  await sql`update user_session set address = null, user_agent = null
    where user_id = ${userId}`.execute(tx)
}

/** From now on it acts in that tenant. */
export async function moveSession(
  tx: Tx,
  id: string,
  { tenantId, mustEnrol }: Pick<SessionRecord, 'tenantId' | 'mustEnrol'>,
): Promise<void> {
  const serial = await raiseTokenSerial(tx)
  await sql`update user_session set tenant_id = ${tenantId}, must_enrol = ${mustEnrol},
    changed_serial = ${serial} where id = ${id}`.execute(tx)
}

/**
 * After the tenant began or ceased to require a second factor: with `mustEnrol` its open sessions
 * of people without one can do nothing more, without it they can do again what their people may.
 * Sessions by a provider stay as they are.
 */
export async function holdSessionsOfTenant(
  tx: Tx,
  { tenantId, mustEnrol }: Pick<SessionRecord, 'tenantId' | 'mustEnrol'>,
): Promise<void> {
  const serial = await raiseTokenSerial(tx)
  await sql`update user_session s set must_enrol = ${mustEnrol}, changed_serial = ${serial}
    where s.tenant_id = ${tenantId} and s.ended_at is null and s.must_enrol <> ${mustEnrol}
      and not 'provider' = any (s.methods)
      and not exists (select from user_totp o
        where o.user_id = s.user_id and o.confirmed_at is not null)
      and not exists (select from user_passkey k where k.user_id = s.user_id)`.execute(tx)
}

/** The person has proved again who they are. */
export async function noteProof(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`update user_session set proven_at = ${at} where id = ${id}`.execute(tx)
}

/** A second factor is set up: the session may do what its person may, and was proved by it. */
export async function releaseSession(
  tx: Tx,
  id: string,
  { method, at }: { readonly method: string; readonly at: Date },
): Promise<void> {
  const serial = await raiseTokenSerial(tx)
  await sql`update user_session set must_enrol = false, changed_serial = ${serial}, proven_at = ${at},
      methods = case when ${method}::text = any (methods) then methods else methods || ${method}::text end
    where id = ${id}`.execute(tx)
}

/** Every node reads the sessions of the user anew: what the user may do has changed. */
export async function touchSessionsOfUser(tx: Tx, userId: string): Promise<void> {
  const serial = await raiseTokenSerial(tx)
  await sql`update user_session set changed_serial = ${serial}
    where user_id = ${userId} and ended_at is null`.execute(tx)
}

/** Called in batches, as for tokens. */
export async function noteSessionsUsed(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  await sql`
    update user_session s set last_used_at = used.at
    from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as used (id, at)
    where s.id = used.id and s.last_used_at < used.at`.execute(db)
}
