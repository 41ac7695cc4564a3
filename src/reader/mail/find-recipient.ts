// Finds the mailbox that a report came to, and whether it is declared a trap.

import type { Finding, ReportContext, ReportMailbox, ReportResult } from '../reading.ts'
import { listHeader, listHeaderAddresses, storableAddress } from './header-addresses.ts'
import type { Mail } from './mail.ts'

export interface FoundRecipient {
  readonly address: string
  /** As a finding names it. */
  readonly part: string
  readonly reason: string
}

// Fields that the delivering server writes: first the address it was sent to, then the one that an
// alias made of it.
const DELIVERED = [
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'delivered-to',
  'x-delivered-to',
] as const

/**
 * The envelope knows best. Else what the server that delivered the mail wrote, then `To`; of
 * several, a mailbox of the tenant. Null when the mail names none.
 */
export function findRecipient(mail: Mail, context: ReportContext): FoundRecipient | null {
  const { envelopeTo = [], mailboxes = [] } = context
  const [enveloped] = listNamed('envelope', envelopeTo)
  if (enveloped !== undefined) {
    return { ...enveloped, reason: 'The recipient of the envelope that it came in.' }
  }
  const known = indexMailboxes(mailboxes)
  const named = [
    ...DELIVERED.flatMap((name) =>
      listNamed(`header ${name}`, listHeader(mail, name).map(addressOf)),
    ),
    ...listNamed('header To', mail.to.map(addressOf)),
    ...listNamed('header Cc', listHeaderAddresses(mail, 'cc').map(addressOf)),
  ]
  const [first] = named
  if (first === undefined) return null
  const own = named.find(({ address }) => findMailbox(known, address) !== null)
  if (own !== undefined) return { ...own, reason: 'The first that is a mailbox for reports.' }
  const behind = foldAll([...mail.replyTo, ...listHeader(mail, 'x-original-from')])
  const authors = foldAll(mail.from).union(behind)
  // Of a mail over a list, From may be the list, which the mail was sent to.
  const other =
    named.find(({ address }) => !authors.has(address.toLowerCase())) ??
    named.find(({ address }) => !behind.has(address.toLowerCase()))
  return { ...(other ?? first), reason: 'The first address that it was sent to.' }
}

// Whoever writes may send himself a copy.
function foldAll(addresses: Mail['from']): ReadonlySet<string> {
  return new Set(
    addresses.map(({ address }) => (storableAddress(address) ?? address).toLowerCase()),
  )
}

function addressOf({ address }: { readonly address: string }): string {
  return address
}

interface Named {
  readonly address: string
  readonly part: string
}

function listNamed(part: string, addresses: readonly string[]): readonly Named[] {
  return addresses.flatMap((text) => {
    const address = storableAddress(text)
    return address === null ? [] : [{ address, part }]
  })
}

/**
 * True when the mail came to traps alone: to those of its envelope, or without one to the recipient
 * that its headers name.
 */
export function isTrapped(recipient: FoundRecipient, context: ReportContext): boolean {
  const { envelopeTo = [], mailboxes = [] } = context
  const known = indexMailboxes(mailboxes)
  const addresses = envelopeTo.length > 0 ? envelopeTo : [recipient.address]
  return addresses.every((each) => findMailbox(known, each)?.isTrap === true)
}

type KnownMailboxes = ReadonlyMap<string, ReportMailbox>

function indexMailboxes(mailboxes: readonly ReportMailbox[]): KnownMailboxes {
  return new Map(mailboxes.map((mailbox) => [mailbox.address, mailbox]))
}

/** A mailbox of its own wins over its domain. */
function findMailbox(known: KnownMailboxes, address: string): ReportMailbox | null {
  const lower = (storableAddress(address) ?? address).toLowerCase()
  return known.get(lower) ?? known.get(`*${lower.slice(lower.lastIndexOf('@'))}`) ?? null
}

/** The events with their recipient, where their format names no other. */
export function addRecipient(result: ReportResult, recipient: FoundRecipient | null): ReportResult {
  if (result.kind !== 'report' || recipient === null) return result
  const { address, part, reason } = recipient
  const finding: Finding = {
    field: '/recipient_email',
    value: address,
    part,
    line: null,
    excerpt: address,
    role: 'recipient',
    rank: null,
    reason,
    rule: 'recipient',
  }
  const events = result.events.map((read) =>
    read.event.recipientEmail !== null
      ? read
      : {
          ...read,
          event: { ...read.event, recipientEmail: address },
          findings: [...read.findings, finding],
        },
  )
  return { ...result, events }
}
