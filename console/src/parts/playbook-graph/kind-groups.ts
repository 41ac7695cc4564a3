// The kinds of nodes in groups, as the palette and the cards show them.

import {
  AlarmClock,
  CircleCheck,
  CircleStop,
  CircleX,
  Clock,
  FileText,
  Flag,
  GitFork,
  Globe,
  Hand,
  Heading,
  Hourglass,
  Mail,
  MailCheck,
  Merge,
  MessageSquare,
  MousePointerClick,
  Pencil,
  Play,
  Repeat,
  Search,
  ShieldAlert,
  ShieldCheck,
  Shuffle,
  Split,
  Tag,
  UserPlus,
  Webhook,
  Workflow,
} from 'lucide-react'
import type { ComponentType } from 'react'

export type KindIcon = ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>

export const KIND_GROUPS = {
  flow: ['start', 'true_false', 'switch', 'fork', 'join', 'for_each', 'sub_playbook'],
  wait: ['manual', 'trigger', 'delay', 'wait_until'],
  tell: ['email', 'notify_reporter', 'statement_of_reasons', 'comment'],
  case: ['set_state', 'assign', 'tag', 'set_field', 'set_deadline', 'resolve', 'close', 'end'],
  systems: ['lookup', 'verify', 'mitigate', 'api_caller', 'webhook'],
  notes: ['divider'],
} as const satisfies Record<string, readonly string[]>

export type KindGroup = keyof typeof KIND_GROUPS | 'other'

export function groupOf(kind: string): KindGroup {
  for (const [group, kinds] of Object.entries(KIND_GROUPS)) {
    const names: readonly string[] = kinds
    if (names.includes(kind) && isGroup(group)) return group
  }
  return 'other'
}

function isGroup(text: string): text is keyof typeof KIND_GROUPS {
  return Object.hasOwn(KIND_GROUPS, text)
}

const ICONS: Readonly<Record<string, KindIcon>> = {
  start: Play,
  true_false: Split,
  switch: Shuffle,
  fork: GitFork,
  join: Merge,
  for_each: Repeat,
  sub_playbook: Workflow,
  manual: Hand,
  trigger: MousePointerClick,
  delay: Clock,
  wait_until: Hourglass,
  email: Mail,
  notify_reporter: MailCheck,
  statement_of_reasons: FileText,
  comment: MessageSquare,
  set_state: Flag,
  assign: UserPlus,
  tag: Tag,
  set_field: Pencil,
  set_deadline: AlarmClock,
  resolve: CircleCheck,
  close: CircleX,
  end: CircleStop,
  lookup: Search,
  verify: ShieldCheck,
  mitigate: ShieldAlert,
  api_caller: Globe,
  webhook: Webhook,
  divider: Heading,
}

export function iconOf(kind: string): KindIcon {
  return ICONS[kind] ?? Workflow
}
