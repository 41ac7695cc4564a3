// Setting up an authenticator app: its QR code, the same as text, and a code that confirms it. The
// secret is asked for once per opening, and counts for nothing before the code.

import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CaseworkError } from 'casework/client'
import { Copy } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { encode } from 'uqr'
import { casework } from '../../data/client.ts'
import { withProof } from '../../data/proof.ts'
import { useText } from '../../messages/use-text.ts'
import { copyAndSay } from '../../parts/copy-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { takeFactors } from './data.ts'
import { isGivenUp } from './given-up.ts'
import { messages } from './security-messages.ts'

interface EnrolAppProps {
  /** With the first recovery codes, or null where there were some. */
  readonly onDone: (codes: readonly string[] | null) => void
  readonly onGivenUp: () => void
}

export function EnrolApp({ onDone, onGivenUp }: EnrolAppProps) {
  const t = useText(messages)
  const begin = useMutation({
    mutationFn: () => withProof(() => casework.post('/beta/session/factors/totp')),
    onError: (error) => {
      if (isGivenUp(error)) onGivenUp()
    },
  })
  const { mutate } = begin
  const hasBegun = useRef(false)
  useEffect(() => {
    // React mounts twice while developing; a second secret would replace the one that is shown.
    if (hasBegun.current) return
    hasBegun.current = true
    mutate()
  }, [mutate])
  if (begin.error !== null) return <FormProblem error={begin.error} />
  if (begin.data === undefined) return <Loading lines={5} />
  const { secret, otpauth_uri: uri } = begin.data
  const copy = (): Promise<void> => copyAndSay(secret, t('copied'))
  return (
    <div className="stack">
      <div>{t('app_scan')}</div>
      <QrCode text={uri} title={t('app_qr')} />
      <div className="security-secret">
        <div>
          <div className="dim small">{t('app_type')}</div>
          <code className="mono">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
        <Button
          variant="subtle"
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copy()}
        >
          {t('copy')}
        </Button>
      </div>
      <ConfirmForm onDone={onDone} />
    </div>
  )
}

function ConfirmForm({ onDone }: Pick<EnrolAppProps, 'onDone'>) {
  const t = useText(messages)
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () =>
      withProof(() => casework.post('/beta/session/factors/totp/confirm', { body: { code } })),
    async onSuccess({ recovery_codes: codes, ...factors }) {
      await takeFactors(factors)
      onDone(codes)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    confirm.mutate()
  }
  const { error } = confirm
  const isWrong = error instanceof CaseworkError && error.code === 'APP_FACTOR_REFUSED'
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t('app_code')}
        description={t('app_code_help')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        data-autofocus
      />
      {!isGivenUp(error) && (
        <FormProblem error={error} text={isWrong ? t('app_code_wrong') : undefined} />
      )}
      <Button type="submit" fullWidth loading={confirm.isPending}>
        {t('app_confirm')}
      </Button>
    </form>
  )
}

/** Dark on white in both schemes: cameras do not read the other way round. */
function QrCode({ text, title }: { readonly text: string; readonly title: string }) {
  const { size, data } = encode(text, { border: 2 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={title}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
