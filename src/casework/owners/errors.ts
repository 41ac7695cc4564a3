// Operating errors of customers, contracts and resources; docs/reference/errors.md lists them.

import { defineErrors } from '../../kernel/define-errors.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

export type OwnerNoun = 'customer' | 'contract' | 'resource'

export const {
  ownerNotFound,
  ownerNotValid,
  ownerTaken,
  ownerInUse,
  ownerIsStale,
  ownersNotReadable,
} = defineErrors({
  ownerNotFound: [
    404,
    'CASEWORK_OWNER_NOT_FOUND',
    (noun: OwnerNoun) => `There is no such ${noun}.`,
  ],
  ownerNotValid: [
    400,
    'CASEWORK_OWNER_NOT_VALID',
    (noun: OwnerNoun, problems: readonly FieldProblem[]) => ({
      text: `The ${noun} is not valid; nothing was stored.`,
      fields: problems,
    }),
  ],
  ownerTaken: [
    409,
    'CASEWORK_OWNER_TAKEN',
    (noun: OwnerNoun) =>
      noun === 'resource'
        ? 'A resource of this kind and value with the same start exists; change that one.'
        : `A ${noun} of this id exists; change that one.`,
  ],
  ownerInUse: [
    409,
    'CASEWORK_OWNER_IN_USE',
    (noun: OwnerNoun) =>
      `Customers, contracts or resources still refer to the ${noun}; delete or change them first.`,
  ],
  ownerIsStale: [
    412,
    'CASEWORK_OWNER_IS_STALE',
    (noun: OwnerNoun) =>
      `The ${noun} was changed after the version you name; read it again and repeat the change.`,
  ],
  ownersNotReadable: [
    400,
    'CASEWORK_OWNERS_NOT_READABLE',
    (publicMessage: string) => publicMessage,
  ],
})
