// Operating errors of notices; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export function templateNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TEMPLATE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such template.',
  })
}

export function templateNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TEMPLATE_NOT_VALID',
    status: 400,
    publicMessage: 'The template cannot be used; nothing was stored or sent.',
    fields: problems,
  })
}

export function tooManyTemplates(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_TEMPLATES',
    status: 409,
    publicMessage: `There are ${max} templates already, which is the limit; delete one first.`,
  })
}
