// Chooses how many of the newest layers of an overlay to merge. Look-ups should ask few layers, and
// each subject should be copied a few times only: layers grow by doubling, and all go into the
// snapshot when they are a good part of it.

// Merging into the snapshot copies all of it, so the layers must have a third of its subjects. A
// list that grows by parts is then copied four times in all; with an eighth, nine times.
const WHOLE_SHARE = 3
// Fewer subjects never go into the snapshot.
const WHOLE_MIN = 20_000

/**
 * The number of layers to merge. Sizes are in subjects, the newest layer first. 0 means nothing to
 * do; one more than there are layers includes the snapshot.
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
