// The requests that may be sent again because of their Idempotency-Key. Generated: npm run write.

import type { Paths } from './schema.ts'

type PostPath = {
  [P in keyof Paths]: Paths[P] extends { post: unknown } ? P : never
}[keyof Paths]

/** The paths whose POST takes an Idempotency-Key. */
export const KEYED_PATHS: ReadonlySet<string> = new Set<PostPath>([
  '/beta/admin/groups',
  '/beta/admin/roles',
  '/beta/admin/service-accounts',
  '/beta/admin/setup-link',
  '/beta/admin/tenants',
  '/beta/admin/tokens',
  '/beta/admin/tokens/{tokenId}/rotate',
  '/beta/admin/users',
  '/beta/admin/users/{userId}/links',
  '/beta/casework/case-groups',
  '/beta/casework/cases/bulk',
  '/beta/casework/cases/{caseId}/comments',
  '/beta/casework/cases/{caseId}/decisions',
  '/beta/casework/cases/{caseId}/hold',
  '/beta/casework/cases/{caseId}/merge',
  '/beta/casework/cases/{caseId}/mitigations',
  '/beta/casework/cases/{caseId}/notices',
  '/beta/casework/cases/{caseId}/runs',
  '/beta/casework/cases/{caseId}/split',
  '/beta/casework/cases/{caseId}/trigger-playbook',
  '/beta/casework/cases/{caseId}/unmerge',
  '/beta/casework/contracts',
  '/beta/casework/customers',
  '/beta/casework/erasures',
  '/beta/casework/events',
  '/beta/casework/mitigations/{mitigationId}/execute',
  '/beta/casework/mitigations/{mitigationId}/result',
  '/beta/casework/mitigations/{mitigationId}/undo',
  '/beta/casework/mute-rules',
  '/beta/casework/notices/{noticeId}/resend',
  '/beta/casework/playbooks',
  '/beta/casework/playbooks/import',
  '/beta/casework/playbooks/{playbookId}/versions',
  '/beta/casework/playbooks/{playbookId}/versions/{version}/migrate',
  '/beta/casework/reports',
  '/beta/casework/reports/{reportId}/correct',
  '/beta/casework/reports/{reportId}/take-as-answer',
  '/beta/casework/resources',
  '/beta/casework/runs/{runId}/migrate',
  '/beta/casework/runs/{runId}/resume',
  '/beta/casework/views',
  '/beta/webhooks',
  '/beta/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  '/beta/webhooks/{webhookId}/replay',
  '/beta/webhooks/{webhookId}/rotate-secret',
  '/beta/webhooks/{webhookId}/test',
])
