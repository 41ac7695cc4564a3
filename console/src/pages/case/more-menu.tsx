// The acts on the case that are not buttons of their own.

import { Button, Menu } from '@mantine/core'
import {
  CalendarClock,
  ChevronDown,
  CircleDot,
  Gauge,
  GitMerge,
  GitPullRequestArrow,
  Link as LinkIcon,
  Lock,
  LockOpen,
  Play,
  Scissors,
  Tags,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { copyAndSay } from '../../parts/copy-text.ts'
import { messages as partMessages } from '../../parts/messages.ts'
import type { CaseDetail } from './data.ts'
import { messages } from './messages.ts'

export type CaseActKind =
  | 'assign'
  | 'state'
  | 'close'
  | 'severity'
  | 'tags'
  | 'comment'
  | 'deadline'
  | 'merge'
  | 'unmerge'
  | 'split'
  | 'hold'
  | 'lift'
  | 'start'
  | 'trigger'
  | 'mail'

interface MenuAct {
  readonly kind: CaseActKind
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>
  readonly keys?: string
}

export interface MoreMenuProps {
  readonly detail: CaseDetail
  readonly onAct: (kind: CaseActKind) => void
}

/** The acts that this person may take on this case, in groups. */
export function useMenuActs({ legal_hold: isHeld, state }: CaseDetail): readonly MenuAct[][] {
  const mayWrite = useMay('cases:write')
  const mayMove = useMay('cases:transition')
  const mayMerge = useMay('cases:merge')
  const mayHold = useMay('privacy:hold')
  const mayTrigger = useMay('playbooks:trigger')
  const changes: MenuAct[] = [
    ...(mayWrite && mayMove ? [{ kind: 'state', icon: CircleDot, keys: 's' } as const] : []),
    ...(mayWrite && mayMove && state !== 'CLOSED'
      ? [{ kind: 'close', icon: Lock, keys: 'e' } as const]
      : []),
    ...(mayWrite
      ? [
          { kind: 'severity', icon: Gauge } as const,
          { kind: 'tags', icon: Tags } as const,
          { kind: 'deadline', icon: CalendarClock } as const,
        ]
      : []),
  ]
  const merges: MenuAct[] = mayMerge
    ? [
        { kind: 'merge', icon: GitMerge, keys: 'm' },
        { kind: 'unmerge', icon: GitPullRequestArrow },
        { kind: 'split', icon: Scissors },
      ]
    : []
  const rest: MenuAct[] = [
    ...(mayTrigger ? [{ kind: 'start', icon: Play } as const] : []),
    ...(mayHold
      ? [{ kind: isHeld ? 'lift' : 'hold', icon: isHeld ? LockOpen : Lock } as const]
      : []),
  ]
  return [changes, merges, rest].filter((group) => group.length > 0)
}

export function MoreMenu({ detail, onAct }: MoreMenuProps) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const groups = useMenuActs(detail)
  const copyLink = (): Promise<void> =>
    copyAndSay(`${location.origin}/cases/${detail.id}`, tp('copied'))
  return (
    <Menu width={240}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
          {t('more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((acts) => (
          <div key={acts[0]?.kind}>
            {acts.map(({ kind, icon: Icon, keys }) => (
              <Menu.Item
                key={kind}
                leftSection={<Icon size={16} aria-hidden />}
                rightSection={keys === undefined ? null : <kbd className="dim small">{keys}</kbd>}
                onClick={() => onAct(kind)}
              >
                {t(`act_${kind}`)}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </div>
        ))}
        <Menu.Item leftSection={<LinkIcon size={16} aria-hidden />} onClick={() => void copyLink()}>
          {t('copy_link')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
