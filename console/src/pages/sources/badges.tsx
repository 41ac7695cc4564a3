// The state of a source and its kind, in words.

import { CircleCheck, CircleDashed, History, TriangleAlert } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import type { Source } from './data.ts'
import { messages } from './messages.ts'

const STATES = {
  fresh: ['green', CircleCheck],
  stale: ['amber', History],
  failed: ['red', TriangleAlert],
  never: ['grey', CircleDashed],
} as const

export const SOURCE_STATES = ['fresh', 'stale', 'failed', 'never'] as const

export function SourceStateBadge({ state }: { readonly state: Source['state'] }) {
  const t = useText(messages)
  const [tone, icon] = STATES[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Badge>
  )
}

const KINDS = {
  'mail-blocklist': 'kind_mail_blocklist',
  'tag-list': 'kind_tag_list',
  'allow-list': 'kind_allow_list',
  network: 'kind_network',
  honeypot: 'kind_honeypot',
  spamtrap: 'kind_spamtrap',
  contact: 'kind_contact',
  report: 'kind_report',
} as const

function isKind(text: string): text is keyof typeof KINDS {
  return Object.hasOwn(KINDS, text)
}

/** The name of a kind; a kind that the console does not know is named as it is. */
export function useKindName(): (kind: string) => string {
  const t = useText(messages)
  return (kind) => (isKind(kind) ? t(KINDS[kind]) : kind)
}

/** "12 hours", in whole numbers of the largest unit that fits. */
export function usePeriod(): (seconds: number) => string {
  const t = useText(messages)
  return (seconds) => {
    if (seconds % 86_400 === 0) return t('duration_days', { count: seconds / 86_400 })
    if (seconds % 3_600 === 0) return t('duration_hours', { count: seconds / 3_600 })
    return t('duration_minutes', { count: Math.round(seconds / 60) })
  }
}
