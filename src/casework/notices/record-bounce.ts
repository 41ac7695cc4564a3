// Records that a notice came back, or that its recipient complained of it: the notice, the history
// of its case, the contact of the customer, and the list of addresses that get no mail. In the
// transaction that stores the mail, after its case was locked.

import type { Db, Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { changeCase } from '../cases/case-change-store.ts'
import { addHistory, type ChangeOrigin, pickOrigin } from '../cases/case-history-store.ts'
import { lockRows } from '../cases/case-locks.ts'
import { isOpenState } from '../cases/case-state.ts'
import type { CaseRow, CustomerStatus } from '../cases/case-tables.ts'
import {
  CUSTOMER_TABLE,
  findOwner,
  lockOwners,
  type OwnerContact,
  updateOwners,
} from '../owners/owner-store.ts'
import { endDigestItems, listDigestItems } from './digest-store.ts'
import { countBounces, markBounced, type RepliedNotice } from './notice-reply-store.ts'
import { addSuppression } from './suppression-store.ts'

// The address itself is wrong or closed (RFC 3463): another attempt never gets through.
const DEAD_ADDRESS = /^5\.(?:1\.\d+|2\.1|4\.4)$/
// Other permanent failures may be about the mail, so they count.
const HARD_BOUNCES_MAX = 3
const HARD_BOUNCE_DAYS = 30
// As many as a chain of resellers may have.
const PARENTS_MAX = 16
// A bounce changes these; later states know more of the customer than a bounce does.
const BEFORE_BOUNCE: readonly CustomerStatus[] = ['unnotified', 'notified', 'seen']

/** The class of a status of RFC 3463: 5 is permanent. */
type BounceClass = 'hard_bounce' | 'soft_bounce'

function classifyBounce(status: string): BounceClass {
  return status.startsWith('5') ? 'hard_bounce' : 'soft_bounce'
}

export interface BounceRecord {
  readonly notice: RepliedNotice
  /** Of RFC 3463, such as `5.1.1`. */
  readonly status: string
  /** Locked; null for a notice without a case, or of a case that is gone. */
  readonly caseRow: CaseRow | null
  readonly origin: ChangeOrigin
}

export async function recordBounce(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { notice, status, caseRow, origin }: BounceRecord,
): Promise<void> {
  const reason = classifyBounce(status)
  const told = await listTold(tx, scope, notice, caseRow)
  const isNew = await markBounced(tx, scope, notice.id, reason)
  if (!isNew) return
  await endDigestItems(tx, scope, [notice.id])
  const entry = { ...pickOrigin(origin), kind: 'notice' as const }
  const entries = told.map(({ noticeId, row: { id: caseId } }) => {
    const digest = noticeId === notice.id ? {} : { digest_id: notice.id }
    const changes = { notice_id: noticeId, party: notice.party, state: 'bounced', reason, status }
    return { ...entry, caseId, changes: { ...changes, ...digest } }
  })
  await addHistory(tx, ids, scope, entries)
  const cases = new Map(told.map(({ row }) => [row.id, row]))
  for (const row of cases.values()) {
    // A digest tells of a few cases.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await changeBouncedCase(tx, ids, scope, notice, row, origin)
  }
  if (reason === 'soft_bounce') return
  const count = await countBounces(tx, scope, notice.recipient, HARD_BOUNCE_DAYS)
  if (!DEAD_ADDRESS.test(status) && count < HARD_BOUNCES_MAX) return
  await addSuppression(
    tx,
    scope,
    {
      address: notice.recipient,
      cause: 'bounce',
      note: `A notice came back with the status ${status}.`,
      createdBy: origin.actor.id,
    },
    notice.id,
  )
  if (notice.customerId !== null) await markContact(tx, scope, notice.customerId, notice.recipient)
}

interface Told {
  readonly noticeId: string
  readonly row: CaseRow
}

/** The case of the notice, or those of the notices that a digest took up, locked. */
async function listTold(
  tx: Tx,
  scope: TenantScope,
  { id, caseId }: RepliedNotice,
  caseRow: CaseRow | null,
): Promise<readonly Told[]> {
  if (caseRow !== null) return [{ noticeId: id, row: caseRow }]
  if (caseId !== null) return []
  const items = await listDigestItems(tx, scope, [id])
  const rows = await lockRows(
    tx,
    scope,
    items.map((item) => item.caseId),
  )
  return items.flatMap((item) => {
    const row = rows.get(item.caseId)
    return row === undefined ? [] : [{ noticeId: item.id, row }]
  })
}

async function changeBouncedCase(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { party }: RepliedNotice,
  row: CaseRow,
  origin: ChangeOrigin,
): Promise<void> {
  if (row.close_reason === 'merged') return
  // Nobody answers a notice that did not arrive.
  const isWaiting = isOpenState(row.state) && row.waiting_on === party
  const isBounced = party === 'customer' && BEFORE_BOUNCE.includes(row.customer_status)
  await changeCase(tx, ids, scope, {
    ...origin,
    caseId: row.id,
    expectedVersion: null,
    patch: {
      ...(isWaiting ? { waitingOn: 'agent' as const } : {}),
      ...(isBounced ? { customerStatus: 'bounced' as const } : {}),
    },
  })
}

/** The contact stands with the customer, or with one of its resellers. */
async function markContact(
  tx: Tx,
  scope: TenantScope,
  customerId: string,
  address: string,
): Promise<void> {
  for (const id of await listCustomerChain(tx, scope, customerId)) {
    // One customer after the other, as many as have the address.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const [row] = await lockOwners(tx, scope, CUSTOMER_TABLE, [id])
    const contacts = row?.contacts ?? []
    if (row === undefined || !contacts.some((one) => isBouncing(one, address))) continue
    const changed = contacts.map((one) =>
      isBouncing(one, address) ? { ...one, state: 'bounced' as const } : one,
    )
    // oxlint-disable-next-line eslint/no-await-in-loop
    await updateOwners(tx, scope, CUSTOMER_TABLE, [{ ...row, contacts: changed }])
  }
}

function isBouncing({ email, state }: OwnerContact, address: string): boolean {
  return state === 'active' && email.toLowerCase() === address.toLowerCase()
}

async function listCustomerChain(
  db: Db,
  scope: TenantScope,
  customerId: string,
): Promise<readonly string[]> {
  const chain: string[] = []
  let id: string | null = customerId
  while (id !== null && chain.length <= PARENTS_MAX && !chain.includes(id)) {
    chain.push(id)
    // oxlint-disable-next-line eslint/no-await-in-loop
    const row = await findOwner(db, scope, CUSTOMER_TABLE, id)
    id = row?.parent_customer_id ?? null
  }
  return chain
}

/** Whether the address is one of the customer's contacts, or of its resellers'. */
export async function isContactOf(
  db: Db,
  scope: TenantScope,
  customerId: string,
  address: string,
): Promise<boolean> {
  for (const id of await listCustomerChain(db, scope, customerId)) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const row = await findOwner(db, scope, CUSTOMER_TABLE, id)
    const isOne = (row?.contacts ?? []).some(
      ({ email, state }) => state !== 'disabled' && email.toLowerCase() === address.toLowerCase(),
    )
    if (isOne) return true
  }
  return false
}

/** The recipient told his provider that our mail is unwanted (RFC 5965). */
export async function recordComplaint(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { notice, caseRow, origin }: Omit<BounceRecord, 'status'>,
): Promise<void> {
  await addSuppression(
    tx,
    scope,
    {
      address: notice.recipient,
      cause: 'complaint',
      note: 'The recipient reported a notice as unwanted mail.',
      createdBy: origin.actor.id,
    },
    notice.id,
  )
  if (caseRow === null) return
  const changes = { notice_id: notice.id, party: notice.party, complaint: true }
  const entry = { ...pickOrigin(origin), caseId: caseRow.id, kind: 'notice' as const }
  await addHistory(tx, ids, scope, [{ ...entry, changes }])
}
