// A text field whose value stands in the URL. The router brings a value back only after it has
// loaded the page of it; until then letters would be lost, and the caret would jump to the end. So
// the field shows what is typed as long as it has the focus, and what the URL says after that.

import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

export interface UrlFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** As the URL says it; empty when it says nothing. */
  readonly value: string
  /** Writes it into the URL. */
  readonly onChange: (value: string) => void
}

export function UrlField({ value, onChange, ...others }: UrlFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      {...others}
      value={typed ?? value}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
