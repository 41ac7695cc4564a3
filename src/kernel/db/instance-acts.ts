// Every act that sees the rows of all tenants, with its reason. Every other statement sees the rows
// of one tenant, or none. A part of an act that is about one tenant belongs in `inTenant`.

import { inAllTenants } from './row-scope.ts'

const INSTANCE_ACTS = {
  'administer the instance':
    'The operator creates tenants, tokens and addresses for all of them, by routes that take the scope instance:admin.',
  'ask adapters': 'A worker claims mitigations that are due or have expired, fairly over tenants.',
  'ask resolvers again': 'A worker claims the tenant whose owner resolver has its turn.',
  backup: 'A backup holds the rows of all tenants.',
  'collect sightings': 'A worker lists the tenants whose reports write sightings.',
  'cut tokens': 'A person who is disabled loses the tokens of all tenants.',
  'deliver webhooks': 'A worker claims deliveries that are due, fairly over tenants.',
  'fill the demo': 'The workers of the demo act before any server of the instance does.',
  'find the tenant of a mail':
    'A mail has no tenant until its recipient or the key of a notice names one.',
  'hand on changes': 'The changes of many tenants leave the outbox in one transaction.',
  'keep months':
    'The tables of all tenants are divided by months, and a month goes when no tenant keeps a row of it.',
  'keep playbooks': 'Versions without runs and old keys of triggers are removed of all tenants.',
  'keep the audit log':
    'The chain of the instance is of no tenant, and a job and a command look at the chains of all of them.',
  'know people':
    'A person is found before there is a tenant, and may work for several: accounts are of the instance.',
  'know tokens': 'A token has no tenant until it is found, and each node knows all of them.',
  'find work': 'One poll asks for all loops of a process whether there is work of any tenant.',
  'find news of streams':
    'One poll asks for the tenants of all open streams of changes, so that an idle stream costs nothing.',
  'log erasures': 'The log outside the database holds the erasures of all tenants.',
  'make digests': 'A worker lists the digests of all tenants that are due.',
  'make the first token': 'A start asks whether the instance has any token.',
  measure: 'Metrics and /readyz count rows of all tenants, and show no other value of them.',
  'read for operations': 'A caller with the scope ops:read reads an event of any tenant.',
  'read reports later': 'A worker lists reports of all tenants that nobody has read.',
  migrate: 'A change of the schema changes the rows of all tenants.',
  'remove the demo': 'The rows of the tenants that the demo made, and of no others.',
  'remove past retention': 'A worker claims the tenant whose turn it is.',
  'repeat erasures': 'A worker, or a restore, lists the erasures of all tenants to be repeated.',
  restore: 'A restore writes the rows of all tenants.',
  'run playbooks':
    'A worker claims tokens, calls and timers fairly over tenants, and moves a batch of several tenants in one transaction.',
  'run schedules': 'A worker claims the schedule that has waited longest.',
  'seal secrets': 'A start and a change of the secret key look at the secrets of all tenants.',
  'send notices': 'A worker claims notices that are due, fairly over tenants.',
  'start runs': 'A worker takes starts that are due, of several tenants in one transaction.',
} as const satisfies Readonly<Record<string, string>>

export type InstanceAct = keyof typeof INSTANCE_ACTS

/** Statements of `work` see the rows of all tenants. */
export function inInstance<Result>(_act: InstanceAct, work: () => Result): Result {
  return inAllTenants(work)
}
