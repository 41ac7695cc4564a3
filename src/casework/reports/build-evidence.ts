// The evidence that goes with a notice: what the reports of a case enclose or attach, as plain
// text. It must not tell who received the reported mail. An authority gets it without the addresses
// of traps. For anybody else all addresses are taken out, and also the words of the reporter, the
// headers that name recipients, and the hosts of reporters and traps.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { ReadEvidence } from '../../reader/reading.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { listAddresses, removeAddresses } from '../notices/build-view.ts'
import type { EvidenceFile, RedactionProfile } from '../notices/notice.ts'
import { findTraps, listShownEvents } from '../notices/notice-view-store.ts'
import { fetchRawBytes } from './raw-bytes.ts'

interface EvidenceDeps {
  readonly db: Db
  /** In a thread that can be killed; null when nothing can be read out of the bytes. */
  readonly readEvidence: (bytes: Uint8Array) => Promise<ReadEvidence | null>
}

export interface EvidenceRequest extends TenantScope {
  readonly caseId: string
  readonly profile: RedactionProfile
  readonly recipient: string
}

const REPORTS_MAX = 5
const TEXT_LENGTH_MAX = 50_000
const READ_LENGTH_MAX = 4 * TEXT_LENGTH_MAX
const REMOVED = '[removed]'
// The headers by which a mailbox is named; an enclosed mail has one a line.
const RECIPIENT_HEADER =
  /^(?:to|cc|bcc|delivered-to|x-original-to|envelope-to|x-envelope-to|apparently-to|return-path|received|x-received|resent-to|reply-to|x-forwarded-to|x-forwarded-for|errors-to|list-[a-z-]{1,30}|x-[a-z-]{0,30}(?:rcpt|recipient|mailfrom|to)[a-z-]{0,30})\s?:/i

/** The evidence of the newest reports; bounded. */
export async function buildEvidence(
  { db, readEvidence }: EvidenceDeps,
  { tenantId, caseId, profile, recipient }: EvidenceRequest,
): Promise<readonly EvidenceFile[]> {
  const scope = { tenantId }
  const reporter = profile === 'reporter' ? recipient : null
  const [events = []] = await listShownEvents(db, scope, [{ caseId, reporter }])
  const reportIds = [...new Set(events.flatMap((one) => one.reportId ?? []))].slice(0, REPORTS_MAX)
  const files: EvidenceFile[] = []
  for (const reportId of reportIds) {
    // One report after the other is in memory.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const bytes = await fetchReport(db, scope, reportId)
    // oxlint-disable-next-line eslint/no-await-in-loop
    const evidence = bytes === null ? null : await readEvidence(bytes)
    if (evidence === null) continue
    const senders = events.map(({ senderEmail }) => senderEmail)
    // oxlint-disable-next-line eslint/no-await-in-loop
    const text = await redact(db, scope, evidence, profile, senders)
    if (text !== '') files.push({ fileName: `evidence-${reportId}.txt`, text })
  }
  return files
}

async function fetchReport(
  db: Db,
  { tenantId }: TenantScope,
  reportId: string,
): Promise<Buffer | null> {
  const found = await sql<{ sha256: Buffer; byteLength: number }>`
    select sha256, byte_length as "byteLength" from report
    where tenant_id = ${tenantId} and id = ${reportId}::uuid and not is_raw_removed`.execute(db)
  const [row] = found.rows
  return row === undefined ? null : await fetchRawBytes(db, { tenantId, ...row })
}

async function redact(
  db: Db,
  scope: TenantScope,
  { texts }: ReadEvidence,
  profile: RedactionProfile,
  senders: readonly string[],
): Promise<string> {
  const isAuthority = profile === 'authority'
  const lines = texts
    .filter(({ isOfReporter }) => isAuthority || !isOfReporter)
    .flatMap((one) => ['', ...one.lines])
    .filter((line) => isAuthority || !RECIPIENT_HEADER.test(line))
  const text = takeFirstLines(lines.join('\n').trim())
  const addresses = listAddresses(text)
  const traps = await findTraps(db, scope, addresses)
  if (isAuthority) return cut(removeAddresses(text, traps))
  const hosts = new Set([...traps, ...senders].map((one) => one.slice(one.lastIndexOf('@') + 1)))
  return cut(removeHosts(removeAddresses(text, new Set(addresses)), hosts))
}

// Whole lines: half of an address would not be found and taken out. Redaction shortens the text
// little, so what is dropped here would be cut afterwards.
function takeFirstLines(text: string): string {
  if (text.length <= READ_LENGTH_MAX) return text
  const start = text.slice(0, READ_LENGTH_MAX)
  return start.slice(0, Math.max(0, start.lastIndexOf('\n')))
}

function removeHosts(text: string, hosts: ReadonlySet<string>): string {
  const domains = [...hosts].filter((one) => one.includes('.')).map((one) => one.toLowerCase())
  if (domains.length === 0) return text
  return text.replaceAll(/[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, (name) => {
    const lower = name.toLowerCase()
    const isHidden = domains.some((one) => lower === one || lower.endsWith(`.${one}`))
    return isHidden ? REMOVED : name
  })
}

function cut(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX)}\n[…]`
}
