// Opening hours as people write them: `09:00–12:00, 13:00–17:00`.

export const DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

export type Day = (typeof DAYS)[number]

export interface OpenTime {
  readonly from: string
  readonly to: string
}

/** The hours of a day as text; empty for a day that is closed. */
export function writeHours(times: unknown): string {
  if (!Array.isArray(times)) return ''
  return times
    .filter(isOpenTime)
    .map(({ from, to }) => `${from}–${to}`)
    .join(', ')
}

function isOpenTime(value: unknown): value is OpenTime {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

interface FoldedDays {
  readonly days: readonly Day[]
  readonly text: string
}

/** Days that follow one another with the same hours, as one; closed days are left out. */
export function foldDays(write: (day: Day) => string): readonly FoldedDays[] {
  const folded: FoldedDays[] = []
  let before = ''
  for (const day of DAYS) {
    const text = write(day)
    const last = folded.at(-1)
    if (last !== undefined && text === before) {
      folded[folded.length - 1] = { days: [...last.days, day], text }
    } else {
      folded.push({ days: [day], text })
    }
    before = text
  }
  return folded.filter(({ text }) => text !== '')
}

/** Null when the text is no list of times. */
export function readHours(text: string): readonly OpenTime[] | null {
  if (text.trim() === '') return []
  const times = text.split(',').map((one) => /^\s*(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)\s*$/.exec(one))
  if (times.includes(null)) return null
  return times.map((match) => ({ from: match?.[1] ?? '', to: match?.[2] ?? '' }))
}

/** Null when a line is no date. */
export function readHolidays(text: string): readonly string[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.every((line) => /^\d{4}-\d\d-\d\d$/.test(line)) ? lines : null
}
