// A line of the timeline as people read it: what happened, by whom, and what belongs to it.

import {
  ArrowRightLeft,
  CircleAlert,
  CircleDot,
  FileText,
  Gavel,
  GitMerge,
  GitPullRequestArrow,
  Lock,
  LockOpen,
  Mail,
  MessageSquare,
  Pencil,
  Play,
  Reply,
  Shield,
  Siren,
  TriangleAlert,
} from 'lucide-react'
import { useMemo } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { type Text, useText } from '../../messages/use-text.ts'
import type { Tone } from '../../parts/badges.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { useRunFailure } from '../../parts/run-failure.ts'
import type { TimelineEntry } from '../../parts/timeline.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import { describeChanges } from './describe-changes.ts'
import { EventsBody, EventsTitle } from './events-line.tsx'
import type { Entry, EntryLine, EventsLine, Line, VisitsLine } from './fold-timeline.ts'
import { messages } from './messages.ts'
import { NoticeBody } from './notice-body.tsx'
import { VisitsTitle } from './visits-line.tsx'

type Key = keyof (typeof messages)['en']

interface Texts {
  readonly t: Text<Key>
  readonly ts: Text<keyof (typeof sharedMessages)['en']>
  readonly tp: Text<keyof (typeof partMessages)['en']>
  readonly sayFailure: (reason: string) => string
  readonly sayTime: (at: Date) => string
}

type Look = Pick<TimelineEntry, 'icon' | 'title'> &
  Partial<Pick<TimelineEntry, 'tone' | 'by' | 'body'>>

export function useDescribedLines(lines: readonly Line[]): readonly TimelineEntry[] {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const tp = useText(partMessages)
  const sayFailure = useRunFailure()
  const { time: sayTime } = useFormat()
  return useMemo(() => {
    const texts = { t, ts, tp, sayFailure, sayTime }
    return lines.map((line) => ({ id: line.id, at: line.at, ...describe(line, texts) }))
  }, [lines, t, ts, tp, sayFailure, sayTime])
}

function describe(line: Line, texts: Texts): Look {
  switch (line.kind) {
    case 'events':
      return describeEvents(line)
    case 'visits':
      return describeVisits(line)
    case 'entry':
      return describeEntry(line, texts)
  }
}

function describeEvents(line: EventsLine): Look {
  return {
    icon: Siren,
    tone: 'blue',
    title: <EventsTitle line={line} />,
    by: line.sender,
    body: <EventsBody line={line} />,
  }
}

function describeVisits({ steps }: VisitsLine): Look {
  return { icon: Play, tone: 'violet', title: <VisitsTitle steps={steps} /> }
}

function describeEntry({ entry }: EntryLine, texts: Texts): Look {
  switch (entry.kind) {
    case 'comment':
      return describeComment(entry, texts)
    case 'notice':
      return describeNotice(entry, texts)
    case 'mitigation':
      return describeMitigation(entry, texts)
    case 'report':
      return {
        icon: FileText,
        title: texts.t('report_came'),
        by: entry.actor,
        ...(entry.text === undefined ? {} : { body: entry.text }),
      }
    case 'attempt':
      return describeAttempt(entry, texts)
    case 'history':
      return describeHistory(entry, texts)
    case 'event':
    case 'visit':
      return { icon: CircleDot, title: entry.what }
  }
}

/** Playbooks and the program itself are no people. */
function nameActor({ actor, actor_name: name, data }: Entry, t: Text<Key>): string {
  if (data['actor_kind'] === 'run' || actor?.includes(':') === true) return t('by_playbook')
  if (data['actor_kind'] === 'system') return t('by_system')
  return name ?? actor ?? ''
}

function describeComment(entry: Entry, { t }: Texts): Look {
  const body = <div className="comment-text">{entry.text}</div>
  if (!entry.is_foreign) {
    return { icon: MessageSquare, title: nameActor(entry, t), by: t('commented'), body }
  }
  const party = pick(entry.data['party'], ['customer', 'reporter', 'other'] as const) ?? 'other'
  const isAutomatic = entry.data['is_automatic'] === true
  return {
    icon: Reply,
    tone: isAutomatic ? 'grey' : 'green',
    title: t(isAutomatic ? `automatic_${party}` : `answer_${party}`),
    by: entry.actor,
    body,
  }
}

const NOTICE_TONES = {
  sent: 'green',
  waiting: 'blue',
  held: 'amber',
  suppressed: 'amber',
  bounced: 'red',
  failed: 'red',
} as const satisfies Record<string, Tone>
const NOTICE_STATES = ['sent', 'waiting', 'held', 'suppressed', 'bounced', 'failed'] as const

function describeNotice(entry: Entry, { t }: Texts): Look {
  const state = pick(entry.what, NOTICE_STATES) ?? 'waiting'
  const party = pick(entry.data['party'], ['customer', 'reporter', 'other'] as const) ?? 'other'
  return {
    icon: Mail,
    tone: NOTICE_TONES[state],
    title: `${t(`mail_${party}`)}, ${t(`notice_${state}`)}`,
    by: textOfData(entry, 'recipient'),
    body: (
      <NoticeBody id={entry.id} subject={entry.text ?? ''} reason={textOfData(entry, 'reason')} />
    ),
  }
}

