// A quota that many share, in bytes or in connections: it bounds the whole, and the part that one
// key (a client address) may have of it. Nothing waits here: a share that gets no more is refused.

export interface Quota {
  /** A share that counts for this key; null has no bound but the whole. */
  readonly open: (key: string | null) => Share
}

export interface Share {
  /** False when the quota has no more; the share keeps what it holds. */
  readonly take: (amount: number) => boolean
  readonly giveBack: () => void
}

export interface QuotaOptions {
  readonly max: number
  readonly keyMax: number
}

export function createQuota({ max, keyMax }: QuotaOptions): Quota {
  let held = 0
  // Only keys that hold something.
  const heldBy = new Map<string, number>()
  const count = (key: string | null, amount: number): void => {
    held += amount
    if (key === null) return
    const left = (heldBy.get(key) ?? 0) + amount
    if (left === 0) heldBy.delete(key)
    else heldBy.set(key, left)
  }
  return {
    open(key) {
      let own = 0
      return {
        take(amount) {
          const before = key === null ? 0 : (heldBy.get(key) ?? 0)
          if (held + amount > max) return false
          if (key !== null && before + amount > keyMax) return false
          count(key, amount)
          own += amount
          return true
        },
        giveBack() {
          count(key, -own)
          own = 0
        },
      }
    },
  }
}
