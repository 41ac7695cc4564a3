// Operating errors of webhooks; docs/reference/errors.md lists them.

import { defineErrors } from '../../kernel/define-errors.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export const {
  webhookNotFound,
  webhookNotValid,
  tooManyWebhooks,
  webhookDisabled,
  deliveryNotFound,
  deliveryWaits,
} = defineErrors({
  webhookNotFound: [404, 'CASEWORK_WEBHOOK_NOT_FOUND', 'There is no such webhook.'],
  webhookNotValid: [
    400,
    'CASEWORK_WEBHOOK_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The webhook is not valid; nothing was stored.',
      fields: problems,
    }),
  ],
  tooManyWebhooks: [
    409,
    'CASEWORK_TOO_MANY_WEBHOOKS',
    (max: number) => `There are ${max} webhooks already, which is the limit; delete one first.`,
  ],
  webhookDisabled: [409, 'CASEWORK_WEBHOOK_DISABLED', 'The webhook is disabled; enable it first.'],
  deliveryNotFound: [404, 'CASEWORK_DELIVERY_NOT_FOUND', 'The webhook has no such delivery.'],
  deliveryWaits: [
    409,
    'CASEWORK_DELIVERY_WAITS',
    'The delivery waits for its next attempt already.',
  ],
})
