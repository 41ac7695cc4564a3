// The rules of correlation in the plainest form: the model that the service is compared with
// (src/casework/events/correlation-model.test.ts). Times are seconds; a key is one customer.

export interface ModelPolicy {
  readonly threshold: number
  readonly window: number | null
  readonly maxAge: number | null
  readonly maxGap: number | null
  readonly relapse: 'reopen' | 'link' | 'new' | 'attach_only'
  readonly relapseWindow: number | null
  readonly lateEvent: 'attach' | 'open_case'
}

interface ModelCase {
  readonly id: string
  readonly key: string
  readonly linked: string | null
  isOpen: boolean
  /** CLOSED by a person, not by a merge. */
  isClosed: boolean
  isSealed: boolean
  resolvedAt: number | null
  endedAt: number | null
  mergedInto: string | null
  /** What it was before it was merged into another. */
  before: Partial<ModelCase> | null
}

/** A new case, and one that is open again. */
const OPEN = {
  isOpen: true,
  isClosed: false,
  isSealed: false,
  resolvedAt: null,
  endedAt: null,
} as const

interface ModelEvent {
  readonly id: string
  readonly key: string
  readonly date: number
  caseId: string | null
  /** The cases that it came from by merges, the last merge first. */
  cameFrom: readonly string[]
}

type Arrival = Pick<ModelEvent, 'key' | 'date'>

/** The last case of a key to end; `root` is the case that it was merged into, if it was. */
interface EndedCase {
  readonly root: ModelCase
  readonly endedAt: number
}

export interface Correlation {
  readonly expected: Expected
  /** To be called with the ids that the service gave to the event and its case. */
  readonly assign: (id: string, caseId: string) => void
}

/** `held`: below the threshold; `case`: added to a case that is there; `new`: opens a case. */
export type Expected =
  | { readonly kind: 'muted' | 'held' }
  | { readonly kind: 'case'; readonly caseId: string }
  | { readonly kind: 'new'; readonly linked: string | null }

const exceeds = (from: number, until: number, bound: number | null): boolean =>
  bound !== null && until - from > bound

export class CorrelationModel {
  readonly policy: ModelPolicy
  readonly cases = new Map<string, ModelCase>()
  readonly events: ModelEvent[] = []
  readonly openCases = new Map<string, string>()
  readonly muted = new Set<string>()
  #pending = new Map<string, ModelEvent[]>()

  constructor(policy: ModelPolicy) {
    this.policy = policy
  }

  eventsOf(caseId: string): readonly ModelEvent[] {
    return this.events.filter((event) => event.caseId === caseId)
  }

  /** What the service must do with an event of this key and date. */
  correlate(key: string, date: number): Correlation {
    const arrival = { key, date }
    if (this.muted.has(key)) {
      return { expected: { kind: 'muted' }, assign: (id) => void this.#store(id, arrival, null) }
    }
    const open = this.cases.get(this.openCases.get(key) ?? '')
    if (open !== undefined) return this.#addToOpen(open, arrival)
    const last = this.#lastEnded(key)
    return last === null ? this.#count(arrival, null) : this.#addToEnded(last, arrival)
  }

  #addToOpen(open: ModelCase, arrival: Arrival): Correlation {
    if (!this.#isFull(open, arrival.date)) return this.#add(open, arrival)
    open.isSealed = true
    return this.#openCase(arrival, open.id, [])
  }

  /** For a key without an open case whose last case has ended, or was merged into `root`. */
  #addToEnded({ root, endedAt }: EndedCase, arrival: Arrival): Correlation {
    const { key, date } = arrival
    const { lateEvent, relapse, relapseWindow } = this.policy
    if (root.isOpen && !root.isSealed) {
      if (!this.#isFull(root, date)) this.openCases.set(key, root.id)
      return this.#addToOpen(root, arrival)
    }
    const isLate = root.resolvedAt !== null && date <= root.resolvedAt
    if (isLate && lateEvent === 'attach') return this.#add(root, arrival)
    const isWithinWindow = !exceeds(endedAt, date, relapseWindow)
    if (relapse === 'attach_only' && !root.isOpen && !isLate && isWithinWindow) {
      return this.#add(root, arrival)
    }
    const isRelapse = date > endedAt && isWithinWindow
    if (isRelapse && !isLate && relapse === 'reopen' && this.#canReopen(root)) {
      Object.assign(root, OPEN)
      this.openCases.set(key, root.id)
      this.openCases.set(root.key, root.id)
      return this.#add(root, arrival)
    }
    return this.#count(arrival, isRelapse && relapse !== 'new' ? root.id : null)
  }

  #canReopen({ isOpen, isClosed, resolvedAt, key }: ModelCase): boolean {
    return !isOpen && !isClosed && resolvedAt !== null && !this.openCases.has(key)
  }

