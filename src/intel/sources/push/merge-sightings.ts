// Moves the staged sightings of a push into the days of sightings. An observation is counted once,
// however often it is pushed. A day with a single observation (is_single) has its times itself; the
// observations of other days are in sighting_observation. After some days these are deleted and the
// day is closed (sweep-sightings.ts).
//
// A transaction locks the row of a day before it changes the observations of the day.

import type { PushTransaction } from './push-transaction.ts'

/**
 * The staging table of a connection, and its columns as COPY fills them. Behind a pooler such a
 * table outlives the process that made it, so other columns need the next number in the name.
 */
export const STAGED_SIGHTINGS = {
  name: 'staged_sighting_2',
  columns:
    'subject text collate "C", source_no integer, service text, type text, first_ms float8, last_ms float8, count bigint, row_no integer',
} as const

/** The ids of the sources of a push by their numbers in it. $1 is an integer[]. */
export const SOURCE_OF_PUSH = '($1::integer[])[source_no]'
/** Rows that were staged with the ids themselves. */
export const SOURCE_AS_STAGED = 'source_no'

const KEY = 'subject, source_id, service, type, day'
const OBSERVATION = 'subject, source_id, service, type, last_seen, first_seen'

/** The staged rows as rows of sighting_observation, each with its day. For a `from` clause. */
export function stagedSightings(source: string, from: string = STAGED_SIGHTINGS.name): string {
  return `(
    select subject, ${source} as source_id, service, type, first_seen, last_seen, count,
      (last_seen at time zone 'UTC')::date as day
    from (
      select subject, source_no, service, type, count,
        to_timestamp(first_ms / 1000)::timestamptz(3) as first_seen,
        to_timestamp(last_ms / 1000)::timestamptz(3) as last_seen
      from ${from}
    ) as timed
  )`
}

/** Inserts the days of all staged rows, in the one order in which all pushes do that. */
export function insertDays(source: string): string {
  return `
    insert into sighting (${KEY}, first_seen, last_seen, count, is_single)
    select ${KEY}, min(first_seen), max(last_seen), sum(count), count(*) = 1
    from ${stagedSightings(source)} as staged
    group by ${KEY} order by ${KEY}`
}

/** After all days were inserted: remembers the observations of those that have several. */
export function insertObservations(source: string): string {
  return `
    insert into sighting_observation (${OBSERVATION}, count)
    select ${OBSERVATION}, staged.count
    from ${stagedSightings(source)} as staged
    join (select ${KEY} from sighting where not is_single) as several using (${KEY})`
}

// A push that removes a day between two of these statements makes another round.
const ROUNDS_MAX = 5

/**
 * Merges the staged rows, whose keys differ, with the known days. `values` are those of `source`.
 */
export async function mergeSightings(
  { client, noteChanges }: Pick<PushTransaction, 'client' | 'noteChanges'>,
  source: string,
  values: readonly unknown[],
): Promise<void> {
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    // One connection, one statement after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await noteChanges({ before: insertNewDays(source), changed: 'select subject from stored' }, [
      ...values,
    ])
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { rows } = await client.query<{ staged: number; locked: number }>(lockDays(source), [
      ...values,
    ])
    const { staged = 0, locked = 0 } = rows[0] ?? {}
    if (staged === 0) return
    if (locked < staged) continue
    // oxlint-disable-next-line eslint/no-await-in-loop
    await noteChanges({ before: observe(source), changed: EXTEND_DAYS }, [...values])
    return
  }
  throw new Error('the days of a push are removed again and again')
}

/** Stores new days with their observations, and takes these from the staged rows. */
function insertNewDays(source: string): string {
  return `
    inserted as (
      ${insertDays(source)}
      on conflict (${KEY}) do nothing
      returning ${KEY}, is_single
    ),
    remembered as (
      insert into sighting_observation (${OBSERVATION}, count)
      select ${OBSERVATION}, staged.count
      from ${stagedSightings(source)} as staged
      join inserted using (${KEY})
      where not is_single
    ),
    stored as (
      delete from ${STAGED_SIGHTINGS.name} as staged using inserted
      where staged.subject = inserted.subject and ${source} = inserted.source_id
        and staged.service = inserted.service and staged.type = inserted.type
        and (to_timestamp(staged.last_ms / 1000)::timestamptz(3) at time zone 'UTC')::date = inserted.day
      returning staged.subject
    )`
}

