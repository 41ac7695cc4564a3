// Operating errors of webhooks; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export function webhookNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_WEBHOOK_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such webhook.',
  })
}

export function webhookNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_WEBHOOK_NOT_VALID',
    status: 400,
    publicMessage: 'The webhook is not valid; nothing was stored.',
    fields: problems,
  })
}

export function tooManyWebhooks(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_WEBHOOKS',
    status: 409,
    publicMessage: `There are ${max} webhooks already, which is the limit; delete one first.`,
  })
}

export function webhookDisabled(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_WEBHOOK_DISABLED',
    status: 409,
    publicMessage: 'The webhook is disabled; enable it first.',
  })
}

export function deliveryNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_DELIVERY_NOT_FOUND',
    status: 404,
    publicMessage: 'The webhook has no such delivery.',
  })
}

export function deliveryWaits(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_DELIVERY_WAITS',
    status: 409,
    publicMessage: 'The delivery waits for its next attempt already.',
  })
}
