// Operating errors of customers, contracts and resources; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

export type OwnerNoun = 'customer' | 'contract' | 'resource'

export function ownerNotFound(noun: OwnerNoun): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_OWNER_NOT_FOUND',
    status: 404,
    publicMessage: `There is no such ${noun}.`,
  })
}

export function ownerNotValid(noun: OwnerNoun, problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_OWNER_NOT_VALID',
    status: 400,
    publicMessage: `The ${noun} is not valid; nothing was stored.`,
    fields: problems,
  })
}

export function ownerTaken(noun: OwnerNoun): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_OWNER_TAKEN',
    status: 409,
    publicMessage:
      noun === 'resource'
        ? 'A resource of this kind and value with the same start exists; change that one.'
        : `A ${noun} of this id exists; change that one.`,
  })
}

export function ownerInUse(noun: OwnerNoun): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_OWNER_IN_USE',
    status: 409,
    publicMessage: `Customers, contracts or resources still refer to the ${noun}; delete or change them first.`,
  })
}

export function ownerIsStale(noun: OwnerNoun): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_OWNER_IS_STALE',
    status: 412,
    publicMessage: `The ${noun} was changed after the version you name; read it again and repeat the change.`,
  })
}

export function ownersNotReadable(publicMessage: string): OperatingError {
  return new OperatingError({ code: 'CASEWORK_OWNERS_NOT_READABLE', status: 400, publicMessage })
}
