// The entries of a timeline as lines: events of one type and sender that follow each other are one
// line, and so are the steps that a playbook took without a stop. Pure.

/** An entry as the interface gives it. */
export interface Entry {
  readonly kind:
    | 'event'
    | 'history'
    | 'comment'
    | 'notice'
    | 'mitigation'
    | 'visit'
    | 'attempt'
    | 'report'
  readonly id: string
  readonly at: string
  readonly what: string
  readonly actor?: string
  readonly actor_name?: string
  readonly text?: string
  readonly is_foreign: boolean
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventsLine {
  readonly kind: 'events'
  readonly id: string
  /** Of the newest of them. */
  readonly at: string
  readonly firstAt: string
  readonly type: string
  readonly sender: string
  /** The newest first. */
  readonly events: readonly Entry[]
}

export interface VisitsLine {
  readonly kind: 'visits'
  readonly id: string
  readonly at: string
  /** In the order in which they were taken. */
  readonly steps: readonly Entry[]
}

export interface EntryLine {
  readonly kind: 'entry'
  readonly id: string
  readonly at: string
  readonly entry: Entry
}

export type Line = EventsLine | VisitsLine | EntryLine

/** From the newest entry to the oldest, and so are the lines. */
export function foldTimeline(entries: readonly Entry[]): readonly Line[] {
  const lines: Line[] = []
  let events: Entry[] = []
  let visits: Entry[] = []
  const end = (): void => {
    lines.push(...foldEvents(events), ...foldVisits(visits))
    events = []
    visits = []
  }
  for (const entry of entries) {
    if (isToldElsewhere(entry)) continue
    if (entry.kind === 'event') {
      if (visits.length > 0) end()
      events.push(entry)
    } else if (entry.kind === 'visit' && !isForeignRun(visits, entry)) {
      if (events.length > 0) end()
      visits.push(entry)
    } else {
      end()
      if (entry.kind === 'visit') visits.push(entry)
      else if (!isEarlierAttempt(lines.at(-1), entry)) {
        lines.push({ kind: 'entry', id: keyOf(entry), at: entry.at, entry })
      }
    }
  }
  end()
  return lines
}

/** Notices and mitigations have entries of their own; that one was sent is said by its state. */
function isToldElsewhere({ kind, what, data }: Entry): boolean {
  if (kind === 'history') return what === 'notice' || what === 'mitigation'
  return kind === 'attempt' && (what === 'done' || what === 'sent') && data['of'] !== 'mitigation'
}

function isForeignRun(visits: readonly Entry[], entry: Entry): boolean {
  const [first] = visits
  return first !== undefined && first.data['run_id'] !== entry.data['run_id']
}

/** The number of the last attempt says how many there were. */
function isEarlierAttempt(line: Line | undefined, { kind, data }: Entry): boolean {
  if (kind !== 'attempt' || line?.kind !== 'entry' || line.entry.kind !== 'attempt') return false
  const next = line.entry.data
  return ['of', 'notice_id', 'mitigation_id', 'run_id', 'node'].every(
    (name) => next[name] === data[name],
  )
}

/** By the newest of each type and sender. */
function foldEvents(events: readonly Entry[]): readonly EventsLine[] {
  const groups = new Map<string, Entry[]>()
  for (const event of events) {
    const key = `${event.what}\n${event.actor ?? ''}`
    const group = groups.get(key) ?? []
    group.push(event)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap((group) => {
    const [newest] = group
    const oldest = group.at(-1)
    if (newest === undefined || oldest === undefined) return []
    return [
      {
        kind: 'events' as const,
        // The oldest stays while newer ones come.
        id: keyOf(oldest),
        at: newest.at,
        firstAt: oldest.at,
        type: newest.what,
        sender: newest.actor ?? '',
        events: group,
      },
    ]
  })
}

function foldVisits(visits: readonly Entry[]): readonly VisitsLine[] {
  const [newest] = visits
  const oldest = visits.at(-1)
  if (newest === undefined || oldest === undefined) return []
  return [{ kind: 'visits', id: keyOf(oldest), at: newest.at, steps: visits.toReversed() }]
}

function keyOf({ kind, id }: Entry): string {
  return `${kind} ${id}`
}

const BUCKETS = 16

/** How many events are in each part of the time that they took. */
export function countOverTime(events: readonly Entry[]): readonly number[] {
  const times = events.map(({ at }) => new Date(at).getTime())
  const first = Math.min(...times)
  const span = Math.max(1, Math.max(...times) - first)
  const counts = Array.from({ length: BUCKETS }, () => 0)
  for (const time of times) {
    const bucket = Math.min(BUCKETS - 1, Math.floor(((time - first) / span) * BUCKETS))
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}
