// A field for a password. The component library marks a wrong one by its colour only, names its
// button in English, and leaves the button out of the order of the keyboard.

import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

export function PasswordField(props: PasswordInputProps) {
  const t = useText(messages)
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      {...props}
      aria-invalid={Boolean(props.error)}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('password_shown') }}
    />
  )
}
