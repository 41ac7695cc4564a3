// The limits of notices to one address, and to one customer over all of its contacts: how many of
// a purpose may go out a day. A notice above them is held for the digest of the next day. A tenant
// may change them, or switch them off.

import type { NoticePurpose } from './notice.ts'

/**
 * Never limited: a statement of reasons, which the law wants at once (DSA Article 17), an answer,
 * which a person wrote, and the digest itself, of which there is one a day.
 */
const LIMITED_PURPOSES = ['notice', 'reminder', 'receipt', 'outcome'] as const
type LimitedPurpose = (typeof LIMITED_PURPOSES)[number]

export interface PurposeLimit {
  /** Notices of the purpose about one case to one address or customer within 24 hours. */
  readonly caseDay: number
  /** Notices of the purpose to one address or customer within 24 hours, about any case. */
  readonly recipientDay: number
}

export interface NoticeLimits {
  readonly isOn: boolean
  /** A purpose without a limit is not here. */
  readonly limits: Readonly<Partial<Record<LimitedPurpose, PurposeLimit>>>
  /** The hour of the digest, 0 to 23. */
  readonly digestHour: number
  /** Of the IANA database, such as `Europe/Berlin`. */
  readonly timeZone: string
}

const SHIPPED_LIMIT: PurposeLimit = { caseDay: 1, recipientDay: 5 }

export const SHIPPED_LIMITS: NoticeLimits = {
  isOn: true,
  limits: {
    notice: SHIPPED_LIMIT,
    reminder: SHIPPED_LIMIT,
    receipt: SHIPPED_LIMIT,
    outcome: SHIPPED_LIMIT,
  },
  digestHour: 8,
  timeZone: 'UTC',
}

/** What went to a recipient within 24 hours, without what a limit held back. */
export interface NoticeCount {
  /** Of any purpose, about this case. */
  readonly ofThread: number
  /** Of any purpose, about any case. */
  readonly ofRecipient: number
  /** Of this purpose, about this case. */
  readonly ofCasePurpose: number
  /** Of this purpose, about any case. */
  readonly ofPurpose: number
  /** Of this purpose, about this case, to any contact of the customer; 0 without a customer. */
  readonly ofCustomerCase: number
  /** Of this purpose, about any case, to any contact of the customer. */
  readonly ofCustomer: number
}

/** Whether one more notice of the purpose is above the limit. */
export function isAboveLimit(
  { isOn, limits }: NoticeLimits,
  purpose: NoticePurpose,
  recent: NoticeCount,
): boolean {
  const limited = LIMITED_PURPOSES.find((one) => one === purpose)
  const limit = limited === undefined ? undefined : limits[limited]
  if (!isOn || limit === undefined) return false
  const { ofCasePurpose, ofPurpose, ofCustomerCase, ofCustomer } = recent
  return (
    Math.max(ofCasePurpose, ofCustomerCase) >= limit.caseDay ||
    Math.max(ofPurpose, ofCustomer) >= limit.recipientDay
  )
}

// Two programs that answer each other are ended by these; no person writes as much.
const THREAD_DAY_MAX = 20
const RECIPIENT_DAY_MAX = 500

/** Whether two programs seem to answer each other, so that no more notices go out. */
export function isLoop(purpose: NoticePurpose, { ofThread, ofRecipient }: NoticeCount): boolean {
  if (ofThread >= THREAD_DAY_MAX) return true
  // A statement of reasons answers no mail, so it is no part of a loop over several cases.
  return purpose !== 'statement_of_reasons' && ofRecipient >= RECIPIENT_DAY_MAX
}
