// A span of time as a filter says it: "Within 3 days", "1 Nov 2026 to 20 Nov 2026".

import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'
import { splitDays } from './time-span.ts'

export function useSpanTitle(of: 'due' | 'created'): (text: string) => string {
  const t = useText(messages)
  const format = useFormat()
  return (text) => {
    if (text === 'today') return t('due_today')
    if (text === '0h' && of === 'due') return t('due_0h')
    const hours = Number(/^(\d+)h$/.exec(text)?.[1] ?? Number.NaN)
    if (!Number.isNaN(hours)) {
      const days = hours / 24
      const isDays = days >= 2 && Number.isInteger(days)
      if (of === 'due') return isDays ? t('within_days', { days }) : t('within_hours', { hours })
      return isDays ? t('last_days', { days }) : t('last_hours', { hours })
    }
    const [from, to] = splitDays(text)
    if (from !== '' && to !== '') {
      return t('days_between', {
        from: format.utcDay(new Date(from)),
        to: format.utcDay(new Date(to)),
      })
    }
    if (from !== '') return t('days_from', { from: format.utcDay(new Date(from)) })
    return to === '' ? text : t('days_to', { to: format.utcDay(new Date(to)) })
  }
}
