// One statement for everything of which a node keeps a copy: the serials of tokens, intel, contacts
// and own networks, and how old the server that answers is. A node may be one of many, and far away
// from its database, so the statement carries the questions of the node's loops as well.

import { type RawBuilder, sql } from 'kysely'
import type { ContactSerials } from '../intel/contacts/contact-store.ts'
import type { Serials } from '../intel/index/serial-store.ts'
import type { Db } from '../kernel/db/database.ts'
import {
  buildQuestions,
  type CarrierAnswer,
  type DueQuestion,
  type QuestionRow,
  readQuestions,
} from '../kernel/db/due-poll.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'

export interface FollowedSerials {
  readonly intel: Serials & { readonly ownSerial: number }
  readonly contacts: ContactSerials
  readonly tokenSerial: number
  readonly networkSerial: number
  /**
   * How far the server may be behind its primary, in ms: 0 for a primary, and for a standby that
   * receives the log and has replayed all of it. Else the time since the last commit that it
   * replayed, which on an idle primary may be long ago. Null when the server does not say.
   */
  readonly behindMs: number | null
}

interface SerialRow {
  readonly serial: number
  readonly tag_serial: number
  readonly mark: string | null
  readonly contact_serial: number
  readonly check_serial: number
  readonly token_serial: number
  readonly network_serial: number
  readonly is_current: boolean
  readonly behind_ms: number | null
}

/** `ownSerial` is that of the set, whose mark is asked for. */
export async function readFollowedSerials(db: Db, ownSerial: number): Promise<FollowedSerials> {
  return (await readSerialsAndDue(db, ownSerial, [])).answer
}

/**
 * The same with the answers to the questions (due-poll.ts). With questions it sees the rows of all
 * tenants.
 */
export async function readSerialsAndDue(
  db: Db,
  ownSerial: number,
  questions: readonly DueQuestion[],
): Promise<CarrierAnswer<FollowedSerials>> {
  // A part of the `from`, and not of the select list, where Citus cannot ask its workers.
  const statement =
    questions.length === 0
      ? selectSerials(ownSerial, sql``, sql``)
      : selectSerials(
          ownSerial,
          sql`, due.*`,
          sql` cross join (${buildQuestions(questions)}) as due`,
        )
  const send = () => statement.execute(db)
  const { rows } = questions.length === 0 ? await send() : await inInstance('find work', send)
  return { answer: readRow(rows[0], ownSerial), due: readQuestions(questions, rows[0]) }
}

// The serial is written out: a parameter would cost a message more (scoped-query.ts).
function selectSerials(
  ownSerial: number,
  moreColumns: RawBuilder<unknown>,
  moreTables: RawBuilder<unknown>,
): RawBuilder<SerialRow & QuestionRow> {
  // The process that receives the log is shown to every role, its details are not. It ends by
  // wal_receiver_timeout when the primary is silent. Each table has one row, which a planner
  // without statistics takes for two thousand: without the limit, a server with just-in-time
  // compilation compiles the statement each time, which takes half a second of a core.
  return sql`
    select intel_serial.serial, tag_serial,
      (select mark::text from intel_push where intel_push.serial = ${sql.lit(Math.trunc(ownSerial))}) as mark,
      contact_serial.serial as contact_serial, check_serial, api_token_serial.serial as token_serial,
      (select own_network_serial.serial from own_network_serial) as network_serial,
      not pg_is_in_recovery() or (
        exists (select from pg_stat_wal_receiver where pid is not null)
        and pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()
      ) as is_current,
      (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint as behind_ms${moreColumns}
    from intel_serial cross join contact_serial cross join api_token_serial${moreTables}
    limit 1`
}

function readRow(row: SerialRow | undefined, ownSerial: number): FollowedSerials {
  if (row === undefined) throw new Error('a row of the serials is gone')
  const { serial, tag_serial: tagSerial, mark } = row
  return {
    intel: { serial, tagSerial, mark, ownSerial },
    contacts: { serial: row.contact_serial, checkSerial: row.check_serial },
    tokenSerial: row.token_serial,
    networkSerial: row.network_serial,
    behindMs: row.is_current ? 0 : readBehind(row.behind_ms),
  }
}

/** Two clocks of one machine may differ by a little, which makes no age below 0. */
function readBehind(ms: number | null): number | null {
  return ms === null ? null : Math.max(0, ms)
}
