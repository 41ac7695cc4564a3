// Says that a list ends where the interface gives no more at once: none ends without a word.

import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

interface Listed {
  readonly items: readonly unknown[]
  readonly next_cursor: string
}

/** Nothing while the list is on its way, or when it is shown whole. */
export function FirstOnly({ page }: { readonly page: Listed | undefined }) {
  const t = useText(messages)
  if (page === undefined || page.next_cursor === '') return null
  return <p className="dim small first-only">{t('first_only', { count: page.items.length })}</p>
}
