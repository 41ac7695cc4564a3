// Lists of check boxes: roles, scopes, people, types of messages.

import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { rolesQuery } from './data.ts'
import { SCOPE_NAMES, scopeWords } from './scope-words.ts'

interface Choice {
  readonly value: string
  readonly title: ReactNode
  readonly help?: ReactNode
  readonly isDisabled?: boolean
}

export interface ChoicesProps {
  readonly title: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

export function Choices({ title, choices, chosen, onChange }: ChoicesProps) {
  const id = useId()
  return (
    <div>
      <div className="choices-title" id={id}>
        {title}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <div className="choices" role="group" aria-labelledby={id} tabIndex={0}>
        {choices.map(({ value, title: name, help, isDisabled = false }) => (
          <Checkbox
            key={value}
            label={name}
            description={help}
            disabled={isDisabled}
            checked={chosen.includes(value)}
            onChange={() =>
              onChange(
                chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value],
              )
            }
          />
        ))}
      </div>
    </div>
  )
}

type Picker = Pick<ChoicesProps, 'title' | 'chosen' | 'onChange'>

/** Only scopes that the person holds can be handed on. */
export function ScopeChoices(props: Picker) {
  const t = useText(scopeWords)
  const { scopes } = useSession()
  const choices = SCOPE_NAMES.filter(
    (scope) => scopes.includes(scope) || props.chosen.includes(scope),
  ).map((scope) => ({ value: scope, title: <span className="mono">{scope}</span>, help: t(scope) }))
  return <Choices {...props} choices={choices} />
}

/** A role that allows more than the person may is shown, and cannot be chosen. */
export function RoleChoices(props: Picker) {
  const { scopes } = useSession()
  const { data: roles = [], error } = useQuery(rolesQuery)
  if (error !== null && roles.length === 0) return <FormProblem error={error} />
  const choices = roles.map((role) => ({
    value: role.name,
    title: role.name,
    help: role.description,
    isDisabled: role.scopes.some((scope) => !scopes.includes(scope)),
  }))
  return <Choices {...props} choices={choices} />
}

export function Words({ words }: { readonly words: readonly string[] }) {
  return (
    <span className="words">
      {words.map((word) => (
        <span key={word} className="word">
          {word}
        </span>
      ))}
    </span>
  )
}
