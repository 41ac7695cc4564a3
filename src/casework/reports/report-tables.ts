// The tables of reports and the types of their columns.

import type { ColumnType, Generated } from 'kysely'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { MailAuthentication } from '../../vocabulary/mail-authentication.ts'

export type ReportState = 'accepted' | 'rejected' | 'quarantined'

/** How a report came: over HTTP, by mail, pulled from a mailbox, or out of an archive of mails. */
export type ReportChannel = 'api' | 'smtp' | 'lmtp' | 'imap' | 'import'

/** The envelope of a mail (RFC 5321); null is unknown. */
export interface Envelope {
  /** Empty for a bounce, whose reverse path is empty. */
  readonly from: string | null
  readonly to: readonly string[]
  /** The address of the client that delivered it. */
  readonly remoteAddress: string | null
  /** As the client named itself. */
  readonly helo: string | null
}

export interface ReportTables {
  report: {
    tenant_id: string
    id: string
    received_at: Date
    media_type: string
    byte_length: number
    sha256: Buffer
    state: ReportState
    reason: string | null
    problems: ColumnType<object | null, string | null, string | null>
    format: string | null
    reporter_report_id: string | null
    event_count: number
    received_by: string
    fallback_reporter: string | null
    via: ReportChannel
    envelope_from: string | null
    envelope_to: ColumnType<string[], readonly string[], never>
    remote_address: string | null
    helo: string | null
    message_id: string | null
    authentication: ColumnType<object | null, string | null, string | null>
    is_raw_removed: Generated<boolean>
    is_mail: Generated<boolean | null>
    repeated_event_ids: Generated<string[] | null>
    version: Generated<number>
  }
  report_raw: { tenant_id: string; sha256: Buffer; bytes: Buffer }
}

// Stands until the report was read; the index `report_unread` (migration 0006) names it too.
export const NOT_READ_YET = 'The report has not been read yet.'

export interface ReportVerdict {
  readonly state: ReportState
  readonly reason: string | null
  readonly problems: readonly FieldProblem[]
  readonly format: string | null
  readonly reporterReportId: string | null
  readonly eventCount: number
  /** Events of earlier reports that this one held again. Left out, the stored ones stay. */
  readonly repeatedEventIds?: readonly string[]
  /** Whether its bytes are a mail; left out, it stays unknown. */
  readonly isMail?: boolean
  /** Left out, the stored result stays. */
  readonly authentication?: MailAuthentication | null
}
