// The requests that may be sent again because of their Idempotency-Key.

import type { Paths } from './schema.ts'

type PostPath = {
  [P in keyof Paths]: Paths[P] extends { post: unknown } ? P : never
}[keyof Paths]

/** The paths whose POST takes an Idempotency-Key; a test compares them with the document. */
export const KEYED_PATHS: ReadonlySet<string> = new Set<PostPath>([
  '/beta/casework/events',
  '/beta/casework/reports',
  '/beta/casework/reports/{reportId}/correct',
  '/beta/casework/cases/bulk',
  '/beta/casework/cases/{caseId}/trigger-playbook',
  '/beta/casework/cases/{caseId}/mitigations',
  '/beta/casework/cases/{caseId}/decisions',
])
