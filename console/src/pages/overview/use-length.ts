// A length of time in the unit in which people say it.

import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** "45 min", "6.4 h", "3.1 d". */
export function useLength(): (seconds: number) => string {
  const t = useText(messages)
  const format = useFormat()
  return (seconds) => {
    const say = (size: number): string => format.number(Math.round((seconds / size) * 10) / 10)
    if (seconds < HOUR) return t('minutes', { value: format.number(Math.round(seconds / 60)) })
    if (seconds < 3 * DAY) return t('hours', { value: say(HOUR) })
    return t('days', { value: say(DAY) })
  }
}
