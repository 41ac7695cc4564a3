// What becomes of the days of sightings: some days after the last new observation of a day its
// observations are forgotten and the day is closed (push/merge-sightings.ts); at the end of the
// retention the day is deleted. The deletion is a change of facts, so nodes learn of it from the
// change log.

import type { Pool } from 'pg'
import { deleteDays, inDay } from '../push/merge-sightings.ts'
import { inPush } from '../push/push-transaction.ts'
import type { SweepStep } from './sweep-entries.ts'

// A sensor that was cut off for a week sends all of it again.
const OBSERVATION_DAYS = 8
// A day may have 86,400 observations of one address: up to a few seconds of the database.
const DAYS_CLOSED = 20
// Read by each node in a few milliseconds.
const DAYS_DELETED = 1_000
// Nodes learn of a removal from the change log.
const NO_AUDIENCE = { facts: null, listener: null } as const

/** Closes some days whose last new observation came long ago. */
export async function closeDays(pool: Pool, limit = DAYS_CLOSED): Promise<SweepStep> {
  const { rows } = await pool.query<{ closed: number }>(
    `with step as (
      select subject, source_id, service, type, day from sighting
      where not is_single and not is_closed and changed_on < current_date - $1::integer
      order by subject, source_id, service, type, day
      limit $2 for update skip locked
    ),
    closed as (
      update sighting as known set is_closed = true from step
      where (known.subject, known.source_id, known.service, known.type, known.day)
        = (step.subject, step.source_id, step.service, step.type, step.day)
      returning known.subject, known.source_id, known.service, known.type, known.day
    ),
    forgotten as (
      delete from sighting_observation as observation using closed
      where observation.subject = closed.subject and observation.source_id = closed.source_id
        and observation.service = closed.service and observation.type = closed.type
        and ${inDay('observation.last_seen', 'closed.day')}
    )
    select count(*) as closed from closed`,
    [OBSERVATION_DAYS, limit],
  )
  const removed = rows[0]?.closed ?? 0
  return { removed, isMore: removed === limit }
}

/** Deletes some days before `day` (as 2026-01-31), with what is remembered of them. */
export async function deleteOldDays(
  pool: Pool,
  day: string,
  limit = DAYS_DELETED,
): Promise<SweepStep> {
  let removed = 0
  await inPush(pool, 'sighting', NO_AUDIENCE, async ({ noteChanges }) => {
    removed = await noteChanges(
      { before: deleteDays(IS_OLD), changed: 'select subject from gone' },
      [day, limit],
    )
    return false
  })
  return { removed, isMore: removed === limit }
}

const IS_OLD = `
  (subject, source_id, service, type, day) in (
    select subject, source_id, service, type, day from sighting
    where day < $1::date
    limit $2
  )`
