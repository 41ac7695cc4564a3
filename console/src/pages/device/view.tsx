// A login by code: the person types the code that the program shows, sees who asks and what the
// token could do, and decides. A link with the code spares the typing, never the decision.

import './device.css'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { CaseworkError, type Schemas } from 'casework/client'
import { type FormEvent, useEffect, useState } from 'react'
import { casework } from '../../data/client.ts'
import { noteFailure } from '../../data/query-client.ts'
import { useSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Door } from '../../parts/door.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Decision } from './decision.tsx'
import { messages } from './messages.ts'
import { writeUserCode } from './user-code.ts'

const CODE_FORM = 'XXXX-XXXX'

export interface Waiting {
  readonly code: string
  readonly login: Schemas['WaitingLogin']
}

export function DeviceView() {
  const t = useText(messages)
  const { user, tenant_id: tenant } = useSession()
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const [decided, setDecided] = useState<'approved' | 'denied' | null>(null)
  const foot = t('signed_in_as', { email: user.email, tenant })
  if (decided !== null) {
    const client = waiting?.login.client_name ?? ''
    return (
      <Door title={t(decided)} lede={t(`${decided}_lede`, { client })} foot={foot}>
        <Button component={Link} to="/" variant="default" fullWidth>
          {t('to_console')}
        </Button>
      </Door>
    )
  }
  if (waiting !== null) {
    return (
      <Door title={t('decide')} foot={foot}>
        <Decision
          waiting={waiting}
          tenant={tenant}
          onDecided={setDecided}
          onOther={() => setWaiting(null)}
        />
      </Door>
    )
  }
  return (
    <Door title={t('title')} lede={t('lede')} foot={foot}>
      <CodeForm onFound={setWaiting} />
    </Door>
  )
}

function CodeForm({ onFound }: { readonly onFound: (waiting: Waiting) => void }) {
  const t = useText(messages)
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const [code, setCode] = useState(() => writeUserCode(hash))
  const check = useMutation({
    mutationFn: (given: string) =>
      casework.post('/beta/session/device/check', { body: { user_code: given } }),
    onError: (error) => {
      if (!isUnknown(error)) noteFailure(error)
    },
    onSuccess(login, given) {
      // Going back, or a reload, does not check it again.
      history.replaceState(history.state, '', '/device')
      onFound({ code: given, login })
    },
  })
  const { mutate } = check
  useEffect(() => {
    const given = writeUserCode(hash)
    if (given.length === 9) mutate(given)
  }, [hash, mutate])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate(code)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t('code')}
        description={t('code_help')}
        classNames={{ input: 'device-code' }}
        value={code}
        onChange={(event) => setCode(writeUserCode(event.currentTarget.value))}
        placeholder={CODE_FORM}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        required
        withAsterisk={false}
      />
      <FormProblem error={check.error} text={isUnknown(check.error) ? t('unknown') : undefined} />
      <Button type="submit" fullWidth loading={check.isPending}>
        {t('check')}
      </Button>
    </form>
  )
}

function isUnknown(error: unknown): boolean {
  return error instanceof CaseworkError && error.code === 'APP_USER_CODE_NOT_FOUND'
}
