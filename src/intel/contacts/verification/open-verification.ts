// The verification of abuse contacts as a scheduled job, for processes with the role worker.

import { Counter } from 'prom-client'
import type { Foundation } from '../../../kernel/foundation.ts'
import type { ScheduledJob } from '../../../kernel/jobs.ts'
import { parseAllowList } from '../../../kernel/outbound/allow-list.ts'
import { openDnsClient } from '../../dns/dns-client.ts'
import { DEFAULT_TIMING } from './ask-recipient.ts'
import { createContactVerifier } from './verify-contacts.ts'

export interface ContactVerification {
  readonly job: ScheduledJob
  readonly close: () => void
}

// Nobody waits for these answers, so a slow name server gets its time.
const DNS_DEADLINE_MS = 10_000
// RFC 5321: mail goes to this port only.
const SMTP_PORT = 25

/** Null unless CASEWORK_CONTACT_VERIFICATION is on. */
export function openContactVerification(foundation: Foundation): ContactVerification | null {
  const { config, database, clock, metrics, readiness } = foundation
  if (config.contactVerification === 'off') return null
  const dns = openDnsClient({ servers: config.dnsServers, clock, deadlineMs: DNS_DEADLINE_MS })
  const verifier = createContactVerifier({
    db: database.kysely,
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
    job: { name: 'verify-contacts', cron: '* * * * *', run: verifier.sweep },
    close: dns.close,
  }
}
