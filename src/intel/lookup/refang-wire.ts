// The parameter `refang` of the look-ups. It is asked for: without it a string that is no item is
// 400 (design section 4.1), so that garbage of a script is never taken for the host in it.

import { Type } from 'typebox'

export const REFANG = {
  refang: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true also takes what analysts paste: evil[.]example, hxxp://…, a link (its host is asked about), quotes, brackets, a port, a trailing dot. The answer repeats the text as it was sent.',
    }),
  ),
}

export const RefangQuery = Type.Object(REFANG)
