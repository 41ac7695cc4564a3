// What the reader of a report may know beside its bytes: the mailboxes of the tenant, its own
// networks and those of its customers. Bounded, since each report is handed all of it.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { ReportContext, ReportMailbox } from '../../reader/reading.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { normalizeRecipient } from './mail/find-recipient-tenant.ts'

export interface ReportContextDeps {
  readonly db: Db
  /** The operator's own ranges, the widest first; none when left out. */
  readonly listOwnNetworks?: () => readonly string[]
}

/** A report as far as its reader is told of it. */
export interface ArrivedReport extends Omit<ReportContext, 'receivedAtMs'> {
  readonly bytes: Uint8Array
  readonly receivedAt: Date
}

// A JSON object is no mail, and says itself whom it is about.
const BRACE = 0x7b

// Of each kind; the widest ranges first, which hold the most.
const NETWORKS_MAX = 500
const MAILBOXES_MAX = 500

/** Rejects when the database does not answer. */
export async function loadReportContext(
  { db, listOwnNetworks = () => [] }: ReportContextDeps,
  scope: TenantScope,
  { bytes, receivedAt, envelopeTo = [], ...report }: ArrivedReport,
): Promise<ReportContext> {
  const receivedAtMs = receivedAt.getTime()
  if (bytes[0] === BRACE) return { ...report, receivedAtMs }
  const mailboxes = await listMailboxes(db, scope, envelopeTo)
  const ofCustomers = await listCustomerNetworks(db, scope, receivedAt)
  const ownNetworks = [...listOwnNetworks().slice(0, NETWORKS_MAX), ...ofCustomers]
  return { ...report, receivedAtMs, envelopeTo, mailboxes, ownNetworks }
}

/** Mailboxes of the envelope first, then traps: both decide how a mail is read. */
async function listMailboxes(
  db: Db,
  scope: TenantScope,
  envelopeTo: readonly string[],
): Promise<readonly ReportMailbox[]> {
  const addresses = envelopeTo.map(normalizeRecipient)
  const entries = addresses.flatMap((one) => [one, `*${one.slice(one.lastIndexOf('@'))}`])
  const found = await sql<ReportMailbox>`
    select address, is_trap as "isTrap" from report_address where tenant_id = ${scope.tenantId}
    order by address = any(${entries}::text[]) desc, is_trap desc, address
    limit ${MAILBOXES_MAX}`.execute(db)
  return found.rows
}

/** Networks and domains. A resource of the past says nothing about a report of today. */
async function listCustomerNetworks(
  db: Db,
  scope: TenantScope,
  at: Date,
): Promise<readonly string[]> {
  const selectBlocks = (family: 4 | 6) => sql`
    (select block.network::text as network from resource_block as block
    join resource on resource.tenant_id = ${scope.tenantId} and resource.id = block.resource_id
    where block.tenant_id = ${scope.tenantId} and block.family = ${sql.lit(family)}
      and resource.valid_from <= ${at} and ${at} < resource.valid_until
    order by block.prefix_length, block.network limit ${NETWORKS_MAX})`
  const found = await sql<{ network: string }>`
    ${selectBlocks(4)} union all ${selectBlocks(6)} union all
    (select value from resource where tenant_id = ${scope.tenantId} and kind = 'domain'
      and valid_from <= ${at} and ${at} < valid_until
    order by value limit ${NETWORKS_MAX})`.execute(db)
  return found.rows.map(({ network }) => network)
}
