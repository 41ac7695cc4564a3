// A text field whose value stands in the URL. The router brings a value back only after it has
// loaded the page of it; until then letters would be lost, and the caret would jump to the end. So
// the field shows what is typed as long as it has the focus, unless something else changes the URL
// meanwhile (Back, a link): what the URL says counts then.

import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

export interface UrlFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** As the URL says it; empty when it says nothing. */
  readonly value: string
  /** Writes it into the URL. */
  readonly onChange: (value: string) => void
  /** What of a typed text is written; all of it when left out. */
  readonly read?: (typed: string) => string
  /** How long typing must stand still before it is written, in milliseconds; at once by default. */
  readonly stillMs?: number
}

export function UrlField({ value, onChange, read, stillMs = 0, ...others }: UrlFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [seen, setSeen] = useState(value)
  // What this field has written and the URL does not say yet.
  const [written, setWritten] = useState<readonly string[]>([])
  if (value !== seen) {
    setSeen(value)
    const at = written.indexOf(value)
    setWritten(at < 0 ? [] : written.slice(at + 1))
    if (written.length === 0) setTyped(null)
  }
  const write = (text: string): void => {
    const next = read?.(text) ?? text
    if (next === (written.at(-1) ?? value)) return
    setWritten([...written, next])
    onChange(next)
  }
  const writeLater = useDebouncedCallback(write, stillMs)
  return (
    <TextInput
      {...others}
      value={typed ?? value}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        if (stillMs === 0) write(next)
        else writeLater(next)
      }}
      onBlur={() => {
        writeLater.flush()
        setTyped(null)
      }}
    />
  )
}
