// How much mail may be on its way in at once, in bytes over all connections: a mail is held whole until it is stored.

export interface MemoryBudget {
  readonly open: () => MemoryShare
}

/** What one mail holds. */
export interface MemoryShare {
  /** False when there is no more to be had; what is held stays held. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: () => void
}

export function createMemoryBudget(bytesMax: number): MemoryBudget {
  let held = 0
  return {
    open() {
      let own = 0
      return {
        take(bytes) {
          if (held + bytes > bytesMax) return false
          held += bytes
          own += bytes
          return true
        },
        giveBack() {
          held -= own
          own = 0
        },
      }
    },
  }
}
