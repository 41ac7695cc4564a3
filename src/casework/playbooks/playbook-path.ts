// The playbook and the version that a path names. What is no id or number of ours names none, so
// the path answers 404.

import { parseRecordId } from '../../kernel/http/record-ids.ts'
import { playbookNotFound, playbookVersionNotFound } from './errors.ts'

/** The id in canonical form; whether there is such a playbook is asked of the store. */
export function parsePlaybookId(text: string): string {
  const id = parseRecordId(text)
  if (id === null) throw playbookNotFound()
  return id
}

export function parseVersionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw playbookVersionNotFound()
  return Number(text)
}
