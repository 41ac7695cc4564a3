// States, severities and intents: always a colour, an icon and a word, so that no one of them is
// needed to understand it.

import {
  AlertTriangle,
  Ban,
  ChevronDown,
  ChevronsUp,
  ChevronUp,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  Clock,
  Equal,
  ShieldCheck,
} from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'
import { Since } from './since.tsx'

export type Tone = 'red' | 'amber' | 'green' | 'blue' | 'violet' | 'grey'

type Icon = ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>

export interface BadgeProps {
  readonly tone: Tone
  readonly icon?: Icon | undefined
  readonly children: ReactNode
}

/** For states of other things: give the icon and the word. */
export function Badge({ tone, icon: Icon, children }: BadgeProps) {
  return (
    <span className="badge" data-tone={tone}>
      {Icon !== undefined && <Icon size={14} aria-hidden />}
      <span className="cut">{children}</span>
    </span>
  )
}

const STATES = {
  NEW: ['blue', CircleDashed],
  IN_PROGRESS: ['violet', CircleDot],
  RESOLVED: ['green', CircleCheck],
  CLOSED: ['grey', Ban],
} as const satisfies Record<string, readonly [Tone, Icon]>

export type CaseState = keyof typeof STATES

export function StateBadge({ state }: { readonly state: CaseState }) {
  const t = useText(messages)
  const [tone, icon] = STATES[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Badge>
  )
}

/** The word beside the time that has passed; with `at` the time itself, where there is little room. */
export function OverdueBadge({ at }: { readonly at?: string }) {
  const t = useText(messages)
  return (
    <span className="badge badge-outline" data-tone="red">
      <Clock size={14} aria-hidden />
      <span className={at === undefined ? undefined : 'hidden-text'}>{t('overdue')}</span>
      {at !== undefined && <Since at={at} />}
    </span>
  )
}

const SEVERITIES = {
  low: ['grey', ChevronDown],
  medium: ['blue', Equal],
  high: ['amber', ChevronUp],
  critical: ['red', ChevronsUp],
} as const satisfies Record<string, readonly [Tone, Icon]>

export type Severity = keyof typeof SEVERITIES

/** From the least to the most. */
export const SEVERITY_NAMES: readonly Severity[] = ['low', 'medium', 'high', 'critical']

/** As the interface says it; capital letters, as of other systems, are the same. */
export function SeverityBadge({ severity }: { readonly severity: Severity | Uppercase<Severity> }) {
  const t = useText(messages)
  const name = SEVERITY_NAMES.find((one) => one === severity.toLowerCase()) ?? 'low'
  const [tone, Icon] = SEVERITIES[name]
  return (
    <span className="severity" data-tone={tone}>
      <Icon size={16} aria-hidden />
      <span>{t(`severity_${name}`)}</span>
    </span>
  )
}

const INTENTS = {
  malicious: ['red', AlertTriangle],
  suspicious: ['amber', Circle],
  benign: ['green', ShieldCheck],
  unknown: ['grey', CircleHelp],
} as const satisfies Record<string, readonly [Tone, Icon]>

export type Intent = keyof typeof INTENTS

export function IntentBadge({ intent }: { readonly intent: Intent }) {
  const t = useText(messages)
  const [tone, icon] = INTENTS[intent]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`intent_${intent}`)}
    </Badge>
  )
}
