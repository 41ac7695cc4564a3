// Why nobody is known to be responsible for an event.

export const UNASSIGNED_CAUSES = ['no_target', 'no_match', 'resolver_failed'] as const

/**
 * `no_target`: it names neither address, domain nor account; `no_match`: nobody had it at that
 * time; `resolver_failed`: the tenant's resolver gave no answer.
 */
export type UnassignedCause = (typeof UNASSIGNED_CAUSES)[number]
