// `casework import customers|contracts|resources <file>`: CSV through the bulk endpoints, in parts,
// each stored before the next is sent.

import {
  nameColumn,
  type OwnerEntry,
  type OwnerFormat,
  OwnersFileNotReadable,
  readOwnersFile,
} from '../app/read-owners-file.ts'
import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { CHUNK_BYTES, note, report, type Tally } from './import.ts'
import { countBytes, openInput } from './open-input.ts'
import { createProgress } from './progress.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

// The limit of an endpoint; rows of a CSV file stay far below its limit of bytes.
const ROWS_A_PART = 10_000

interface Refusal {
  readonly reason?: unknown
  readonly errors?: unknown
}

type OwnerRow = OwnerEntry & { readonly kind: 'row' }

/**
 * Imports the file and reports the refused rows; exit code 5 when some rows were, 1 when all were.
 */
export async function runImportOwners(
  format: OwnerFormat,
  file: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<ExitCode> {
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const input = await openInput(file, CHUNK_BYTES)
  const progress = createProgress(input.bytes)
  const tally: Tally = { accepted: 0, refused: 0, refusals: [] }
  const meter = { bytesRead: 0 }
  let part: OwnerRow[] = []
  try {
    for await (const entry of readOwnersFile(format, countBytes(input.stream, meter))) {
      if (entry.kind === 'refused') note(tally, entry.lineNumber, entry.reason)
      else part.push(entry)
      if (part.length < ROWS_A_PART) continue
      await sendPart(client, format, part, tally)
      progress.show(meter.bytesRead, tally.accepted)
      part = []
    }
    if (part.length > 0) await sendPart(client, format, part, tally)
  } catch (error) {
    if (!(error instanceof OwnersFileNotReadable)) throw error
    throw new CommandFailure(error.message, EXIT.usage, error)
  } finally {
    progress.end()
  }
  report(tally, flags)
  if (tally.refused === 0) return EXIT.ok
  return tally.accepted === 0 ? EXIT.failure : EXIT.partial
}

async function sendPart(
  client: ApiClient,
  format: OwnerFormat,
  part: readonly OwnerRow[],
  tally: Tally,
): Promise<void> {
  const path = `/beta/casework/${format}/bulk`
  const json = part.map(({ row }) => row)
  const { accepted, rejected } = readJsonAnswer(await client.send({ method: 'POST', path, json }))
  if (typeof accepted !== 'number' || !Array.isArray(rejected)) {
    throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
  }
  tally.accepted += accepted
  for (const refusal of rejected) {
    note(tally, part[Number(refusal.index)]?.lineNumber ?? 0, explain(format, refusal))
  }
}

/** A reason in terms of the file, which has columns and not members. */
function explain(format: OwnerFormat, refusal: Refusal): string {
  const { reason, errors } = refusal
  if (!Array.isArray(errors)) return String(reason)
  return errors
    .map((problem: { readonly path?: unknown; readonly reason?: unknown }) => {
      const path = String(problem.path)
      const column = nameColumn(format, path)
      return `${column === null ? path : `column ${column}`} ${String(problem.reason)}`
    })
    .join('; ')
}
