// Asks again who the person is, before a change of factors: somebody else may sit at the browser.

import { Anchor, Button, Group, Modal, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { type FormEvent, useEffect, useState } from 'react'
import { casework } from '../../data/client.ts'
import { holdProofs, useWaitingForProof } from '../../data/proof.ts'
import { noteFailure } from '../../data/query-client.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { takeFactors } from './data.ts'
import { isProofRefused } from './proof-refused.ts'
import { messages } from './security-messages.ts'

type Way = keyof Schemas['SessionProof']
const WAYS: readonly Way[] = ['password', 'code', 'recovery_code']

interface ProofDialogProps {
  readonly factors: Schemas['Factors']
}

export function ProofDialog({ factors }: ProofDialogProps) {
  const t = useText(messages)
  const waiting = useWaitingForProof()
  useEffect(holdProofs, [])
  if (waiting === null) return null
  return (
    <Modal
      opened
      onClose={waiting.onGivenUp}
      title={t('proof')}
      closeButtonProps={{ 'aria-label': t('close') }}
      // Over the dialog whose act waits.
      zIndex={300}
    >
      <ProofForm factors={factors} onProven={waiting.onProven} onGivenUp={waiting.onGivenUp} />
    </Modal>
  )
}

interface ProofFormProps extends ProofDialogProps {
  readonly onProven: () => void
  readonly onGivenUp: () => void
}

function ProofForm({ factors, onProven, onGivenUp }: ProofFormProps) {
  const t = useText(messages)
  const [way, setWay] = useState<Way>('password')
  const [text, setText] = useState('')
  const prove = useMutation({
    mutationFn: (body: Schemas['SessionProof']) => casework.post('/beta/session/proof', { body }),
    onError: (error) => {
      if (!isProofRefused(error)) noteFailure(error)
    },
    async onSuccess(proven) {
      await takeFactors(proven)
      onProven()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // It floats over a form whose own submission waits for this one.
    event.stopPropagation()
    prove.mutate({ [way]: text })
  }
  const choose = (next: Way): void => {
    setWay(next)
    setText('')
    prove.reset()
  }
  const has: Readonly<Record<Way, boolean>> = {
    password: true,
    code: factors.totp_since !== null,
    recovery_code: factors.recovery_codes_left > 0,
  }
  const isWrong = isProofRefused(prove.error)
  const Field = way === 'password' ? PasswordField : TextInput
  return (
    <form className="stack" onSubmit={submit}>
      <div>{t('proof_lede')}</div>
      <Field
        key={way}
        label={t(`proof_${way}`)}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete={way === 'password' ? 'current-password' : 'one-time-code'}
        inputMode={way === 'code' ? 'numeric' : 'text'}
        data-autofocus
        autoFocus
        required
        withAsterisk={false}
      />
      <FormProblem error={prove.error} text={isWrong ? t(`proof_wrong_${way}`) : undefined} />
      <div className="security-ways">
        {WAYS.filter((one) => one !== way && has[one]).map((one) => (
          <Anchor key={one} component="button" type="button" onClick={() => choose(one)}>
            {t(`proof_use_${one}`)}
          </Anchor>
        ))}
        <Anchor href="/sign-in?next=%2Faccount%3Ftab%3Dsecurity">{t('proof_sign_in')}</Anchor>
      </div>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onGivenUp}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={prove.isPending}>
          {t('proof_act')}
        </Button>
      </Group>
    </form>
  )
}
