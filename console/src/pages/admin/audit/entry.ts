// An entry of the audit log.

import type { Schemas } from 'casework/client'

export type Entry = Schemas['AuditEntry']

/** The name where it is known, else the id; a former person has only that. */
export function nameOf({ id, name }: { readonly id: string; readonly name?: string }): string {
  return name ?? id
}
