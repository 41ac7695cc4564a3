// The correlation key of a case: its group, and the hash of the values that distinguish the cases
// of the group.

export interface CorrelationKey {
  readonly caseGroupId: string
  /** Of `buildCorrelationKey`: 64 hexadecimal digits. */
  readonly keyHash: string
}

/** The key as one text, for maps. */
export function formatCorrelationKey(key: CorrelationKey): string {
  return `${key.caseGroupId}/${key.keyHash}`
}

/** The group for events that match no other group. It always exists, is last, and is enabled. */
export const DEFAULT_GROUP_ID = 'default'
