// What a check of the program is called, and what to do when it does not work.

import { useText } from '../../messages/use-text.ts'
import { CHECKS, checkMessages } from './check-messages.ts'

export interface CheckWords {
  readonly title: string
  /** Null for a check that the console does not know. */
  readonly act: string | null
}

export function useCheckWords(): (name: string) => CheckWords {
  const t = useText(checkMessages)
  return (name) => {
    const keys = CHECKS[name]
    return keys === undefined ? { title: name, act: null } : { title: t(keys[0]), act: t(keys[1]) }
  }
}