  /** Opens a case with those that were held, or holds the event back below the threshold. */
  #count(arrival: Arrival, linked: string | null): Correlation {
    const { key, date } = arrival
    const { threshold, window } = this.policy
    if (threshold <= 1) return this.#openCase(arrival, linked, [])
    const waiting = this.#pending.get(key) ?? []
    const newest = Math.max(date, ...waiting.map((event) => event.date))
    const counts = (one: number): boolean => !exceeds(one, newest, window)
    const kept = waiting.filter((event) => counts(event.date))
    if (counts(date) && kept.length + 1 >= threshold) return this.#openCase(arrival, linked, kept)
    return {
      expected: { kind: 'held' },
      assign: (id) => {
        const event = this.#store(id, arrival, null)
        this.#pending.set(key, counts(date) ? [...kept, event] : kept)
      },
    }
  }

  #openCase(arrival: Arrival, linked: string | null, joining: readonly ModelEvent[]): Correlation {
    const { key } = arrival
    return {
      expected: { kind: 'new', linked },
      assign: (id, caseId) => {
        const made = { id: caseId, key, linked, mergedInto: null, before: null, ...OPEN }
        this.cases.set(caseId, made)
        this.openCases.set(key, caseId)
        this.#pending.delete(key)
        this.#store(id, arrival, caseId)
        for (const event of joining) event.caseId = caseId
      },
    }
  }

  #add({ id: caseId }: ModelCase, arrival: Arrival): Correlation {
    return {
      expected: { kind: 'case', caseId },
      assign: (id) => void this.#store(id, arrival, caseId),
    }
  }

  #store(id: string, { key, date }: Arrival, caseId: string | null): ModelEvent {
    const event = { id, key, date, caseId, cameFrom: [] }
    this.events.push(event)
    return event
  }

  #isFull(one: ModelCase, date: number): boolean {
    const dates = this.eventsOf(one.id).map((event) => event.date)
    if (dates.length === 0) return false
    const [first, last] = [Math.min(...dates), Math.max(...dates)]
    return exceeds(first, date, this.policy.maxAge) || exceeds(last, date, this.policy.maxGap)
  }

  #lastEnded(key: string): EndedCase | null {
    const ended = [...this.cases.values()].filter((one) => one.key === key && one.endedAt !== null)
    const last = ended.toSorted((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0))[0]
    if (last === undefined) return null
    let root = last
    while (root.mergedInto !== null) root = this.#get(root.mergedInto)
    return { root, endedAt: last.endedAt ?? 0 }
  }

  #get(id: string): ModelCase {
    const found = this.cases.get(id)
    if (found === undefined) throw new Error(`the model has no case ${id}`)
    return found
  }

  /** The case and all that was merged into it, over any number of steps. */
  #tree(id: string): readonly ModelCase[] {
    const below = [...this.cases.values()].filter((one) => one.mergedInto === id)
    return [this.#get(id), ...below.flatMap((one) => this.#tree(one.id))]
  }

  end(id: string, at: number, how: 'resolve' | 'close'): void {
    const one = this.#get(id)
    // A case that was resolved stays so when it is closed.
    if (how === 'resolve') one.resolvedAt = at
    one.endedAt ??= at
    one.isOpen = false
    one.isClosed = how === 'close'
    for (const [key, holder] of this.openCases) if (holder === id) this.openCases.delete(key)
  }

  reopen(id: string): void {
    const one = this.#get(id)
    Object.assign(one, OPEN)
    for (const { key } of this.#tree(id)) if (!this.openCases.has(key)) this.openCases.set(key, id)
  }

  merge(targetId: string, sourceId: string, at: number): void {
    const target = this.#get(targetId)
    const keys = new Set([...this.#tree(targetId), ...this.#tree(sourceId)].map((one) => one.key))
    const source = this.#get(sourceId)
    source.before = { ...source }
    Object.assign(source, { isOpen: false, endedAt: source.endedAt ?? at, mergedInto: targetId })
    for (const event of this.eventsOf(sourceId)) {
      event.caseId = targetId
      event.cameFrom = [sourceId, ...event.cameFrom]
    }
    for (const key of keys) {
      const holder = this.openCases.get(key)
      if (holder !== undefined && holder !== targetId && holder !== sourceId) continue
      if (target.isOpen) this.openCases.set(key, targetId)
      else this.openCases.delete(key)
    }
  }

  unmerge(targetId: string, sourceId: string): void {
    const target = this.#get(targetId)
    const source = this.#get(sourceId)
    const ours = new Set(
      this.#tree(targetId).flatMap(({ key }) => {
        const holder = this.openCases.get(key)
        return holder === undefined || holder === targetId ? [key] : []
      }),
    )
    const leaving = this.#tree(sourceId)
    Object.assign(source, source.before, { mergedInto: null, before: null })
    for (const event of this.eventsOf(targetId)) {
      if (event.cameFrom[0] !== sourceId) continue
      event.caseId = sourceId
      event.cameFrom = event.cameFrom.slice(1)
    }
    for (const key of ours) this.openCases.delete(key)
    const give = (one: ModelCase, holder: ModelCase): void => {
      if (holder.isOpen && ours.has(one.key)) this.openCases.set(one.key, holder.id)
    }
    for (const one of this.#tree(targetId).slice(1)) give(one, target)
    for (const one of leaving.slice(1)) give(one, source)
    give(source, source)
    give(target, target)
  }
}
