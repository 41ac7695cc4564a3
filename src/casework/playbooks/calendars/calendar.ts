// Business hours, pure: the times at which somebody works, by weekday and holiday in one time zone.
// Hours are those of the clock on the wall, so a day on which the clock changes may be an hour
// shorter or longer.

/** Monday first, as ISO 8601 counts. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/** Minutes from midnight by the clock on the wall: 540 to 1020 is 09:00 to 17:00. */
export interface OpenSpan {
  readonly from: number
  /** At most 1,440, which is midnight. */
  readonly until: number
}

export interface Calendar {
  readonly timeZone: string
  /** Seven days, Monday first; the spans of a day in their order, none touching the next. */
  readonly days: readonly (readonly OpenSpan[])[]
  /** Dates such as `2027-01-01`, on which all is closed. */
  readonly holidays: ReadonlySet<string>
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
// A calendar that is closed for longer is a mistake. Each day costs some microseconds.
const DAYS_MAX = 1_830

/**
 * When `seconds` of open time have passed since `from`; null when there is not so much of it in
 * five years.
 */
export function addBusinessTime(calendar: Calendar, from: Date, seconds: number): Date | null {
  let leftMs = seconds * 1_000
  for (const { fromMs, untilMs } of listOpenTimes(calendar, from.getTime())) {
    if (untilMs - fromMs >= leftMs) return new Date(fromMs + leftMs)
    leftMs -= untilMs - fromMs
  }
  return null
}

/** The next moment that is open, maybe `from` itself; null when there is none in five years. */
export function findOpening(calendar: Calendar, from: Date): Date | null {
  for (const { fromMs } of listOpenTimes(calendar, from.getTime())) return new Date(fromMs)
  return null
}

interface OpenTime {
  readonly fromMs: number
  readonly untilMs: number
}

/** What is open from this time on, in the order of time; none is empty. */
function* listOpenTimes(
  { timeZone, days, holidays }: Calendar,
  startMs: number,
): Generator<OpenTime> {
  // Times by the clock on the wall are kept as if they were UTC.
  const wallStartMs = startMs + readOffset(timeZone, startMs)
  const firstMidnightMs = Math.floor(wallStartMs / DAY_MS) * DAY_MS
  for (let day = 0; day < DAYS_MAX; day += 1) {
    const midnightMs = firstMidnightMs + day * DAY_MS
    const date = new Date(midnightMs)
    if (holidays.has(date.toISOString().slice(0, 10))) continue
    // JavaScript counts from Sunday.
    for (const span of days[(date.getUTCDay() + 6) % 7] ?? []) {
      const openMs = readWallTime(timeZone, midnightMs + span.from * MINUTE_MS)
      const untilMs = readWallTime(timeZone, midnightMs + span.until * MINUTE_MS)
      const fromMs = Math.max(openMs, startMs)
      if (untilMs > fromMs) yield { fromMs, untilMs }
    }
  }
}

/**
 * The instant at which the clock on the wall first shows this time, which is given as if it were
 * UTC. A time that the clock leaps over is the moment of the leap, so later times never come
 * earlier.
 */
export function readWallTime(timeZone: string, wallMs: number): number {
  const before = wallMs - readOffset(timeZone, wallMs - DAY_MS)
  const after = wallMs - readOffset(timeZone, wallMs + DAY_MS)
  const shown = [before, after].filter((atMs) => atMs + readOffset(timeZone, atMs) === wallMs)
  if (shown.length > 0) return Math.min(...shown)
  // The clock leaps between the two; the leap is on a whole minute.
  let [low, high] = [Math.min(before, after), Math.max(before, after)]
  while (high - low > MINUTE_MS) {
    const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS
    if (middle + readOffset(timeZone, middle) > wallMs) high = middle
    else low = middle
  }
  return high
}

// A process serves few zones; the formatter of one takes 0.1 ms to make and 2 µs to ask.
const FORMATTERS_MAX = 100
const formatters = new Map<string, Intl.DateTimeFormat>()

function findFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  if (formatters.size >= FORMATTERS_MAX) formatters.clear()
  formatters.set(timeZone, made)
  return made
}

/** How far the clock on the wall is ahead of UTC. */
function readOffset(timeZone: string, atMs: number): number {
  const parts = findFormatter(timeZone).formatToParts(atMs)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name)
  if (match === null) throw new Error(`the time zone ${timeZone} has the offset ${name}`)
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match
  const offsetMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -offsetMs : offsetMs
}

/** Whether this process knows the time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    findFormatter(name)
    return true
  } catch {
    return false
  }
}
