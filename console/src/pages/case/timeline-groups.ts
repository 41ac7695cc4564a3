// The kinds of the timeline as people filter them.

export const TIMELINE_GROUPS = ['events', 'mails', 'decisions', 'playbook'] as const
export type TimelineGroup = (typeof TIMELINE_GROUPS)[number]

const KINDS: Readonly<Record<TimelineGroup, readonly string[]>> = {
  events: ['event', 'report'],
  // An answer of a customer is kept as a comment.
  mails: ['notice', 'comment'],
  decisions: ['history', 'mitigation'],
  playbook: ['visit', 'attempt'],
}

// Kinds that need the scope events:read.
const OF_EVENTS: readonly string[] = ['event', 'report']

/** The kinds to ask for; null asks for all that the person may see. */
export function listKinds(
  shown: readonly TimelineGroup[] | undefined,
  maySeeEvents: boolean,
): readonly string[] | null {
  if (shown === undefined) return null
  const kinds = shown.flatMap((group) => KINDS[group])
  return maySeeEvents ? kinds : kinds.filter((kind) => !OF_EVENTS.includes(kind))
}
