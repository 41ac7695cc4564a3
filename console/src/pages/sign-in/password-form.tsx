// Address and password, the way that works without anything else.

import { Anchor, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CaseworkError, type Schemas } from 'casework/client'
import type { FormEvent } from 'react'
import { casework } from '../../data/client.ts'
import type { OwnSession } from '../../data/session.ts'
import { isSecondFactorNeeded } from '../../data/take-session.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { messages } from './messages.ts'

interface PasswordFormProps {
  readonly onSession: (session: OwnSession) => void
  readonly onNeeded: (needed: Schemas['SecondFactorNeeded']) => void
}

export function PasswordForm({ onSession, onNeeded }: PasswordFormProps) {
  const t = useText(messages)
  const signIn = useMutation({
    mutationFn: (body: { readonly email: string; readonly password: string }) =>
      casework.post('/beta/session', { body }),
    onSuccess: (answer) => {
      if (isSecondFactorNeeded(answer)) onNeeded(answer)
      else onSession(answer)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({
      email: readField(form, 'email').trim(),
      password: readField(form, 'password'),
    })
  }
  const isWrong = signIn.error instanceof CaseworkError && signIn.error.status === 401
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
      />
      <div>
        <PasswordField
          name="password"
          label={t('password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <Anchor component={Link} to="/forgotten-password" className="forgotten small">
          {t('forgotten')}
        </Anchor>
      </div>
      <FormProblem error={signIn.error} text={isWrong ? t('wrong') : undefined} />
      <Button type="submit" fullWidth loading={signIn.isPending}>
        {t('act')}
      </Button>
    </form>
  )
}

function readField(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
