// The verification of abuse contacts as a scheduled job, for processes with the role worker.

import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/clock.ts'
import type { Config } from '../../../kernel/config.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { ScheduledJob } from '../../../kernel/jobs.ts'
import { parseAllowList } from '../../../kernel/outbound/allow-list.ts'
import type { Readiness } from '../../../kernel/readiness.ts'
import { openDnsClient } from '../../dns/dns-client.ts'
import { DEFAULT_TIMING } from './ask-recipient.ts'
import { createContactVerifier } from './verify-contacts.ts'

export interface ContactVerification {
  readonly job: ScheduledJob
  readonly close: () => void
}

// No request waits for these answers, so a slow name server gets more time.
const DNS_DEADLINE_MS = 10_000
// RFC 5321: mail goes to this port only.
const SMTP_PORT = 25

export interface ContactVerificationDeps {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly metrics: Registry
  readonly readiness: Readiness
}

/** Null unless CASEWORK_CONTACT_VERIFICATION is on. */
export function openContactVerification({
  config,
  db,
  clock,
  metrics,
  readiness,
}: ContactVerificationDeps): ContactVerification | null {
  if (config.contactVerification === 'off') return null
  const dns = openDnsClient({ servers: config.dnsServers, clock, deadlineMs: DNS_DEADLINE_MS })
  const verifier = createContactVerifier({
    db,
    clock,
    dns,
    allow: parseAllowList(config.outboundAllow),
    port: SMTP_PORT,
    timing: DEFAULT_TIMING,
    tests: new Counter({
      name: 'casework_contact_tests_total',
      help: 'Tests of abuse contacts, by what they came to.',
      labelNames: ['result'],
      registers: [metrics],
    }),
  })
  readiness.add({ name: 'contact-verification', check: async () => verifier.check() })
  return {
    job: {
      name: 'verify-contacts',
      cron: '* * * * *',
      runsOn: 'one-node',
      run: verifier.sweep,
    },
    close: dns.close,
  }
}
