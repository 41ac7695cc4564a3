// SQL of mails about accounts that wait for the relay.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { foldEmail } from '../../values/email.ts'
import type { MailLanguage } from '../../vocabulary/mail-language.ts'

export interface AccountMail {
  readonly id: string
  readonly kind: 'invitation' | 'reset'
  /** Null for an address without an account: there is nothing to send. */
  readonly userId: string | null
  /** The tenant of an invitation, else null. */
  readonly invitedTo: string | null
  readonly language: MailLanguage
}

export interface DueMail extends AccountMail {
  readonly createdAt: Date
  /** This one included. */
  readonly attempts: number
}

export async function insertAccountMail(tx: Tx, mail: AccountMail, now: Date): Promise<void> {
  const { id, kind, userId, invitedTo, language } = mail
  await sql`insert into account_mail (id, kind, user_id, invited_to, language, created_at, due_at)
    values (${id}, ${kind}, ${userId}, ${invitedTo}, ${language}, ${now}, ${now})`.execute(tx)
}

/**
 * Takes mails that are due, for `leaseSeconds`: a sender that is killed leaves them to the next.
 */
export async function claimAccountMails(
  db: Db,
  { now, count, leaseSeconds }: { now: Date; count: number; leaseSeconds: number },
): Promise<readonly DueMail[]> {
  const { rows } = await sql<DueMail>`
    update account_mail as mail set attempts = attempts + 1,
      due_at = ${now}::timestamptz + ${leaseSeconds} * interval '1 s'
    where id in (
      select id from account_mail where due_at <= ${now}::timestamptz
      order by due_at limit ${count} for update skip locked)
    returning id, kind, user_id as "userId", invited_to as "invitedTo", language,
      created_at as "createdAt", attempts`.execute(db)
  return rows
}

export async function delayAccountMail(db: Db, id: string, dueAt: Date): Promise<void> {
  await sql`update account_mail set due_at = ${dueAt} where id = ${id}`.execute(db)
}

export async function deleteAccountMail(db: Db, id: string): Promise<void> {
  await sql`delete from account_mail where id = ${id}`.execute(db)
}

/** The account of a forgotten password; null for none, a disabled one, or an invited one. */
export async function findAccountOf(db: Db, email: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from user_account where email_key = ${foldEmail(email)}
      and disabled_at is null and exists (
        select from tenant_user where user_id = user_account.id and accepted_at is not null)`.execute(
    db,
  )
  return rows[0]?.id ?? null
}
