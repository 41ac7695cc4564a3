// Says where a list ends that has more than the page shows: none is cut without a word.

import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

interface FirstOnlyProps {
  /** How many are shown. */
  readonly count: number
  /** Nothing is said of a list that is shown whole. */
  readonly isCut: boolean
}

export function FirstOnly({ count, isCut }: FirstOnlyProps) {
  const t = useText(messages)
  if (!isCut) return null
  return <p className="dim small first-only">{t('first_only', { count })}</p>
}

interface FirstPageOnlyProps {
  /** Undefined while it is on its way. */
  readonly page: { readonly items: readonly unknown[]; readonly next_cursor: string } | undefined
}

/** For a list of which the first page of the interface is shown, and no other. */
export function FirstPageOnly({ page }: FirstPageOnlyProps) {
  return <FirstOnly count={page?.items.length ?? 0} isCut={(page?.next_cursor ?? '') !== ''} />
}
