// The kinds of nodes by group. Drag one onto the canvas, or press it: it comes behind the selected
// node, else to the end.

import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { DRAGGED_KIND } from '../../parts/playbook-graph/dragged-kind.ts'
import { groupOf, KIND_GROUPS } from '../../parts/playbook-graph/kind-groups.ts'
import { KindIcon } from '../../parts/playbook-graph/kind-icon.tsx'
import { useKindTitle } from '../../parts/playbook-graph/messages.ts'
import type { NodeKind } from './data.ts'
import { messages } from './messages.ts'
import { useNodeWords } from './node-words.tsx'

export interface PaletteProps {
  readonly kinds: readonly NodeKind[]
  /** A playbook has one start. */
  readonly hasStart: boolean
  readonly onAdd: (kind: string) => void
}

const GROUPS = [...Object.keys(KIND_GROUPS), 'other'] as const

export function Palette({ kinds, hasStart, onAdd }: PaletteProps) {
  const t = useText(messages)
  const titleOf = useKindTitle()
  const say = useNodeWords()
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const found = kinds.filter(
    ({ kind, title, description }) =>
      !(kind === 'start' && hasStart) &&
      `${kind} ${titleOf(kind, title)} ${say(description)}`.toLowerCase().includes(wanted),
  )
  return (
    <div className="palette">
      <TextInput
        aria-label={t('find_kind')}
        placeholder={t('find_kind')}
        leftSection={<Search size={14} aria-hidden />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = found
          if (event.key !== 'Enter' || first === undefined) return
          event.preventDefault()
          onAdd(first.kind)
        }}
      />
      <p className="dim small palette-hint">{t('palette_hint')}</p>
      {found.length === 0 && <p className="dim">{t('no_kind')}</p>}
      {GROUPS.map((group) => {
        const ofGroup = found.filter(({ kind }) => groupOf(kind) === group)
        if (ofGroup.length === 0) return null
        return (
          <section key={group} aria-label={t(groupKey(group))}>
            <h2 className="palette-group">{t(groupKey(group))}</h2>
            {ofGroup.map(({ kind, title, description }) => (
              <button
                key={kind}
                type="button"
                className="palette-kind"
                data-group={group}
                title={say(description)}
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.setData(DRAGGED_KIND, kind)
                  event.dataTransfer.effectAllowed = 'copy'
                }}
                onClick={() => onAdd(kind)}
              >
                <span className="node-icon">
                  <KindIcon kind={kind} />
                </span>
                <span className="cut">{titleOf(kind, title)}</span>
              </button>
            ))}
          </section>
        )
      })}
    </div>
  )
}

function groupKey(group: string): `group_${keyof typeof KIND_GROUPS | 'other'}` {
  switch (group) {
    case 'flow':
    case 'wait':
    case 'tell':
    case 'case':
    case 'systems':
    case 'notes':
      return `group_${group}`
    default:
      return 'group_other'
  }
}
