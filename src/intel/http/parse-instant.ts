// Points in time of pushed rows: ISO 8601 date-time with a zone, as milliseconds since 1970.

// Cameras and old sensors write no colon in the zone; a time without any zone is off by up to half a day and refused.
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

/** The instant, digits beyond the millisecond cut, or null when the text names none. A leap second (:60) is refused. */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign] = match
  const dayNumber = Number(day)
  const midnight = Date.UTC(Number(year), Number(month) - 1, dayNumber)
  // Days and months that do not exist roll over into the next.
  const date = new Date(midnight)
  if (date.getUTCDate() !== dayNumber || date.getUTCMonth() !== Number(month) - 1) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const zoneHours = Number(match[9] ?? 0)
  const zoneMinutes = Number(match[10] ?? 0)
  if (zoneHours > 23 || zoneMinutes > 59) return null
  const offset = (sign === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60
  return midnight + (time - offset) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}
