// The second step of a sign-in: a passkey, a code of the authenticator app, or a recovery code.

import { Anchor, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CaseworkError, type Schemas } from 'casework/client'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { hasPasskeys, PasskeyGivenUpError, signWithPasskey } from '../../data/passkeys.ts'
import type { OwnSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { messages } from './messages.ts'

type Way = 'passkey' | 'totp' | 'recovery_code'
const WAYS: readonly Way[] = ['passkey', 'totp', 'recovery_code']

interface SecondFactorProps {
  readonly needed: Schemas['SecondFactorNeeded']
  readonly onSession: (session: OwnSession) => void
  /** Where the sign-in can be begun again; its first step is good for five minutes. */
  readonly onStartOver?: () => void
}

export function SecondFactorForm({ needed, onSession, onStartOver }: SecondFactorProps) {
  const t = useText(messages)
  const ways = WAYS.filter(
    (way) => needed.ways.includes(way) && (way !== 'passkey' || hasPasskeys()),
  )
  const [chosen, setChosen] = useState<Way | null>(null)
  const way = chosen ?? ways[0] ?? 'recovery_code'
  return (
    <div className="stack">
      {way === 'passkey' ? (
        <PasskeyStep onSession={onSession} />
      ) : (
        <CodeStep key={way} isRecovery={way === 'recovery_code'} onSession={onSession} />
      )}
      {ways
        .filter((one) => one !== way)
        .map((one) => (
          <Anchor key={one} component="button" type="button" onClick={() => setChosen(one)}>
            {t(`use_${one}`)}
          </Anchor>
        ))}
      {onStartOver !== undefined && (
        <Anchor component="button" type="button" onClick={onStartOver}>
          {t('start_over')}
        </Anchor>
      )}
    </div>
  )
}

type StepProps = Pick<SecondFactorProps, 'onSession'>

function PasskeyStep({ onSession }: StepProps) {
  const t = useText(messages)
  const prove = useMutation({
    mutationFn: async () => {
      const { options } = await casework.post('/beta/session/second-factor/options')
      const passkey = await signWithPasskey(options)
      return await casework.post('/beta/session/second-factor', { body: { passkey } })
    },
    onSuccess: onSession,
  })
  const isGivenUp = prove.error instanceof PasskeyGivenUpError
  return (
    <>
      <FormProblem error={prove.error} text={isGivenUp ? t('passkey_given_up') : undefined} />
      <Button
        fullWidth
        autoFocus
        leftSection={<KeyRound size={16} aria-hidden />}
        loading={prove.isPending}
        onClick={() => prove.mutate()}
      >
        {t('use_passkey')}
      </Button>
    </>
  )
}

function CodeStep({ isRecovery, onSession }: StepProps & { readonly isRecovery: boolean }) {
  const t = useText(messages)
  const [code, setCode] = useState('')
  const prove = useMutation({
    mutationFn: (body: Schemas['SecondFactor']) =>
      casework.post('/beta/session/second-factor', { body }),
    onSuccess: onSession,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    prove.mutate(isRecovery ? { recovery_code: code } : { code })
  }
  const isWrong = prove.error instanceof CaseworkError && prove.error.code === 'APP_FACTOR_REFUSED'
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t(isRecovery ? 'recovery_code' : 'code')}
        description={t(isRecovery ? 'recovery_help' : 'code_help')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoFocus
        required
        withAsterisk={false}
      />
      <FormProblem error={prove.error} text={isWrong ? t('code_wrong') : undefined} />
      <Button type="submit" fullWidth loading={prove.isPending}>
        {t('act')}
      </Button>
    </form>
  )
}
