// The people and groups of the tenant, found by typing; Enter takes the one that is marked.

import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { User, Users } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { FirstOnly } from '../../../parts/first-only.tsx'
import { FormProblem } from '../../../parts/form-problem.tsx'
import { messages } from './messages.ts'

export interface AssigneeListProps {
  /** Null is nobody. */
  readonly onPick: (id: string | null, name: string) => void
}

interface Choice {
  readonly id: string | null
  readonly name: string
  readonly isGroup: boolean
}

// A tenant with more finds the rest by the filter of the queue.
const ASSIGNEES_MAX = 1_000
const SHOWN_MAX = 50

export function useAssignees() {
  return useQuery({
    queryKey: ['assignees'],
    queryFn: async () => {
      const query = { limit: ASSIGNEES_MAX }
      const { items } = await casework.get('/beta/casework/assignees', { params: { query } })
      return items
    },
    staleTime: 5 * 60_000,
  })
}

export function AssigneeList({ onPick }: AssigneeListProps) {
  const t = useText(messages)
  const listId = useId()
  const { user } = useSession()
  const { data = [], error } = useAssignees()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [picked, setPicked] = useState<Choice | null>(null)
  const choices: readonly Choice[] = [
    { id: user.id, name: t('me'), isGroup: false },
    { id: null, name: t('nobody'), isGroup: false },
    ...data
      .filter(({ id }) => id !== user.id)
      .map(({ id, name, kind }) => ({ id, name, isGroup: kind === 'group' })),
  ]
  const asked = text.trim().toLowerCase()
  const found = choices.filter(({ id, name }) =>
    `${name} ${id === user.id ? user.name : ''}`.toLowerCase().includes(asked),
  )
  const shown = found.slice(0, SHOWN_MAX)
  const active = Math.min(at, shown.length - 1)
  const pick = (choice: Choice | undefined): void => {
    if (choice === undefined) return
    setPicked(choice)
    onPick(choice.id, choice.id === user.id ? user.name : choice.name)
  }
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : -1
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt((active + step + shown.length) % Math.max(1, shown.length))
    } else if (event.key === 'Enter') {
      const choice = shown[active]
      // A second Enter on the one that is taken sends the form.
      if (choice !== undefined && choice.id === picked?.id) return
      event.preventDefault()
      pick(choice)
    }
  }
  return (
    <div>
      <TextInput
        label={t('assignee')}
        placeholder={t('find_assignee')}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown[active] === undefined ? undefined : `${listId}-${active}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id={listId} role="listbox" aria-label={t('assignee')} className="choice-list">
        {shown.map((choice, index) => (
          <div
            key={choice.id ?? 'nobody'}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={picked === null ? index === active : choice.id === picked.id}
            data-active={index === active ? '' : undefined}
            className="choice"
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseMove={() => setAt(index)}
            onClick={() => pick(choice)}
            onKeyDown={press}
          >
            {choice.isGroup ? <Users size={16} aria-hidden /> : <User size={16} aria-hidden />}
            <span className="cut">{choice.name}</span>
            {choice.isGroup && <span className="dim small">{t('group')}</span>}
          </div>
        ))}
        {shown.length === 0 && <div className="choice dim">{t('none_found')}</div>}
      </div>
      <FirstOnly count={SHOWN_MAX} isCut={found.length > SHOWN_MAX} />
      {data.length === 0 && <FormProblem error={error} />}
    </div>
  )
}
