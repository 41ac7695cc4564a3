// One row of figures a line: what, ours, the calibration of the same run, and the ratio that is quoted.

export interface Figure {
  readonly name: string
  readonly ours: string
  readonly calibration: string
  /** Ours over the calibration; null where there is nothing to divide. */
  readonly ratio: number | null
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n## ${title}\n`)
  console.log('| What | Ours | Calibration | Ratio |')
  console.log('| --- | --- | --- | --- |')
  for (const { name, ours, calibration, ratio } of figures) {
    console.log(
      `| ${name} | ${ours} | ${calibration} | ${ratio === null ? '-' : ratio.toFixed(2)} |`,
    )
  }
}

export function formatRate(perSecond: number, unit: string): string {
  return `${Math.round(perSecond).toLocaleString('en')} ${unit}`
}

export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
