// How many of the newest layers of an overlay to make one, so that look-ups ask few of them and
// each subject is copied only a few times: layers grow by doubling, and all go into the snapshot
// when they are a good part of it.

// A merged snapshot costs a copy of everything: worth it from a third on, so that a list that grows
// by parts is copied four times in all (an eighth: nine times, which took more of an import than
// reading it), and never for less than this many subjects.
const WHOLE_MIN = 20_000
const WHOLE_SHARE = 3

/**
 * Sizes in subjects, the newest layer first. 0: nothing to do; one more than there are layers: take
 * in the snapshot as well.
 */
export function chooseMerge(layerSizes: readonly number[], snapshotSize: number): number {
  const all = layerSizes.reduce((sum, size) => sum + size, 0)
  if (all > Math.max(WHOLE_MIN, snapshotSize / WHOLE_SHARE)) return layerSizes.length + 1
  let sum = layerSizes[0] ?? 0
  let count = 1
  for (const size of layerSizes.slice(1)) {
    if (size > sum * 2) break
    sum += size
    count += 1
  }
  return count > 1 ? count : 0
}
