// Operating errors of stored secrets; docs/reference/errors.md lists them.

import { defineErrors } from '../../kernel/define-errors.ts'

export const { secretNotFound, tooManySecrets } = defineErrors({
  secretNotFound: [404, 'CASEWORK_SECRET_NOT_FOUND', 'There is no secret of this name.'],
  tooManySecrets: [
    409,
    'CASEWORK_TOO_MANY_SECRETS',
    (max: number) =>
      `There are ${max} secrets already, which is the limit; delete one that nothing uses.`,
  ],
})
