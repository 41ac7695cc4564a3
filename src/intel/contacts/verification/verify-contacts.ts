// Tests the abuse contacts that are due: mail exchange daily, recipient monthly (design 4.4,
// setting CASEWORK_CONTACT_VERIFICATION). Several nodes may run sweeps at once: a node leases each
// address before its test.

import type { Counter } from 'prom-client'
import type { Clock } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { AllowList } from '../../../kernel/outbound/allow-list.ts'
import type { ReadinessFinding } from '../../../kernel/readiness.ts'
import type { DnsClient } from '../../dns/dns-client.ts'
import { PROBE_ZONE } from '../../dns/resolver-probe.ts'
import {
  addImportedContacts,
  claimDueChecks,
  forgetContacts,
  saveCheck,
} from '../contact-check-store.ts'
import { askRecipient, type SmtpTiming } from './ask-recipient.ts'
import {
  type ContactCheck,
  classifyCheck,
  needsRecipientTest,
  type TestResult,
} from './classify-check.ts'
import { findMailTargets } from './mail-exchange.ts'

export interface ContactVerifier {
  /**
   * Tests what is due, for a minute at most, and returns early when `signal` aborts. Rejects when
   * the database does not answer.
   */
  readonly sweep: (signal: AbortSignal) => Promise<void>
  readonly check: () => ReadinessFinding
}

export interface ContactVerifierOptions {
  readonly db: Db
  readonly clock: Clock
  readonly dns: DnsClient
  readonly allow: AllowList
  /** 25 unless a test says otherwise. */
  readonly port: number
  readonly timing: SmtpTiming
  /** Counts tests by result. */
  readonly tests: Counter<'result'>
}

const BATCH = 64
const RUNNING_MAX = 8
// Eight tests run at once, those of one domain one after the other. A test that has not begun in
// time is left to the next lease.
const LEASE_MS = 15 * 60_000
// The longest test: DNS, then four addresses without an answer, or one dialog.
const TEST_MS = 2 * 60_000
// The next sweep comes in a minute.
const SWEEP_MS = 50_000
// A search for new imported addresses reads large tables, so it runs this often.
const COLLECT_PAUSE_MS = 10 * 60_000
const SHOWN_MS = 30 * 24 * 60 * 60_000
// A server that does not answer has failed only when another one was reached within this time: many
// providers close port 25 for all their customers.
const WITNESS_MS = 24 * 60 * 60_000

export function createContactVerifier(options: ContactVerifierOptions): ContactVerifier {
  const { db, clock, tests } = options
  const reach: Reach = { isDnsAway: false, smtpAtMs: null, isSmtpSilent: false }
  let collectedAtMs = Number.NEGATIVE_INFINITY

  const testAndSave = async (check: ContactCheck, signal: AbortSignal): Promise<void> => {
    const result = await testContact(check, options, reach, signal)
    // An aborted test has no result; the address is due again when its lease expires.
    if (signal.aborted) return
    tests.inc({ result: result.kind })
    await saveCheck(db, classifyCheck(check, result, clock.nowMs()))
  }
  return {
    async sweep(signal) {
      const untilMs = clock.nowMs() + SWEEP_MS
      if (clock.nowMs() - collectedAtMs >= COLLECT_PAUSE_MS) {
        await addImportedContacts(db, clock.nowMs())
        await forgetContacts(db, clock.nowMs() - SHOWN_MS)
        collectedAtMs = clock.nowMs()
      }
      // A resolver without the Internet answers that no domain exists.
      reach.isDnsAway = (await options.dns.askAuthority(PROBE_ZONE)).kind !== 'found'
      if (reach.isDnsAway) return
      // Each round tests the addresses that it leased; the last round has fewer than a batch.
      while (!signal.aborted && clock.nowMs() < untilMs) {
        // A test that begins later could outlast its lease.
        const beginUntilMs = clock.nowMs() + LEASE_MS - TEST_MS
        // oxlint-disable-next-line eslint/no-await-in-loop
        const due = await claimDueChecks(db, {
          nowMs: clock.nowMs(),
          leaseMs: LEASE_MS,
          limit: BATCH,
        })
        // oxlint-disable-next-line eslint/no-await-in-loop
        await runDomainByDomain(
          due,
          (check) => testAndSave(check, signal),
          () => signal.aborted || clock.nowMs() >= beginUntilMs,
        )
        if (due.length < BATCH) return
      }
    },
    check: () => describeState(reach),
  }
}

/** What this process can reach. */
interface Reach {
  isDnsAway: boolean
  /** Time of the last connection to a mail server. */
  smtpAtMs: number | null
  /** Mail servers did not answer since, and none accepted a connection within a day. */
  isSmtpSilent: boolean
}

async function testContact(
  check: ContactCheck,
  options: ContactVerifierOptions,
  reach: Reach,
  signal: AbortSignal,
): Promise<TestResult> {
  const { clock, port, timing } = options
  const targets = await findMailTargets(domainOf(check), options)
  if (targets.kind === 'undecided') {
    return { kind: 'undecided', stage: 'mail-exchange', isTheirs: true }
  }
  if (targets.kind === 'none') return { kind: 'no-mail-exchange' }
  if (!needsRecipientTest(check, clock.nowMs())) return { kind: 'mail-exchange-found' }
  const answer = await askRecipient({
    email: check.email,
    addresses: targets.addresses,
    port,
    timing,
    signal,
  })
  if (answer.kind !== 'undecided' || answer.wasReached) {
    reach.smtpAtMs = clock.nowMs()
    reach.isSmtpSilent = false
  }
  if (answer.kind !== 'undecided') return answer
  const isTheirs = reach.smtpAtMs !== null && clock.nowMs() - reach.smtpAtMs < WITNESS_MS
  if (!isTheirs) reach.isSmtpSilent = true
  return { kind: 'undecided', stage: answer.stage, isTheirs }
}

/**
 * Contacts of one domain share a mail server, so their tests run one after the other. Tests that
 * have not begun when `isOver` gives true are left out.
 */
async function runDomainByDomain(
  checks: readonly ContactCheck[],
  run: (check: ContactCheck) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  const groups = Map.groupBy(checks, domainOf)
  const waiting = [...groups.values()]
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      for (const check of group) {
        if (isOver()) return
        // oxlint-disable-next-line eslint/no-await-in-loop
        await run(check)
      }
    }
  }
  await Promise.all(Array.from({ length: RUNNING_MAX }, work))
}

function domainOf({ email }: ContactCheck): string {
  return email.slice(email.lastIndexOf('@') + 1)
}

function describeState(reach: Reach): ReadinessFinding {
  if (reach.isDnsAway) {
    return {
      state: 'degraded',
      detail:
        'The DNS resolver does not answer or knows no names of the Internet, so abuse contacts are not tested and keep their status; name another in CASEWORK_DNS_SERVERS.',
    }
  }
  if (reach.isSmtpSilent) {
    return {
      state: 'degraded',
      detail:
        'No mail server was reached on port 25 within a day, so abuse contacts keep their status; many providers close that port until one asks them to open it.',
    }
  }
  return {
    state: 'ok',
    detail: 'Abuse contacts are tested: mail exchange daily, recipient monthly.',
  }
}