function lockDays(source: string): string {
  return `
    with staged as (select distinct ${KEY} from ${stagedSightings(source)} as one),
    locked as (
      select from sighting join staged using (${KEY}) order by ${KEY} for update of sighting
    )
    select (select count(*) from staged) as staged, (select count(*) from locked) as locked`
}

/**
 * The parts of the statement that extends known days:
 *
 * - `touched`: the staged rows beside their days. `known_count` is the count by which an
 *   observation was known, null for a new one.
 * - `gain`: a row for each day. `gained` is the sum of what is new. A closed day has no
 *   observations to compare with, so `said`, the sum of the push, is compared with its count.
 *   `single_count` is the count of the one observation that a single day had.
 * - `remembered`: stores the observations of open days that are new or have a larger count, and the
 *   one of a single day that gets others.
 */
function observe(source: string): string {
  return `
    touched as (
      select staged.*, known.is_single, known.is_closed,
        known.first_seen as day_first, known.last_seen as day_last, known.count as day_count,
        case
          when not known.is_single then observation.count
          when (known.first_seen, known.last_seen) = (staged.first_seen, staged.last_seen) then known.count
        end as known_count
      from ${stagedSightings(source)} as staged
      join sighting as known using (${KEY})
      left join sighting_observation as observation
        on (observation.subject, observation.source_id, observation.service, observation.type, observation.last_seen, observation.first_seen)
          = (staged.subject, staged.source_id, staged.service, staged.type, staged.last_seen, staged.first_seen)
    ),
    gain as (
      select ${KEY}, is_single, day_first, day_last,
        sum(greatest(count - coalesce(known_count, 0), 0)) as gained, sum(count) as said,
        min(first_seen) as first_seen, max(last_seen) as last_seen,
        bool_or(known_count is null) as has_new,
        greatest(max(day_count), max(count) filter (where known_count is not null)) as single_count
      from touched
      group by ${KEY}, is_single, day_first, day_last
    ),
    remembered as (
      insert into sighting_observation as known (${OBSERVATION}, count)
      select ${OBSERVATION}, count from touched
      where not is_closed and count > coalesce(known_count, 0) and (not is_single or known_count is null)
      union all
      select subject, source_id, service, type, day_last, day_first, single_count
      from gain
      where is_single and has_new
      order by ${OBSERVATION}
      on conflict (${OBSERVATION}) do update set count = excluded.count where known.count < excluded.count
    )`
}

const EXTEND_DAYS = `
  update sighting as known set
    count = case when is_closed then greatest(known.count, gain.said) else known.count + gain.gained end,
    first_seen = least(known.first_seen, gain.first_seen),
    last_seen = greatest(known.last_seen, gain.last_seen),
    is_single = known.is_single and not gain.has_new,
    changed_on = current_date
  from gain
  where known.subject = gain.subject and known.source_id = gain.source_id
    and known.service = gain.service and known.type = gain.type and known.day = gain.day
    and case
      when is_closed then gain.said > known.count or gain.first_seen < known.first_seen or gain.last_seen > known.last_seen
      else gain.gained > 0
    end
  returning known.subject`

/**
 * Deletes the days that meet a condition on table sighting, with their observations; and the former
 * sightings that meet it. Returns the number of deleted rows of both.
 */
export async function deleteSightings(
  { noteChanges }: Pick<PushTransaction, 'noteChanges'>,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const former = await noteChanges(
    `delete from former_sighting as known where ${condition} returning subject`,
    values,
  )
  const days = await noteChanges(
    { before: deleteDays(condition), changed: 'select subject from gone' },
    values,
  )
  return former + days
}

/** The days that meet a condition, and their observations. */
export function deleteDays(condition: string): string {
  return `
    gone as (
      delete from sighting as known where ${condition} returning ${KEY}, is_single
    ),
    forgotten as (
      delete from sighting_observation as observation using gone
      where not gone.is_single
        and observation.subject = gone.subject and observation.source_id = gone.source_id
        and observation.service = gone.service and observation.type = gone.type
        and ${inDay('observation.last_seen', 'gone.day')}
    )`
}

/** A time that lies in a day (UTC), as bounds that an index understands. */
export function inDay(time: string, day: string): string {
  return `${time} >= ${day}::timestamp at time zone 'UTC' and ${time} < (${day} + 1)::timestamp at time zone 'UTC'`
}
