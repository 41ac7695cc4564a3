// Why somebody changed a run; kept in the history of its case.

import { TextInput } from '@mantine/core'
import { useText } from '../../messages/use-text.ts'
import { messages } from '../runs/messages.ts'

export function Reason({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const t = useText(messages)
  return (
    <TextInput
      label={t('why')}
      description={t('why_hint')}
      value={value}
      maxLength={1_000}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
