// Durations of a fixed length: seconds, or ISO 8601 such as `P3DT12H` or `PT15M`. Months and years
// are refused, since their length depends on where they begin.

const PATTERN =
  /^P(?:(\d{1,5})W|(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?)$/
const SECONDS = [604_800, 86_400, 3_600, 60, 1] as const

/** The seconds of an ISO 8601 duration; null when it cannot be read. */
export function parseDuration(text: string): number | null {
  const match = PATTERN.exec(text)
  if (match === null || text.endsWith('T')) return null
  const parts = match.slice(1)
  if (parts.every((part) => part === undefined)) return null
  return SECONDS.reduce((sum, unit, at) => sum + unit * Number(parts[at] ?? 0), 0)
}
