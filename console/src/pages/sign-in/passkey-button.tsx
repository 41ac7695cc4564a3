// One press: the browser asks the device, and the device says who the person is.

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { casework } from '../../data/client.ts'
import { PasskeyGivenUpError, signWithPasskey } from '../../data/passkeys.ts'
import type { OwnSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { messages } from './messages.ts'

interface PasskeyButtonProps {
  readonly onSession: (session: OwnSession) => void
}

export function PasskeyButton({ onSession }: PasskeyButtonProps) {
  const t = useText(messages)
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await casework.post('/beta/session/passkeys/options')
      const credential = await signWithPasskey(options)
      return await casework.post('/beta/session/passkeys', { body: { credential } })
    },
    onSuccess: onSession,
  })
  const isGivenUp = signIn.error instanceof PasskeyGivenUpError
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<KeyRound size={16} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('with_passkey')}
      </Button>
      <FormProblem error={signIn.error} text={isGivenUp ? t('passkey_given_up') : undefined} />
    </>
  )
}