function describeMitigation(entry: Entry, { t }: Texts): Look {
  const state =
    pick(entry.what, ['pending', 'active', 'failed', 'removing', 'removed'] as const) ?? 'pending'
  const kind = textOfData(entry, 'kind')
  return {
    icon: Shield,
    tone: state === 'failed' ? 'red' : 'violet',
    title: `${nameKind(kind, t)} ${textOfData(entry, 'target')}, ${t(`mitigation_${state}`)}`,
    by: nameActor(entry, t),
    ...(entry.text === undefined ? {} : { body: entry.text }),
  }
}

const MITIGATIONS = [
  'suspend',
  'null_route',
  'dns_hold',
  'block_port',
  'takedown',
  'custom',
] as const

export function nameKind(kind: string, t: Text<Key>): string {
  const known = pick(kind, MITIGATIONS)
  return known === undefined ? kind : t(`mitigate_${known}`)
}

function describeAttempt(entry: Entry, { t }: Texts): Look {
  const of = pick(entry.data['of'], ['notice', 'mitigation', 'run'] as const) ?? 'run'
  const number = Number(entry.data['attempt'] ?? 1)
  const outcome = pick(entry.what, ATTEMPTS)
  const isFine = outcome === 'done' || outcome === 'accepted'
  return {
    icon: isFine ? CircleDot : TriangleAlert,
    tone: isFine ? 'grey' : 'amber',
    title: `${t(`attempt_${of}`, { number })}: ${outcome === undefined ? entry.what : t(`outcome_${outcome}`)}`,
    by: textOfData(entry, 'node'),
    ...(entry.text === undefined ? {} : { body: entry.text }),
  }
}

const ATTEMPTS = [
  'done',
  'accepted',
  'sent',
  'refused',
  'failed',
  'over',
  'retry',
  'postponed',
  'interrupted',
  'under_way',
] as const

const HISTORY = {
  open: [CircleDot, 'blue'],
  move: [ArrowRightLeft, 'violet'],
  change: [Pencil, 'grey'],
  late_event: [CircleAlert, 'grey'],
  relapse_event: [CircleAlert, 'amber'],
  reassign: [ArrowRightLeft, 'grey'],
  correct: [Pencil, 'grey'],
  trigger: [Gavel, 'violet'],
  run_failed: [TriangleAlert, 'red'],
  run_ended: [CircleDot, 'grey'],
  run_overdue: [TriangleAlert, 'amber'],
  run_cancelled: [CircleAlert, 'grey'],
  run_paused: [CircleAlert, 'amber'],
  run_resumed: [Play, 'grey'],
  run_migrated: [ArrowRightLeft, 'grey'],
  merge: [GitMerge, 'violet'],
  unmerge: [GitPullRequestArrow, 'violet'],
  split: [GitPullRequestArrow, 'violet'],
  seal: [Lock, 'grey'],
  retention: [Lock, 'grey'],
  hold: [Lock, 'amber'],
  lift_hold: [LockOpen, 'grey'],
  repair: [Pencil, 'grey'],
} as const

const RUN_ENDS: ReadonlySet<string> = new Set(['run_failed', 'run_ended', 'run_cancelled'])

function describeHistory(entry: Entry, texts: Texts): Look {
  const { t, tp } = texts
  const known = isHistory(entry.what) ? entry.what : null
  const [icon, tone] = known === null ? ([CircleDot, 'grey'] as const) : HISTORY[known]
  const to = pick(entry.data['to_state'], ['NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'] as const)
  const changed = describeChanges(entry.data['changes'], texts)
  const isMove = known === 'move' && to !== undefined
  let title = known === null ? entry.what : t(`history_${known}`)
  if (isMove) title = t('moved_to', { state: tp(`state_${to}`) })
  const isSplit =
    known === 'open' && changed.length > 0 && JSON.stringify(entry.data).includes('split_from')
  const details = known === 'open' && !isSplit ? [] : changed
  if (known === 'change' && details.length > 0) title = details.join('; ')
  const more = known === 'change' ? [] : details
  const body = [...more, ...(entry.text === undefined ? [] : [sayReason(entry, texts)])].join('\n')
  return { icon, tone, title, by: nameActor(entry, t), ...(body === '' ? {} : { body }) }
}

function isHistory(what: string): what is keyof typeof HISTORY {
  return Object.hasOwn(HISTORY, what)
}

/** What the program gives as a reason is one word. */
function sayReason({ what, text = '' }: Entry, { t, sayFailure }: Texts): string {
  if (what === 'run_overdue' && text === 'deadline_passed') return t('deadline_passed')
  return RUN_ENDS.has(what) ? sayFailure(text) : text
}

function textOfData({ data }: Entry, name: string): string {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}

function pick<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === value)
}
