// How much mail may be on its way in at once, in bytes over all connections: a mail is held whole
// until it is stored.

export interface MemoryBudget {
  /**
   * `address` is whose share of it counts; null for your own mail server, which may have all of it.
   */
  readonly open: (address: string | null) => MemoryShare
}

/** What one mail holds. */
export interface MemoryShare {
  /** False when there is no more to be had; what is held stays held. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: () => void
}

/**
 * One address has a quarter of it at most, so that its connections cannot keep out everybody else.
 */
export function createMemoryBudget(
  bytesMax: number,
  addressBytesMax: number = bytesMax / 4,
): MemoryBudget {
  let held = 0
  // Only addresses that hold something.
  const heldBy = new Map<string, number>()
  const count = (address: string | null, bytes: number): void => {
    held += bytes
    if (address === null) return
    const left = (heldBy.get(address) ?? 0) + bytes
    if (left === 0) heldBy.delete(address)
    else heldBy.set(address, left)
  }
  return {
    open(address) {
      let own = 0
      return {
        take(bytes) {
          const before = address === null ? 0 : (heldBy.get(address) ?? 0)
          if (held + bytes > bytesMax) return false
          if (address !== null && before + bytes > addressBytesMax) return false
          count(address, bytes)
          own += bytes
          return true
        },
        giveBack() {
          count(address, -own)
          own = 0
        },
      }
    },
  }
}
