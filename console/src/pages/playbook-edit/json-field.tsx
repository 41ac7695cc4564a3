// A setting that no other field can hold, written as JSON. A text that is no JSON yet stays in the
// field.

import { Input } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { CodeEditor } from '../../parts/code-editor.tsx'
import { messages } from './messages.ts'

export interface JsonFieldProps {
  readonly label: string
  readonly description: ReactNode
  readonly withAsterisk: boolean
  readonly error: ReactNode
  readonly value: unknown
  /** Undefined leaves the setting out. */
  readonly onChange: (value: unknown) => void
}

interface TypedJson {
  readonly text: string
  /** The value that stands with the text, as JSON. Another one came from elsewhere, as by Undo. */
  readonly of: string | undefined
}

export function JsonField({ error, value, onChange, ...labels }: JsonFieldProps) {
  const t = useText(messages)
  const [typed, setTyped] = useState<TypedJson>()
  const isOwn = typed !== undefined && typed.of === JSON.stringify(value)
  const written = value === undefined ? '' : JSON.stringify(value, null, 2)
  const shown = isOwn ? typed.text : written
  const isFit = shown.trim() === '' || readJson(shown) !== undefined
  const change = (text: string): void => {
    const isEmpty = text.trim() === ''
    const read = isEmpty ? undefined : readJson(text)
    const isRead = isEmpty || read !== undefined
    setTyped({ text, of: JSON.stringify(isRead ? read : value) })
    if (isRead) onChange(read)
  }
  return (
    <Input.Wrapper {...labels} labelElement="div" error={isFit ? error : t('no_json')}>
      <CodeEditor label={labels.label} language="json" value={shown} onChange={change} />
    </Input.Wrapper>
  )
}

/** Undefined for a text that is no JSON. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
