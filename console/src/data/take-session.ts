// What a sign-in answered: a session, or that a second factor is needed.

import type { Schemas } from 'casework/client'
import type { OwnSession } from './session.ts'

export function isSecondFactorNeeded(
  answer: OwnSession | Schemas['SecondFactorNeeded'],
): answer is Schemas['SecondFactorNeeded'] {
  return 'ways' in answer
}
