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
  isSealed: boolean
  resolvedAt: number | null
  endedAt: number | null
  mergedInto: string | null
  /** Its state before the merge. */
  before: Pick<ModelCase, 'isOpen' | 'resolvedAt' | 'endedAt'> | null
}

interface ModelEvent {
  readonly id: string
  readonly key: string
  readonly date: number
  caseId: string | null
  cameFrom: readonly string[]
}

/** `case`: in a case that is there; `new`: in one that was not. */
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

  /** Call `assign` with the ids that the service gave to the event and its case. */
  event(
    key: string,
    date: number,
  ): { expected: Expected; assign: (id: string, caseId: string) => void } {
    const add = (id: string, caseId: string | null): ModelEvent => {
      const event = { id, key, date, caseId, cameFrom: [] }
      this.events.push(event)
      return event
    }
    const into = (caseId: string) => ({
      expected: { kind: 'case', caseId } as const,
      assign: (id: string) => void add(id, caseId),
    })
    if (this.muted.has(key)) {
      return { expected: { kind: 'muted' }, assign: (id) => void add(id, null) }
    }
    const open = this.cases.get(this.openCases.get(key) ?? '')
    if (open !== undefined) {
      if (!this.#isFull(open, date)) return into(open.id)
      open.isSealed = true
      return this.#openCase(key, open.id, [], add)
    }
    const last = this.#lastEnded(key)
    if (last === null) return this.#count(key, date, null, add)
    const { root, endedAt } = last
    if (root.isOpen && !root.isSealed) {
      if (!this.#isFull(root, date)) {
        this.openCases.set(key, root.id)
        return into(root.id)
      }
      root.isSealed = true
      return this.#openCase(key, root.id, [], add)
    }
    const isLate = root.resolvedAt !== null && date <= root.resolvedAt
    if (isLate && this.policy.lateEvent === 'attach') return into(root.id)
    const isBounded = !exceeds(endedAt, date, this.policy.relapseWindow)
    if (this.policy.relapse === 'attach_only' && !root.isOpen && !isLate && isBounded) {
      return into(root.id)
    }
    const isRelapse = date > endedAt && !exceeds(endedAt, date, this.policy.relapseWindow)
    const isResolved = !root.isOpen && root.resolvedAt !== null && !this.isClosed.has(root.id)
    const isFree = !this.openCases.has(root.key)
    if (isRelapse && !isLate && isResolved && isFree && this.policy.relapse === 'reopen') {
      Object.assign(root, { isOpen: true, isSealed: false, resolvedAt: null, endedAt: null })
      this.openCases.set(key, root.id)
      this.openCases.set(root.key, root.id)
      return into(root.id)
    }
    const linked = isRelapse && this.policy.relapse !== 'new' ? root.id : null
    return this.#count(key, date, linked, add)
  }

  /** CLOSED by somebody, not by a merge. */
  readonly isClosed = new Set<string>()

  #count(
    key: string,
    date: number,
    linked: string | null,
    add: (id: string, caseId: string | null) => ModelEvent,
  ): { expected: Expected; assign: (id: string, caseId: string) => void } {
    const { threshold, window } = this.policy
    if (threshold <= 1) return this.#openCase(key, linked, [], add)
    const waiting = this.#pending.get(key) ?? []
    const newest = Math.max(date, ...waiting.map((event) => event.date))
    const counts = (one: number): boolean => !exceeds(one, newest, window)
    const kept = waiting.filter((event) => counts(event.date))
    if (counts(date) && kept.length + 1 >= threshold) return this.#openCase(key, linked, kept, add)
    return {
      expected: { kind: 'held' },
      assign: (id) => {
        const event = add(id, null)
        this.#pending.set(key, counts(date) ? [...kept, event] : kept)
      },
    }
  }

  #openCase(
    key: string,
    linked: string | null,
    joining: readonly ModelEvent[],
    add: (id: string, caseId: string | null) => ModelEvent,
  ): { expected: Expected; assign: (id: string, caseId: string) => void } {
    return {
      expected: { kind: 'new', linked },
      assign: (id, caseId) => {
        const state = { isOpen: true, isSealed: false, resolvedAt: null, endedAt: null }
        this.cases.set(caseId, {
          id: caseId,
          key,
          linked,
          mergedInto: null,
          before: null,
          ...state,
        })
        this.openCases.set(key, caseId)
        this.#pending.delete(key)
        add(id, caseId)
        for (const event of joining) event.caseId = caseId
      },
    }
  }

  #isFull(one: ModelCase, date: number): boolean {
    const dates = this.eventsOf(one.id).map((event) => event.date)
    if (dates.length === 0) return false
    const [first, last] = [Math.min(...dates), Math.max(...dates)]
    return exceeds(first, date, this.policy.maxAge) || exceeds(last, date, this.policy.maxGap)
  }

  #lastEnded(key: string): { readonly root: ModelCase; readonly endedAt: number } | null {
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
    // A resolved case that is then closed stays resolved.
    if (how === 'resolve') one.resolvedAt = at
    one.endedAt ??= at
    one.isOpen = false
    if (how === 'close') this.isClosed.add(id)
    else this.isClosed.delete(id)
    for (const [key, holder] of this.openCases) if (holder === id) this.openCases.delete(key)
  }

  reopen(id: string): void {
    const one = this.#get(id)
    this.isClosed.delete(id)
    Object.assign(one, { isOpen: true, isSealed: false, resolvedAt: null, endedAt: null })
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
