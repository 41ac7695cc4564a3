// Reads the text form of Prometheus, as far as this page needs it.

export interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: number
}

const LINE = /^([a-z_:]+)(\{.*\})? (\S+)$/i

export function readMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('#')) return []
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels, value: Number(value) }]
  })
}

/** Null when there is none of the name. */
export function sumOf(samples: readonly Sample[], name: string, label = ''): number | null {
  const found = samples.filter((one) => one.name === name && one.labels.includes(label))
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0)
}

export function leastOf(samples: readonly Sample[], name: string): number | null {
  const found = samples.filter((one) => one.name === name).map(({ value }) => value)
  return found.length === 0 ? null : Math.min(...found)
}

export function mostOf(samples: readonly Sample[], name: string): number | null {
  const found = samples.filter((one) => one.name === name).map(({ value }) => value)
  return found.length === 0 ? null : Math.max(...found)
}
