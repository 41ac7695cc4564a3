// Why an event has no owner.

export const UNASSIGNED_CAUSES = ['no_target', 'no_match', 'resolver_failed'] as const

/**
 * `no_target`: the event names neither address, domain nor account. `no_match`: no owner is known
 * for that time. `resolver_failed`: the tenant's resolver gave no answer.
 */
export type UnassignedCause = (typeof UNASSIGNED_CAUSES)[number]
