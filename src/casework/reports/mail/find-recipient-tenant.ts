// Finds the tenant that the recipient address of a mail belongs to.

import { domainToASCII } from 'node:url'
import type { Db } from '../../../kernel/db/database.ts'
import { DEFAULT_TENANT_ID } from '../../../vocabulary/caller.ts'
import type { NoticeReplies } from '../process-report.ts'
import { findAddressOwner } from './report-address-store.ts'

/**
 * The address of a notice belongs to the tenant of the notice. Null when the address belongs to no
 * tenant. While no address at all is registered, every address belongs to the tenant `default`.
 */
export async function findRecipientTenant(
  db: Db,
  recipient: string,
  replies?: NoticeReplies,
): Promise<string | null> {
  const ofNotice = (await replies?.findTenant(recipient)) ?? null
  const address = normalizeRecipient(recipient)
  // An address with the key of no notice counts as the address without the key.
  const withoutKey = address.replace(/\+[0-9a-f]{32}@/, '@')
  return (
    ofNotice ?? (await findAddressTenant(db, address)) ?? (await findAddressTenant(db, withoutKey))
  )
}

async function findAddressTenant(db: Db, address: string): Promise<string | null> {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const owner = await findAddressOwner(db, address, `*@${domain}`)
  switch (owner.kind) {
    case 'tenant':
      return owner.tenantId
    case 'open':
      return DEFAULT_TENANT_ID
    case 'unknown':
      return null
  }
}

/**
 * One spelling for each address: lower case, the domain in A-labels. Addresses that differ by case
 * only are the same mailbox (RFC 5321 section 2.4 leaves it to the receiver).
 */
export function normalizeRecipient(recipient: string): string {
  const at = recipient.lastIndexOf('@')
  if (at < 0) return recipient.toLowerCase()
  const domain = recipient.slice(at + 1)
  // An address literal or an invalid domain name is kept as it is.
  return `${recipient.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase()
}
