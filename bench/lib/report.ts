// Figures: what, ours, the calibration of the same run, and the ratio that is quoted. Each part
// prints its own as it ends; all of them come once more as one table at the end.

export interface Figure {
  readonly name: string
  readonly ours: string
  readonly calibration: string
  /** Ours over the calibration; null where there is nothing to divide. */
  readonly ratio: number | null
}

const printed: { readonly title: string; readonly figures: readonly Figure[] }[] = []

export function printFigures(title: string, figures: readonly Figure[]): void {
  printed.push({ title, figures })
  console.log(`\n## ${title}\n`)
  console.log('| What | Ours | Calibration | Ratio |')
  console.log('| --- | --- | --- | --- |')
  for (const { name, ours, calibration, ratio } of figures) {
    console.log(
      `| ${name} | ${ours} | ${calibration} | ${ratio === null ? '-' : ratio.toFixed(2)} |`,
    )
  }
}

// Wide enough for what is measured, narrow enough for a terminal.
const NAME_WIDTH_MAX = 76

/** Every figure printed so far as one aligned table, for reading and not for pasting. */
export function printSummary(): void {
  const rows = printed.flatMap(({ figures }) => figures)
  if (rows.length === 0) return
  const nameWidth = Math.min(NAME_WIDTH_MAX, Math.max(...rows.map(({ name }) => name.length)))
  const oursWidth = Math.max(...rows.map(({ ours }) => ours.length))
  const line = (name: string, ours: string, ratio: string): string =>
    `${name.padEnd(nameWidth)}  ${ours.padEnd(oursWidth)}  ${ratio.padStart(6)}`
  console.log('\n# All figures, with their ratio to the calibration of the same run\n')
  console.log(line('', 'ours', 'ratio'))
  for (const { title, figures } of printed) {
    console.log(`\n${title}`)
    for (const { name, ours, ratio } of figures) {
      console.log(line(name, ours, ratio === null ? '-' : ratio.toFixed(2)))
    }
  }
}

export function formatRate(perSecond: number, unit: string): string {
  return `${Math.round(perSecond).toLocaleString('en')} ${unit}`
}
