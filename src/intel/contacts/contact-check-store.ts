// SQL of the tests of abuse contacts: the e-mail addresses to test, the time of the next test, and
// the results (design 4.4).

import { sql } from 'kysely'
import { type Db, inTransaction, seeTables } from '../../kernel/db/database.ts'
import type { ClassifiedCheck, ContactCheck, ContactStatus } from './verification/classify-check.ts'

/** The test result of an e-mail address that look-ups show. */
export interface ContactVerdict {
  readonly email: string
  readonly status: ContactStatus
  readonly lastVerification: Date | null
}

interface ContactCheckTable {
  email: string
  status: ContactStatus
  last_verification: Date | null
  failures: number
  recipient_status: 'OK' | 'RECIPIENT_FAILED' | null
  recipient_checked_at: Date | null
  next_check_at: Date
  shown_at: Date | null
  serial: number
}

interface ContactCheckTables {
  contact_check: ContactCheckTable
}

// Each node has the verdicts in memory, 150 bytes each.
const CHECKS_MAX = 200_000
const PAGE_ROWS = 1_000
const ADDED_ROWS = 20_000

/** Verdicts after check serial `after`, page by page, without addresses that were never tested. */
export async function* listVerdicts(
  db: Db,
  after: number,
): AsyncGenerator<readonly ContactVerdict[]> {
  let last = { serial: after, email: '\u{10ffff}' }
  // Ends with the first page that is not full; each begins after the one before.
  for (;;) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const rows = await seeTables<ContactCheckTables>(db)
      .selectFrom('contact_check')
      .select(['email', 'status', 'last_verification', 'serial'])
      .where(sql<boolean>`(serial, email) > (${last.serial}, ${last.email})`)
      .orderBy('serial')
      .orderBy('email')
      .limit(PAGE_ROWS)
      .execute()
    yield rows.map((row) => ({
      email: row.email,
      status: row.status,
      lastVerification: row.last_verification,
    }))
    last = rows.at(-1) ?? last
    if (rows.length < PAGE_ROWS) return
  }
}

/** Notes that look-ups showed these addresses; new ones are tested next. */
export async function noteShownContacts(
  db: Db,
  emails: readonly string[],
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs)
  await sql`
    insert into contact_check as present (email, next_check_at, shown_at)
    select shown.email, ${now}, ${now} from unnest(${[...emails].toSorted()}::text[]) as shown (email)
    where (select count(*) from contact_check) < ${CHECKS_MAX}
      or exists (select 1 from contact_check as known where known.email = shown.email)
    on conflict (email) do update set shown_at = excluded.shown_at`.execute(db)
}

/** Adds new imported addresses, up to the limit. */
export async function addImportedContacts(db: Db, nowMs: number): Promise<void> {
  // At most CHECKS_MAX / ADDED_ROWS rounds. One statement that reads and fills the same table would
  // search through every row that it has just added, which takes a minute for 100,000.
  for (;;) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { rows } = await sql<{ email: string }>`
      select email from (select email from contact_range union select email from contact_domain) as imported
      where not exists (select 1 from contact_check where contact_check.email = imported.email)
      order by email
      limit least(${ADDED_ROWS}, greatest(0, ${CHECKS_MAX} - (select count(*) from contact_check)))`.execute(
      db,
    )
    if (rows.length === 0) return
    const emails = rows.map(({ email }) => email)
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`
      insert into contact_check (email, next_check_at)
      select email, ${new Date(nowMs)} from unnest(${emails}::text[]) as email
      on conflict (email) do nothing`.execute(db)
  }
}

/** Removes addresses that are not imported and were not shown since this time. */
export async function forgetContacts(db: Db, shownSinceMs: number): Promise<void> {
  await sql`
    delete from contact_check
    where (shown_at is null or shown_at < ${new Date(shownSinceMs)})
      and not exists (select 1 from contact_range where contact_range.email = contact_check.email)
      and not exists (select 1 from contact_domain where contact_domain.email = contact_check.email)`.execute(
    db,
  )
}

/**
 * Leases up to `limit` due addresses, the longest due first. No other worker gets them before the
 * lease has expired.
 */
export async function claimDueChecks(
  db: Db,
  { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
): Promise<readonly ContactCheck[]> {
  const rows = await seeTables<ContactCheckTables>(db)
    .updateTable('contact_check')
    .set({ next_check_at: new Date(nowMs + leaseMs) })
    .where('email', 'in', (query) =>
      query
        .selectFrom('contact_check')
        .select('email')
        .where('next_check_at', '<=', new Date(nowMs))
        .orderBy('next_check_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
  return rows.map((row) => ({
    email: row.email,
    status: row.status,
    lastVerification: row.last_verification,
    failures: row.failures,
    recipientStatus: row.recipient_status,
    recipientCheckedAt: row.recipient_checked_at,
  }))
}

/** Stores the result of a test. Only a change that look-ups show raises the check serial. */
export async function saveCheck(
  db: Db,
  { check, nextCheckAtMs, isNews }: ClassifiedCheck,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The serial stays locked until the commit, so a reader of serial n sees every verdict up to n.
    const serial = isNews ? await raiseCheckSerial(tx) : null
    await seeTables<ContactCheckTables>(tx)
      .updateTable('contact_check')
      .set({
        status: check.status,
        last_verification: check.lastVerification,
        failures: check.failures,
        recipient_status: check.recipientStatus,
        recipient_checked_at: check.recipientCheckedAt,
        next_check_at: new Date(nextCheckAtMs),
        ...(serial === null ? {} : { serial }),
      })
      .where('email', '=', check.email)
      .execute()
  })
}

async function raiseCheckSerial(db: Db): Promise<number> {
  const { rows } = await sql<{ check_serial: number }>`
    update contact_serial set check_serial = check_serial + 1 returning check_serial`.execute(db)
  const raised = rows[0]
  if (raised === undefined) throw new Error('the row of contact_serial is missing')
  return raised.check_serial
}
