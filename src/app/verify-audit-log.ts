// Verifies the audit log in the database of a configuration, beside a running server or without
// one: `casework audit verify`.

import type { Static } from 'typebox'
import { parseHead } from '../access/audit/audit-entry.ts'
import { type AuditReport, presentReport } from '../access/audit/audit-wire.ts'
import { verifyChains } from '../access/audit/read-chain.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase } from '../kernel/db/database.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import type { Log } from '../kernel/log.ts'
import { createSecretCipher } from '../kernel/secrets/secret-cipher.ts'
import { loadSecretKeys, requireSecretKeys } from '../kernel/secrets/secret-keys.ts'
import { withDatabase } from './reach-database.ts'

export interface VerifyOptions {
  /** Null for all chains. */
  readonly chain: string | null
  /** A head that was kept elsewhere, as it was printed. */
  readonly expectedHead: string | null
  readonly trustedKeys: readonly string[]
}

export type VerifiedChain = Static<typeof AuditReport>

/**
 * A report of each chain. Throws APP_NO_DATA when there is no database, and asks for the key of
 * secrets when there is none: without it signatures of others would pass.
 */
export async function verifyDatabase(
  config: Config,
  log: Log,
  { chain, expectedHead, trustedKeys }: VerifyOptions,
): Promise<readonly VerifiedChain[]> {
  const keptHead = expectedHead === null ? null : parseHead(expectedHead)
  return await withDatabase(config, log, async (connection, _, used) => {
    // Not before a database was found: it makes a key in a data folder that has none.
    const keys = loadSecretKeys(used)
    requireSecretKeys(keys)
    const database = createDatabase({ connection, poolMax: 1, log })
    try {
      const request = { chain, keptHead, trustedKeys }
      const cipher = createSecretCipher(keys)
      const reports = await inInstance('keep the audit log', () =>
        verifyChains(database.kysely, cipher, request),
      )
      return reports.map((report) => presentReport(report, ''))
    } finally {
      await database.close()
    }
  })
}
