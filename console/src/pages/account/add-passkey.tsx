// Registering a passkey: its name here, then the browser asks the device.

import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { createPasskey, PasskeyGivenUpError, PasskeyKnownError } from '../../data/passkeys.ts'
import { ProofGivenUpError, withProof } from '../../data/proof.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { takeFactors } from './data.ts'
import { nameBrowser } from './name-browser.ts'
import { messages } from './security-messages.ts'

interface AddPasskeyProps {
  /** With the first recovery codes, or null where there were some. */
  readonly onDone: (codes: readonly string[] | null) => void
}

export function AddPasskey({ onDone }: AddPasskeyProps) {
  const t = useText(messages)
  const [name, setName] = useState(() => nameBrowser(navigator.userAgent) ?? '')
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await withProof(() =>
        casework.post('/beta/session/factors/passkeys/options'),
      )
      const credential = await createPasskey(options)
      return await casework.post('/beta/session/factors/passkeys', {
        body: { name: name.trim(), credential },
      })
    },
    async onSuccess({ recovery_codes: codes, ...factors }) {
      await takeFactors(factors)
      onDone(codes)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.mutate()
  }
  const { error } = add
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t('passkey_name')}
        description={t('passkey_name_help')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      {!(error instanceof ProofGivenUpError) && (
        <FormProblem error={error} text={sayWhy(error, t)} />
      )}
      <Button type="submit" fullWidth loading={add.isPending}>
        {t('passkey_ask')}
      </Button>
    </form>
  )
}

function sayWhy(
  error: unknown,
  t: (key: 'passkey_given_up' | 'passkey_known') => string,
): string | undefined {
  if (error instanceof PasskeyGivenUpError) return t('passkey_given_up')
  return error instanceof PasskeyKnownError ? t('passkey_known') : undefined
}
