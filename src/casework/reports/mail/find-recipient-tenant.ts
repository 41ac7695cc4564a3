// From the recipient of a mail to the tenant whose report it is.

import { domainToASCII } from 'node:url'
import type { Db } from '../../../kernel/db/database.ts'
import { DEFAULT_TENANT_ID } from '../../../vocabulary/caller.ts'
import { findAddressOwner } from './report-address-store.ts'

/**
 * Null when nobody here takes mail for this address. While no address is given to a tenant, the
 * tenant `default` takes them all.
 */
export async function findRecipientTenant(db: Db, recipient: string): Promise<string | null> {
  const address = normalizeRecipient(recipient)
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
 * One spelling for each address: lower case, the domain in A-labels. Mailboxes that differ by case
 * only are one (RFC 5321 section 2.4 leaves it to us).
 */
export function normalizeRecipient(recipient: string): string {
  const at = recipient.lastIndexOf('@')
  if (at < 0) return recipient.toLowerCase()
  const domain = recipient.slice(at + 1)
  // An address literal, and what is no domain name, has no other spelling.
  return `${recipient.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase()
}
