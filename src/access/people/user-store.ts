// SQL of people, the tenants they work for, and their roles there.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { foldEmail } from '../../values/email.ts'
import { ADMINISTRATOR_ROLES } from './user-roles.ts'

export interface Membership {
  readonly tenantId: string
  readonly roles: readonly string[]
  /** False while the invitation waits. */
  readonly isAccepted: boolean
  readonly invitedName: string
}

export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isDisabled: boolean
  readonly hasPassword: boolean
  readonly createdAt: Date
  readonly lastSignInAt: Date | null
  /** By tenant id. */
  readonly memberships: readonly Membership[]
}

const MEMBERSHIPS = sql`
  select jsonb_agg(jsonb_build_object('tenantId', tenant_id, 'roles', roles,
    'isAccepted', accepted_at is not null, 'invitedName', invited_name) order by tenant_id)
  from tenant_user where user_id = u.id`

/** `from` is the statement from its tables on; it calls the account `u`. */
const selectUsers = (from: RawBuilder<unknown>) => sql<UserRecord>`
  select u.id, u.email, u.name, u.disabled_at is not null as "isDisabled",
    u.password_hash is not null as "hasPassword", u.created_at as "createdAt",
    u.last_sign_in_at as "lastSignInAt", coalesce((${MEMBERSHIPS}), '[]') as memberships
  from ${from}`

/** True of the user `u` for a tenant that they work for, and for null, which is every tenant. */
const worksFor = (tenantId: string | null): RawBuilder<unknown> => sql`
  (${tenantId}::text is null or exists (
    select from tenant_user m where m.tenant_id = ${tenantId} and m.user_id = u.id))`

/**
 * With a tenant: null for a user of other tenants alone, whose search takes no longer than that for
 * one who does not exist.
 */
export async function findUser(
  db: Db,
  id: string,
  tenantId: string | null = null,
): Promise<UserRecord | null> {
  const { rows } = await selectUsers(
    sql`user_account u where u.id = ${id} and ${worksFor(tenantId)}`,
  ).execute(db)
  return rows[0] ?? null
}

/** The same, and no other transaction changes the user before this one ends. */
export async function lockUser(
  tx: Tx,
  id: string,
  tenantId: string | null = null,
): Promise<UserRecord | null> {
  await sql`select u.id from user_account u where u.id = ${id} and ${worksFor(tenantId)}
    for no key update of u`.execute(tx)
  return await findUser(tx, id, tenantId)
}

export interface UserPageRequest {
  /** Null for the users of all tenants. */
  readonly tenantId: string | null
  /** Creation time as ISO 8601 and id of the last user of the page before. */
  readonly after: readonly string[] | null
  readonly limit: number
}

/** Users, the newest first. */
export async function listUsers(
  db: Db,
  { tenantId, after, limit }: UserPageRequest,
): Promise<readonly UserRecord[]> {
  const [createdAt = null, id = null] = after ?? []
  const { rows } = await selectUsers(sql`user_account u
    where ${worksFor(tenantId)} and (${id}::text is null or (u.created_at, u.id) < (${createdAt}::timestamptz, ${id}::text))
    order by u.created_at desc, u.id desc limit ${limit}`).execute(db)
  return rows
}

export interface SignInUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
  readonly isDisabled: boolean
  readonly isKnownDevice: boolean
}

/** For sign-in; one query whatever there is, so that its time tells little. */
export async function findSignInUser(
  db: Db,
  email: string,
  deviceHash: Buffer | null,
  now: Date,
): Promise<SignInUser | null> {
  const { rows } = await sql<SignInUser>`
    select u.id, u.email, u.name, u.password_hash as "passwordHash",
      u.disabled_at is not null as "isDisabled",
      exists (select from known_device d where d.user_id = u.id
        and d.secret_hash = ${deviceHash} and d.expires_at > ${now}) as "isKnownDevice"
    from user_account u where u.email_key = ${foldEmail(email)}`.execute(db)
  return rows[0] ?? null
}

/**
 * Of these addresses, those by which a user of the tenant signs in or was invited; as they were
 * given. Users of other tenants alone are not told.
 */
export async function findAddressesOfUsers(
  db: Db,
  tenantId: string,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const keys = [...new Set(addresses.map(foldEmail))]
  const { rows } = await sql<{ key: string }>`
    select u.email_key as key from tenant_user m join user_account u on u.id = m.user_id
    where m.tenant_id = ${tenantId} and u.email_key = any(${keys}::text[])`.execute(db)
  const taken = new Set(rows.map(({ key }) => key))
  return addresses.filter((address) => taken.has(foldEmail(address)))
}

/** Whether anybody can sign in, or was invited to. The people of the demo never can. */
export async function hasAnyUser(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from tenant_user m join tenant t on t.id = m.tenant_id
    where not t.is_demo limit 1`.execute(db)
  return rows.length > 0
}

/** The id of the account of that address, which is made when there is none. */
export async function ensureUser(
  tx: Tx,
  user: { readonly id: string; readonly email: string; readonly name: string },
): Promise<string> {
  const key = foldEmail(user.email)
  await sql`insert into user_account (id, email, email_key, name)
    values (${user.id}, ${user.email.trim()}, ${key}, ${user.name})
    on conflict (email_key) do nothing`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select id from user_account where email_key = ${key}`.execute(tx)
  return rows[0]?.id ?? user.id
}

