// What a link asks for: name and address of the first person, and a password.

import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Schemas } from 'casework/client'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { enterSession, type OwnSession } from '../../data/session.ts'
import { isSecondFactorNeeded } from '../../data/take-session.ts'
import { useText } from '../../messages/use-text.ts'
import { Door } from '../../parts/door.tsx'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { SecondFactorForm } from '../sign-in/second-factor.tsx'
import { AcceptByProvider } from './accept-by-provider.tsx'
import { messages } from './messages.ts'

interface LinkFormProps {
  readonly link: string
  readonly checked: Schemas['CheckedLink']
}

export function LinkForm({ link, checked }: LinkFormProps) {
  const t = useText(messages)
  const { kind, email, name, tenant_id: tenant, has_password: isKnown } = checked
  const router = useRouter()
  const [needed, setNeeded] = useState<Schemas['SecondFactorNeeded'] | null>(null)
  const enter = (session: OwnSession): void => {
    enterSession(session)
    router.history.replace('/')
  }
  const redeem = useMutation({
    mutationFn: (given: Readonly<Record<string, string>> & { readonly password: string }) =>
      casework.post('/beta/session/links', { body: { link, ...given } }),
    onSuccess: (answer) => {
      if (isSecondFactorNeeded(answer)) setNeeded(answer)
      else enter(answer)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given: Record<string, string> = {}
    for (const [field, value] of new FormData(event.currentTarget)) {
      if (typeof value === 'string') given[field] = value
    }
    redeem.mutate({ ...given, password: given['password'] ?? '' })
  }
  // An invited person who is known already keeps name and password.
  const asksName = kind !== 'reset' && !(kind === 'invitation' && isKnown)
  const asksNew = !(kind === 'invitation' && isKnown)
  const { error } = redeem
  const hasOwnPlace = ['/name', '/email', '/password'].some(
    (pointer) => fieldProblem(error, pointer) !== undefined,
  )
  const lede = kind === 'invitation' && isKnown ? 'invitation_known' : (`${kind}_lede` as const)
  if (needed !== null) {
    return (
      <Door title={t(kind)}>
        <SecondFactorForm needed={needed} onSession={enter} />
      </Door>
    )
  }
  return (
    <Door title={t(kind)} lede={t(lede, { tenant: tenant ?? '', email: email ?? '' })}>
      <form className="stack" onSubmit={submit}>
        {asksName && (
          <TextInput
            name="name"
            label={t('name')}
            autoComplete="name"
            defaultValue={name ?? ''}
            error={fieldProblem(error, '/name')}
            autoFocus
            required
            withAsterisk={false}
          />
        )}
        <TextInput
          {...(email === null
            ? { name: 'email', required: true }
            : { value: email, readOnly: true })}
          type="email"
          label={t('email')}
          autoComplete="username"
          error={fieldProblem(error, '/email')}
          withAsterisk={false}
        />
        <PasswordField
          name="password"
          label={t(kind === 'reset' ? 'password_new' : 'password')}
          description={asksNew ? t('password_help') : undefined}
          autoComplete={asksNew ? 'new-password' : 'current-password'}
          error={fieldProblem(error, '/password')}
          autoFocus={!asksName}
          required
          withAsterisk={false}
        />
        {!hasOwnPlace && <FormProblem error={error} />}
        <Button type="submit" fullWidth loading={redeem.isPending}>
          {t(`act_${kind}`)}
        </Button>
      </form>
      {/* Somebody who has an account here links one of a provider from a session. */}
      {kind === 'invitation' && !isKnown && <AcceptByProvider link={link} />}
    </Door>
  )
}
