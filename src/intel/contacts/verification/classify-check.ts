// What one test of an abuse contact means for its status and for when it is tested next (design
// 4.4). Pure: time comes in as a number.

/** `UNKNOWN`: never tested, or nothing decided yet. The others say how far a test came. */
export type ContactStatus =
  | 'UNKNOWN'
  | 'OK'
  | 'MX_FAILED'
  | 'CONNECTION_FAILED'
  | 'RECIPIENT_FAILED'

/** What is known of one e-mail address. */
export interface ContactCheck {
  readonly email: string
  readonly status: ContactStatus
  /** When the status was decided last; null while it never was. */
  readonly lastVerification: Date | null
  /** Undecided results in a row, at most five. */
  readonly failures: number
  /** What the mail server said of the recipient, as long as that is not to be asked again. */
  readonly recipientStatus: 'OK' | 'RECIPIENT_FAILED' | null
  readonly recipientCheckedAt: Date | null
}

export type TestResult =
  /** The domain has mail exchanges; nothing more was asked. */
  | { readonly kind: 'mail-exchange-found' }
  /** The domain takes no mail: no usable server, or it says so (RFC 7505). */
  | { readonly kind: 'no-mail-exchange' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected' }
  /**
   * A mail server answered, and refuses to tell us: it does not like who asks, or wants encryption.
   */
  | { readonly kind: 'not-told' }
  /**
   * Nobody said yes or no. `isTheirs`: false when the trouble may be on our side, so that it tells
   * nothing about the contact.
   */
  | { readonly kind: 'undecided'; readonly stage: Stage; readonly isTheirs: boolean }

export type Stage = 'mail-exchange' | 'connection' | 'recipient'

export interface JudgedCheck {
  readonly check: ContactCheck
  readonly nextCheckAtMs: number
  /** True when look-ups show something else now. */
  readonly isNews: boolean
}

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
// Mail servers take many probes for an attack.
const RECIPIENT_PAUSE_MS = 30 * DAY_MS
// 1, 2, 4 and 8 hours apart: the fifth failure comes 15 hours after the first.
const FAILURES_MAX = 5

const STAGE_STATUS: Readonly<Record<Stage, ContactStatus>> = {
  'mail-exchange': 'MX_FAILED',
  connection: 'CONNECTION_FAILED',
  recipient: 'RECIPIENT_FAILED',
}

/**
 * False while the last answer of the mail server still holds; then only the mail exchange is looked
 * at.
 */
export function needsRecipientTest(check: ContactCheck, nowMs: number): boolean {
  const checkedAt = check.recipientCheckedAt
  return checkedAt === null || nowMs - checkedAt.getTime() >= RECIPIENT_PAUSE_MS
}

export function judgeCheck(before: ContactCheck, result: TestResult, nowMs: number): JudgedCheck {
  const now = new Date(nowMs)
  const recipient = (status: 'OK' | 'RECIPIENT_FAILED'): JudgedCheck =>
    decide(before, now, { status, recipientStatus: status, recipientCheckedAt: now })
  switch (result.kind) {
    case 'accepted':
      return recipient('OK')
    case 'rejected':
      return recipient('RECIPIENT_FAILED')
    case 'no-mail-exchange':
      return decide(before, now, { status: 'MX_FAILED' })
    case 'not-told':
      // Asking again soon would only make it like us less.
      return confirmMailExchange({ ...before, recipientCheckedAt: now }, now)
    case 'mail-exchange-found':
      return confirmMailExchange(before, now)
    case 'undecided':
      return result.isTheirs ? countFailure(before, result.stage, now) : waitAnHour(before, nowMs)
  }
}

function decide(before: ContactCheck, now: Date, decided: Partial<ContactCheck>): JudgedCheck {
  return {
    check: { ...before, lastVerification: now, failures: 0, ...decided },
    nextCheckAtMs: now.getTime() + DAY_MS,
    isNews: true,
  }
}

// The daily look at DNS is no test of the recipient: it only brings back what the mail server said,
// after trouble on the way.
function confirmMailExchange(before: ContactCheck, now: Date): JudgedCheck {
  const status = before.recipientStatus ?? 'UNKNOWN'
  if (status !== before.status) return decide(before, now, { status })
  return {
    check: { ...before, failures: 0 },
    nextCheckAtMs: now.getTime() + DAY_MS,
    isNews: false,
  }
}

function countFailure(before: ContactCheck, stage: Stage, now: Date): JudgedCheck {
  const failures = Math.min(before.failures + 1, FAILURES_MAX)
  if (failures < FAILURES_MAX) {
    return {
      check: { ...before, failures },
      nextCheckAtMs: now.getTime() + HOUR_MS * 2 ** (failures - 1),
      isNews: false,
    }
  }
  const status = STAGE_STATUS[stage]
  // A server that does not want to say is left alone for a month as well, and then gets five new
  // tries.
  return stage === 'recipient'
    ? decide(before, now, {
        status,
        recipientStatus: 'RECIPIENT_FAILED',
        recipientCheckedAt: now,
      })
    : decide(before, now, { status, failures })
}

function waitAnHour(before: ContactCheck, nowMs: number): JudgedCheck {
  return { check: before, nextCheckAtMs: nowMs + HOUR_MS, isNews: false }
}
