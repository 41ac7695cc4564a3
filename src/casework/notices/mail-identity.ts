// The addresses of our mail: the sender, and those by which answers and bounces find their notice.

import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../../kernel/config.ts'
import { settingsNotUsable } from '../../kernel/errors.ts'

export interface MailIdentity {
  /** `Abuse Desk <abuse@provider.example>`, in two parts. */
  readonly from: { readonly name: string; readonly address: string }
  /** The domain of Message-IDs. */
  readonly domain: string
  /** Whether answers and bounces come back to us: CASEWORK_MAIL_DOMAIN is set. */
  readonly takesAnswers: boolean
}

/** Null where no relay is set: then nothing is sent. Throws when it is set without a sender. */
export function readMailIdentity({
  relayUrl,
  mailFrom,
  mailDomain,
}: Pick<Config, 'relayUrl' | 'mailFrom' | 'mailDomain'>): MailIdentity | null {
  if (relayUrl === null) return null
  if (mailFrom === null) throw settingsNotUsable(['CASEWORK_RELAY_URL needs CASEWORK_MAIL_FROM'])
  const [, name = '', inBrackets] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(mailFrom) ?? []
  const address = inBrackets ?? mailFrom.trim()
  return {
    from: { name, address },
    domain: mailDomain ?? address.slice(address.lastIndexOf('@') + 1),
    takesAnswers: mailDomain !== null,
  }
}

export interface ReplyKey {
  readonly key: string | null
  readonly hash: Buffer | null
}

/** A new key, in letters that survive a mail server that changes their case. */
export function createReplyKey(identity: MailIdentity | null): ReplyKey {
  if (identity?.takesAnswers !== true) return { key: null, hash: null }
  const key = randomBytes(16).toString('hex')
  return { key, hash: hashReplyKey(key) }
}

/** Our domains, as mails that come back name them; they are set even where no relay is. */
export interface ReplyDomains {
  /** Of addresses with a key; null without CASEWORK_MAIL_DOMAIN. */
  readonly keys: string | null
  /** Of Message-IDs; null where no mail is sent. */
  readonly ids: string | null
}

export function readReplyDomains({
  mailFrom,
  mailDomain,
}: Pick<Config, 'mailFrom' | 'mailDomain'>): ReplyDomains {
  const keys = mailDomain?.toLowerCase() ?? null
  const from = /@([^@<>\s]+)>?\s*$/.exec(mailFrom ?? '')?.[1]
  return { keys, ids: keys ?? from?.toLowerCase() ?? null }
}

const KEYED_ADDRESS = /^<?([^@\s<>]{1,64})\+([0-9a-f]{32})@([^@\s<>]{1,253})>?$/i

/** The key of an address for answers or bounces; null when it is none of ours. */
export function readReplyAddress(
  domain: string | null,
  address: string,
): { readonly base: string; readonly keyHash: Buffer } | null {
  const [, local = '', key = '', found = ''] = KEYED_ADDRESS.exec(address) ?? []
  if (domain === null || found.toLowerCase() !== domain) return null
  return { base: `${local}@${found}`, keyHash: hashReplyKey(key) }
}

/** Whether a text, such as the headers of a mail, names such an address. */
export function hasReplyAddress(domain: string | null, text: string): boolean {
  if (domain === null) return false
  const end = `@${domain}`
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(end); at >= 0; at = lower.indexOf(end, at + 1)) {
    if (KEY_END.test(lower.slice(Math.max(0, at - KEY_END_LENGTH), at))) return true
  }
  return false
}

const KEY_END = /\+[0-9a-f]{32}$/
// A plus sign and 32 digits.
const KEY_END_LENGTH = 33

function hashReplyKey(key: string): Buffer {
  return createHash('sha256').update(key.toLowerCase()).digest()
}

/** Where answers go: `abuse+<key>@<mail domain>`. */
export function writeReplyAddress({ from, domain }: MailIdentity, key: string): string {
  return `${from.address.slice(0, from.address.lastIndexOf('@'))}+${key}@${domain}`
}

/** The envelope sender (VERP): a bounce comes back to `bounce+<key>@<mail domain>`. */
export function writeBounceAddress({ domain }: MailIdentity, key: string): string {
  return `bounce+${key}@${domain}`
}
