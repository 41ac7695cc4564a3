// Derives the status of an abuse contact and the time of its next test from one test (design 4.4).
// Pure: the time is a parameter.

/** `UNKNOWN`: never tested, or without a result yet. The others name the step that decided. */
export type ContactStatus =
  | 'UNKNOWN'
  | 'OK'
  | 'MX_FAILED'
  | 'CONNECTION_FAILED'
  | 'RECIPIENT_FAILED'

/** The state of the tests of one e-mail address. */
export interface ContactCheck {
  readonly email: string
  readonly status: ContactStatus
  /** Time of the last decision on the status; null before the first. */
  readonly lastVerification: Date | null
  /** Undecided results in a row, at most five. */
  readonly failures: number
  /** The last answer of the mail server about the recipient, while it need not be repeated. */
  readonly recipientStatus: 'OK' | 'RECIPIENT_FAILED' | null
  readonly recipientCheckedAt: Date | null
}

export type TestResult =
  /** The domain has mail exchanges; the mail server was not asked. */
  | { readonly kind: 'mail-exchange-found' }
  /** The domain accepts no mail: no usable server, or it says so (RFC 7505). */
  | { readonly kind: 'no-mail-exchange' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected' }
  /** A mail server answered but refuses our machine, or requires encryption. */
  | { readonly kind: 'not-told' }
  /**
   * There was no decision. `isTheirs`: false when the failure may be on our side and says nothing
   * about the contact.
   */
  | { readonly kind: 'undecided'; readonly stage: Stage; readonly isTheirs: boolean }

export type Stage = 'mail-exchange' | 'connection' | 'recipient'

export interface ClassifiedCheck {
  readonly check: ContactCheck
  readonly nextCheckAtMs: number
  /** True when the answer of look-ups changes. */
  readonly isNews: boolean
}

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
// Mail servers treat frequent probes as an attack.
const RECIPIENT_PAUSE_MS = 30 * DAY_MS
// 1, 2, 4 and 8 hours apart: the fifth failure comes 15 hours after the first.
const FAILURES_MAX = 5

const STAGE_STATUS: Readonly<Record<Stage, ContactStatus>> = {
  'mail-exchange': 'MX_FAILED',
  connection: 'CONNECTION_FAILED',
  recipient: 'RECIPIENT_FAILED',
}

/** False while the last answer of the mail server is valid; then only DNS is tested. */
export function needsRecipientTest(check: ContactCheck, nowMs: number): boolean {
  const checkedAt = check.recipientCheckedAt
  return checkedAt === null || nowMs - checkedAt.getTime() >= RECIPIENT_PAUSE_MS
}

export function classifyCheck(
  before: ContactCheck,
  result: TestResult,
  nowMs: number,
): ClassifiedCheck {
  const now = new Date(nowMs)
  const decideRecipient = (status: 'OK' | 'RECIPIENT_FAILED'): ClassifiedCheck =>
    decide(before, now, { status, recipientStatus: status, recipientCheckedAt: now })
  switch (result.kind) {
    case 'accepted':
      return decideRecipient('OK')
    case 'rejected':
      return decideRecipient('RECIPIENT_FAILED')
    case 'no-mail-exchange':
      return decide(before, now, { status: 'MX_FAILED' })
    case 'not-told':
      // The server is not asked again soon: repeated probes would get our machine blocked.
      return confirmMailExchange({ ...before, recipientCheckedAt: now }, now)
    case 'mail-exchange-found':
      return confirmMailExchange(before, now)
    case 'undecided':
      return result.isTheirs ? countFailure(before, result.stage, now) : waitAnHour(before, nowMs)
  }
}

function decide(before: ContactCheck, now: Date, decided: Partial<ContactCheck>): ClassifiedCheck {
  return {
    check: { ...before, lastVerification: now, failures: 0, ...decided },
    nextCheckAtMs: now.getTime() + DAY_MS,
    isNews: true,
  }
}

// The daily DNS test does not test the recipient. After a DNS failure it only restores the last
// answer of the mail server.
function confirmMailExchange(before: ContactCheck, now: Date): ClassifiedCheck {
  const status = before.recipientStatus ?? 'UNKNOWN'
  if (status !== before.status) return decide(before, now, { status })
  return {
    check: { ...before, failures: 0 },
    nextCheckAtMs: now.getTime() + DAY_MS,
    isNews: false,
  }
}

function countFailure(before: ContactCheck, stage: Stage, now: Date): ClassifiedCheck {
  const failures = Math.min(before.failures + 1, FAILURES_MAX)
  if (failures < FAILURES_MAX) {
    return {
      check: { ...before, failures },
      nextCheckAtMs: now.getTime() + HOUR_MS * 2 ** (failures - 1),
      isNews: false,
    }
  }
  const status = STAGE_STATUS[stage]
  // A server that gives no decision is also left alone for a month, and then gets five new tries.
  return stage === 'recipient'
    ? decide(before, now, {
        status,
        recipientStatus: 'RECIPIENT_FAILED',
        recipientCheckedAt: now,
      })
    : decide(before, now, { status, failures })
}

function waitAnHour(before: ContactCheck, nowMs: number): ClassifiedCheck {
  return { check: before, nextCheckAtMs: nowMs + HOUR_MS, isNews: false }
}
