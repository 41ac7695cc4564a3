// The intent of a tag. A tag that only describes has none.

import { useText } from '../../messages/use-text.ts'
import { Badge, IntentBadge } from '../../parts/badges.tsx'
import type { TagSummary } from './data.ts'
import { messages } from './messages.ts'

export function TagIntentBadge({ intent }: Pick<TagSummary, 'intent'>) {
  const t = useText(messages)
  return intent === 'none' ? (
    <Badge tone="grey">{t('intent_none')}</Badge>
  ) : (
    <IntentBadge intent={intent} />
  )
}
