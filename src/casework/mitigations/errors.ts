// Operating errors of mitigations; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export function mitigationNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_MITIGATION_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such mitigation.',
  })
}

export function mitigationNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_MITIGATION_NOT_VALID',
    status: 400,
    publicMessage: 'The mitigation is not valid; nothing was stored.',
    fields: problems,
  })
}

export function targetNotOfCase(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TARGET_NOT_OF_CASE',
    status: 409,
    publicMessage:
      'No event of the case has this target. If it is meant all the same, send allow_other.',
  })
}

export function mitigationNotPossible(state: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_MITIGATION_NOT_POSSIBLE',
    status: 409,
    publicMessage: `The mitigation is ${state}, in which this cannot be done.`,
  })
}

export function adapterNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ADAPTER_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such adapter.',
  })
}

export function adapterNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ADAPTER_NOT_VALID',
    status: 400,
    publicMessage: 'The adapter cannot be used; nothing was stored.',
    fields: problems,
  })
}

export function tooManyAdapters(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_ADAPTERS',
    status: 409,
    publicMessage: `There are ${max} adapters already, which is the limit; delete one first.`,
  })
}

export function adapterInUse(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ADAPTER_IN_USE',
    status: 409,
    publicMessage:
      'Mitigations of this adapter are pending, active or being removed; undo them first.',
  })
}
