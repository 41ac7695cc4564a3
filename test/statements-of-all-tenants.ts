// Every statement over all tenants, with its reason: a database that is distributed by tenant asks
// all of its nodes for it, so it locks nothing. All others name their tenant (statement-watch.ts).

interface StatementsOfAllTenants {
  /** The file that sends it. */
  readonly file: string
  /** What its text holds, in lower case; every statement of the file where it is left out. */
  readonly holds?: string
  readonly reason: string
}

export const STATEMENTS_OF_ALL_TENANTS: readonly StatementsOfAllTenants[] = [
  {
    file: 'src/kernel/db/due-tenants.ts',
    reason: 'Finds the tenants with work due in a queue; the claims name one of them each.',
  },
  {
    file: 'src/kernel/db/due-poll.ts',
    reason: 'Asks twice a second for all loops of a process whether any tenant has work.',
  },
  {
    file: 'src/app/followed-serial-store.ts',
    reason: 'Carries those questions, so that an idle node sends one statement for both.',
  },
  {
    file: 'src/casework/events/event-list-store.ts',
    holds: 'from tenant cross join lateral',
    reason: 'The operations path (interface, endpoint 3, scope ops:read) knows no tenant.',
  },
  {
    file: 'src/casework/notices/notice-reply-store.ts',
    holds: 'reply_key_hash =',
    reason: 'An answer by mail has no tenant until the key in its address names the notice.',
  },
  {
    file: 'src/casework/notices/digest-store.ts',
    holds: 'effect_key = held.effect_key',
    reason: 'Lists the digests that are due; each is made in its tenant.',
  },
  {
    file: 'src/casework/owners/owner-resolver-store.ts',
    holds: 'where header_value is not null',
    reason: 'A start finds the tenants whose resolver has a value in clear; each is sealed alone.',
  },
  {
    file: 'src/casework/secrets/secret-store.ts',
    holds: 'select distinct key_id',
    reason: 'A start asks which keys the secrets of all tenants need.',
  },
  {
    file: 'src/casework/privacy/erasure/erasure-store.ts',
    holds: 'from erasure',
    reason: 'The log outside the database, and a restore, need the erasures of all tenants.',
  },
  {
    file: 'src/casework/reports/kept-report-store.ts',
    holds: 'received_at <',
    reason: 'Lists reports that nobody has read, the oldest first; each is claimed in its tenant.',
  },
  {
    file: 'src/casework/reports/unread-report-count.ts',
    reason: 'Metrics count the unread reports of all tenants.',
  },
  {
    file: 'src/casework/playbooks/runs/run-metrics.ts',
    reason: 'Metrics count the runs of all tenants.',
  },
  {
    file: 'src/casework/mitigations/mitigation-metrics.ts',
    reason: 'Metrics count the mitigations of all tenants.',
  },
  {
    file: 'src/casework/sightings/report-sharing-store.ts',
    holds: 'from tenant',
    reason: 'Lists the tenants whose reports write sightings, and counts them.',
  },
  {
    file: 'src/casework/playbooks/schedules/run-schedules.ts',
    reason:
      'Finds the ticks that have waited longest, and versions without one; claims name a tenant.',
  },
]