/** False when the user is in the tenant already. */
export async function insertMembership(
  tx: Tx,
  userId: string,
  membership: Membership,
): Promise<boolean> {
  const { tenantId, roles, isAccepted, invitedName } = membership
  const made =
    await sql`insert into tenant_user (tenant_id, user_id, invited_name, roles, accepted_at)
    values (${tenantId}, ${userId}, ${invitedName}, ${[...roles]}, ${isAccepted ? sql`now()` : null})
    on conflict (tenant_id, user_id) do nothing`.execute(tx)
  return made.numAffectedRows === 1n
}

export async function acceptMembership(tx: Tx, userId: string, tenantId: string): Promise<void> {
  await sql`update tenant_user set accepted_at = now()
    where tenant_id = ${tenantId} and user_id = ${userId} and accepted_at is null`.execute(tx)
}

export async function updateRoles(
  tx: Tx,
  userId: string,
  tenantId: string,
  roles: readonly string[],
): Promise<void> {
  await sql`update tenant_user set roles = ${[...roles]}
    where tenant_id = ${tenantId} and user_id = ${userId}`.execute(tx)
}

/** The users of a tenant who have this role, invited ones included. */
export async function countUsersOfRole(tx: Tx, tenantId: string, role: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from tenant_user
    where tenant_id = ${tenantId} and ${role} = any (roles)`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function deleteMembership(tx: Tx, userId: string, tenantId: string): Promise<void> {
  await sql`delete from tenant_user where tenant_id = ${tenantId} and user_id = ${userId}`.execute(
    tx,
  )
}

/**
 * Forgets who the person is when they work for no tenant any more. The id stays, because the
 * history of cases has it; the address is free for a new account. True when it did.
 */
export async function forgetPerson(tx: Tx, userId: string): Promise<boolean> {
  const forgotten =
    await sql`update user_account set email = '', email_key = id, name = 'former user',
      password_hash = null, disabled_at = coalesce(disabled_at, clock.at), last_sign_in_at = null
    from (select now() as at) as clock
    where id = ${userId} and not exists (select 1 from tenant_user where user_id = ${userId})`.execute(
      tx,
    )
  if (forgotten.numAffectedRows !== 1n) return false
  await sql`delete from sign_in_link where user_id = ${userId}`.execute(tx)
  await sql`delete from account_mail where user_id = ${userId}`.execute(tx)
  await sql`delete from known_device where user_id = ${userId}`.execute(tx)
  await sql`delete from user_identity where user_id = ${userId}`.execute(tx)
  return true
}

/** Undefined leaves a member as it is. */
export interface UserPatch {
  readonly name?: string | undefined
  readonly isDisabled?: boolean | undefined
}

export async function updateUser(tx: Tx, id: string, patch: UserPatch): Promise<void> {
  const { name = null, isDisabled = null } = patch
  await sql`update user_account set name = coalesce(${name}, name),
      disabled_at = case when ${isDisabled}::boolean then coalesce(disabled_at, clock.at)
        when not ${isDisabled}::boolean then null else disabled_at end
    from (select now() as at) as clock
    where id = ${id}`.execute(tx)
}

export async function setPassword(
  tx: Tx,
  id: string,
  { passwordHash, name = null }: { readonly passwordHash: string; readonly name?: string | null },
): Promise<void> {
  await sql`update user_account set password_hash = ${passwordHash}, name = coalesce(${name}, name)
    where id = ${id}`.execute(tx)
}

/** Only while it is still the one that was verified: a new password must not be undone. */
export async function replacePasswordHash(
  db: Db,
  id: string,
  before: string,
  after: string,
): Promise<void> {
  await sql`update user_account set password_hash = ${after}
    where id = ${id} and password_hash = ${before}`.execute(db)
}

export async function noteSignIn(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`update user_account set last_sign_in_at = ${at} where id = ${id}`.execute(tx)
}

const administersInstance = sql`(m.roles && ${[...ADMINISTRATOR_ROLES]} or exists (
  select from role r where r.tenant_id = m.tenant_id and r.name = any (m.roles)
    and 'instance:admin' = any (r.scopes)))`

/**
 * Whether somebody can still administer the instance. Asked at the end of a change, when the row of
 * the serial is locked: so two administrators cannot demote each other at once.
 */
export async function hasAdministrator(tx: Tx): Promise<boolean> {
  const { rows } = await sql`select 1 from tenant_user m join user_account u on u.id = m.user_id
    where m.accepted_at is not null and u.disabled_at is null and ${administersInstance}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** A browser from which the user has signed in, for some months from its last sign-in on. */
export async function noteDevice(
  tx: Tx,
  userId: string,
  secretHash: Buffer,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await sql`delete from known_device where user_id = ${userId} and expires_at < ${now}`.execute(tx)
  await sql`insert into known_device (user_id, secret_hash, expires_at)
    values (${userId}, ${secretHash}, ${expiresAt})
    on conflict (user_id, secret_hash) do update set expires_at = excluded.expires_at`.execute(tx)
}

/** After a new password: who knows the former one has no head start. */
export async function forgetDevices(tx: Tx, userId: string): Promise<void> {
  await sql`delete from known_device where user_id = ${userId}`.execute(tx)
}
