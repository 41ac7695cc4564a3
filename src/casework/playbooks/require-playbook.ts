// The playbook and version that a path names: the same 404 for an unknown id, a malformed one and
// one of another tenant.

import type { Db } from '../../kernel/db/database.ts'
import { parseRecordId } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { playbookNotFound, playbookVersionNotFound } from './errors.ts'
import { findPlaybook, type PlaybookRecord } from './playbook-store.ts'

export async function requirePlaybook(
  db: Db,
  scope: TenantScope,
  idText: string,
): Promise<PlaybookRecord> {
  const playbook = await findPlaybook(db, scope, parsePlaybookId(idText))
  if (playbook === null) throw playbookNotFound()
  return playbook
}

/** The id in canonical form, whether or not there is such a playbook. */
export function parsePlaybookId(text: string): string {
  const id = parseRecordId(text)
  if (id === null) throw playbookNotFound()
  return id
}

export function parseVersionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw playbookVersionNotFound()
  return Number(text)
}
