// `/forgotten-password`: asks for a mail with a link for a new password. A server that sends no mail
// says who can make a link instead. The answer is the same whether there is such an account or not.

import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { signInWaysQuery } from '../../data/sign-in-ways.ts'
import { useLanguage, useText } from '../../messages/use-text.ts'
import { CodeText } from '../../parts/code-text.tsx'
import { Door } from '../../parts/door.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { messages } from './messages.ts'

export function ForgottenView() {
  const t = useText(messages)
  const ways = useQuery(signInWaysQuery)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const back = (
    <Button component={Link} to="/sign-in" variant="default" fullWidth>
      {t('back')}
    </Button>
  )
  if (ways.isPending) {
    return (
      <Door title={t('forgotten_title')}>
        <Loading lines={3} />
      </Door>
    )
  }
  const way = ways.data?.forgotten_password
  if (way?.available === false) {
    return (
      <Door
        title={t('forgotten_title')}
        lede={
          <span lang="en">
            <CodeText text={way.reason ?? ''} />
          </span>
        }
      >
        {back}
      </Door>
    )
  }
  if (sentTo !== null) {
    return (
      <Door title={t('sent_title')} lede={t('sent', { email: sentTo })}>
        {back}
      </Door>
    )
  }
  return (
    <Door title={t('forgotten_title')} lede={t('forgotten_lede')}>
      <div className="stack">
        <ForgottenForm onSent={setSentTo} />
        {back}
      </div>
    </Door>
  )
}

function ForgottenForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const t = useText(messages)
  const language = useLanguage()
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: (to: string) =>
      casework.post('/beta/session/password/forgotten', { body: { email: to, language } }),
    onSuccess: (_answer, to) => onSent(to),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    ask.mutate(email.trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        type="email"
        label={t('email')}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
      />
      <FormProblem error={ask.error} />
      <Button type="submit" fullWidth loading={ask.isPending}>
        {t('send_link')}
      </Button>
    </form>
  )
}
