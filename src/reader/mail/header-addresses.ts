// Addresses in header fields, as they can be stored.

import { domainToASCII } from 'node:url'
import { addressParser } from 'postal-mime'
import { isEmailAddress } from '../../values/email.ts'
import { sourceOf } from '../words/compile-words.ts'
import type { Mail, MailAddress } from './mail.ts'
import { READING_LIMITS } from './reading-limits.ts'

const FIELDS_MAX = 20

/** The address of the first field of that name (lower case); empty when there is none. */
export function parseHeader(mail: Mail, name: string): readonly MailAddress[] {
  return listHeader(mail, name).slice(0, 1)
}

/**
 * One address for each field of that name (lower case), the topmost first. Values are decoded, and
 * a decoded name may hold what looks like an address: the last address of a field is the real one.
 */
export function listHeader(mail: Mail, name: string): readonly MailAddress[] {
  return parseFields(mail, name).flatMap((addresses) => addresses.slice(-1))
}

/**
 * Every address of the fields of that name, such as Cc. A decoded name that looks like an address
 * is among them.
 */
export function listHeaderAddresses(mail: Mail, name: string): readonly MailAddress[] {
  return parseFields(mail, name).flat().slice(0, READING_LIMITS.addressesMax)
}

function parseFields(mail: Mail, name: string): readonly (readonly MailAddress[])[] {
  const fields = mail.headers.filter((header) => header.name === name).slice(0, FIELDS_MAX)
  return fields.map(({ value }) => {
    const bounded = value.slice(0, READING_LIMITS.headerValueLengthMax)
    return addressParser(bounded, { flatten: true }).flatMap(({ name: displayName, address }) =>
      address === undefined || address === '' ? [] : [{ displayName, address }],
    )
  })
}

export function firstValid(addresses: readonly MailAddress[]): MailAddress | null {
  for (const each of addresses) {
    const address = storableAddress(each.address)
    if (address !== null) return { ...each, address }
  }
  return null
}

// Names of roles (RFC 2142 and custom).
const ROLE = new RegExp(`^${sourceOf('mailbox.role', { text: 'as written' })}\\b[^@]{0,40}@`, 'i')

/** `abuse@…`, `noc-team@…`: the mailbox of a desk, not of a person. */
export function isRoleMailbox(address: string): boolean {
  return ROLE.test(address)
}

/** A domain in its own script (RFC 6532) is stored as the one DNS knows. */
export function storableAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  if (!domain.includes('.')) return null
  if (isEmailAddress(text)) return text
  const address = `${text.slice(0, at)}@${domainToASCII(domain)}`
  return isEmailAddress(address) ? address : null
}
