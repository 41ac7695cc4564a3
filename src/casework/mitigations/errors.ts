// Operating errors of mitigations; docs/reference/errors.md lists them.

import { defineErrors } from '../../kernel/define-errors.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export const {
  mitigationNotFound,
  mitigationNotValid,
  targetNotOfCase,
  mitigationNotPossible,
  adapterNotFound,
  adapterNotValid,
  tooManyAdapters,
  adapterInUse,
} = defineErrors({
  mitigationNotFound: [404, 'CASEWORK_MITIGATION_NOT_FOUND', 'There is no such mitigation.'],
  mitigationNotValid: [
    400,
    'CASEWORK_MITIGATION_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The mitigation is not valid; nothing was stored.',
      fields: problems,
    }),
  ],
  targetNotOfCase: [
    409,
    'CASEWORK_TARGET_NOT_OF_CASE',
    'No event of the case has this target. If it is meant all the same, send allow_other.',
  ],
  mitigationNotPossible: [
    409,
    'CASEWORK_MITIGATION_NOT_POSSIBLE',
    (state: string) => `The mitigation is ${state}, in which this cannot be done.`,
  ],
  adapterNotFound: [404, 'CASEWORK_ADAPTER_NOT_FOUND', 'There is no such adapter.'],
  adapterNotValid: [
    400,
    'CASEWORK_ADAPTER_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The adapter cannot be used; nothing was stored.',
      fields: problems,
    }),
  ],
  tooManyAdapters: [
    409,
    'CASEWORK_TOO_MANY_ADAPTERS',
    (max: number) => `There are ${max} adapters already, which is the limit; delete one first.`,
  ],
  adapterInUse: [
    409,
    'CASEWORK_ADAPTER_IN_USE',
    'Mitigations of this adapter are pending, active or being removed; undo them first.',
  ],
})
