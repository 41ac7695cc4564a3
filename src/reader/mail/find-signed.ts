// Finds the author of a mail by an address in its text, when a list has removed the author from
// every header.

import { EMAIL_IN_TEXT, emailDomain, isEmailAddress } from '../../values/email.ts'
import type { Mail, MailAddress } from './mail.ts'

// Only the signature at the end is searched; addresses above it may belong to others.
const SIGNATURE_LINES = 8
const TEXT_LENGTH_MAX = 100_000
const ADDRESSES_MAX = 50

interface Signing {
  /** The name that the list left in From. */
  readonly name: string
  /** Whether an address belongs to the list or the recipient. */
  readonly isOwn: (address: string) => boolean
}

/**
 * An address of a domain that signed the mail, else one that is made of the author's name, else the
 * only one of the signature. Null when none of them is there.
 */
export function findSigned(mail: Mail, { name, isOwn }: Signing): MailAddress | null {
  const body = mail.parts.find(({ text, isAttachment }) => text !== null && !isAttachment)
  const text = (body?.text ?? '').slice(0, TEXT_LENGTH_MAX)
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s{0,3}>/.test(line))
  const isForeign = (address: string): boolean =>
    isEmailAddress(address) && TOP_LEVEL.test(address) && !isOwn(address)
  const all = listAddresses(lines).filter(isForeign)
  const signed = listAddresses(lines.slice(-SIGNATURE_LINES)).filter(isForeign)
  const signers = listSigners(mail)
  const found =
    all.findLast((address) => signers.has(emailDomain(address))) ??
    all.findLast((address) => isMadeOf(address, name)) ??
    (signed.length === 1 ? signed[0] : undefined)
  return found === undefined ? null : { displayName: '', address: found }
}

function listAddresses(lines: readonly string[]): readonly string[] {
  const found = lines.flatMap((line) => {
    return line.slice(0, 1_000).replaceAll(CONTENT_ID, ' ').match(EMAIL_IN_TEXT) ?? []
  })
  return [...new Set(found.slice(0, ADDRESSES_MAX).map((address) => address.replace(/\.+$/, '')))]
}

// A picture of the mail (RFC 2392), which Outlook names in its text.
const CONTENT_ID = /\bcid:[^\s\]>"']{1,500}/gi
// No top-level domain has digits, other than an encoded one.
const TOP_LEVEL = /\.(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i

// RFC 6376 section 3.5: `d=` is the domain that signs.
function listSigners(mail: Mail): ReadonlySet<string> {
  const signatures = mail.headers.filter(({ name }) => name === 'dkim-signature').slice(0, 10)
  const domains = signatures.map(
    ({ value }) => /(?:^|;)\s{0,9}d=([^;\s]{1,253})/i.exec(value)?.[1]?.toLowerCase() ?? '',
  )
  return new Set(domains.filter((domain) => domain !== ''))
}

// Shorter names occur inside too many words.
const NAME_LENGTH_MIN = 4

/** `Ray Fulton` and `rfulton@…`. */
function isMadeOf(address: string, name: string): boolean {
  const local = plain(address.slice(0, address.lastIndexOf('@')))
  const words = plain(name).match(/[a-z]+/g) ?? []
  return words.some((word) => word.length >= NAME_LENGTH_MIN && local.includes(word))
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}
