// A condition in CEL, with the names that it may use offered while it is typed.

import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeEditor } from '../../parts/code-editor.tsx'
import { CONDITION_COMPLETIONS } from './conditions.ts'

export interface ConditionFieldProps {
  readonly label: string
  readonly help?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: ReactNode
  readonly isReadOnly?: boolean
}

export function ConditionField({
  label,
  help,
  value,
  onChange,
  error,
  isReadOnly = false,
}: ConditionFieldProps) {
  return (
    <Input.Wrapper label={label} labelElement="div" description={help} error={error}>
      <CodeEditor
        label={label}
        value={value}
        onChange={onChange}
        isReadOnly={isReadOnly}
        completions={CONDITION_COMPLETIONS}
      />
    </Input.Wrapper>
  )
}
