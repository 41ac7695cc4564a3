// `/enrol`: a second factor is required and the person has none. The session can do
// nothing else before, so the page leads nowhere else but out.

import './account.css'
import { Anchor, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { hasPasskeys } from '../../data/passkeys.ts'
import { queryClient } from '../../data/query-client.ts'
import { sessionQuery, signOut } from '../../data/session.ts'
import { signInWaysQuery } from '../../data/sign-in-ways.ts'
import { useText } from '../../messages/use-text.ts'
import { Door } from '../../parts/door.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Toasts } from '../../parts/toasts-view.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { factorsQuery } from './data.ts'
import { EnrolApp } from './enrol-app.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { enrolRoute } from './route.ts'
import { messages } from './security-messages.ts'

export function EnrolView() {
  const t = useText(messages)
  const { next = '/' } = enrolRoute.useSearch()
  const router = useRouter()
  const factors = useQuery(factorsQuery)
  const ways = useQuery(signInWaysQuery)
  const [way, setWay] = useState<'app' | 'passkey'>('app')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const goOn = useMutation({
    // It has the rights of the person now.
    mutationFn: () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }),
    onSuccess: () => router.history.replace(next),
  })
  const leave = useMutation({
    mutationFn: () => signOut(() => router.navigate({ to: '/sign-in', search: { why: 'left' } })),
  })
  const done = (made: readonly string[] | null): void => {
    if (made === null) goOn.mutate()
    else setCodes(made)
  }
  const problem = <FormProblem error={goOn.error ?? leave.error} />
  if (codes !== null) {
    return (
      <Door title={t('codes')}>
        <RecoveryCodes codes={codes} onKept={() => goOn.mutate()} />
        {problem}
        <Toasts />
      </Door>
    )
  }
  const hasChoice = ways.data?.passkeys.available === true && hasPasskeys()
  return (
    <Door
      title={t('enrol')}
      lede={t('enrol_lede')}
      foot={
        <Anchor component="button" type="button" onClick={() => leave.mutate()}>
          {t('sign_out')}
        </Anchor>
      }
    >
      <div className="stack">
        {hasChoice && (
          <SegmentedControl
            fullWidth
            aria-label={t('enrol_way')}
            value={way}
            data={[
              { value: 'app', label: t('app') },
              { value: 'passkey', label: t('passkey') },
            ]}
            onChange={setWay}
          />
        )}
        {way === 'app' ? (
          <EnrolApp onDone={done} onGivenUp={() => leave.mutate()} />
        ) : (
          <AddPasskey onDone={done} />
        )}
        {problem}
      </div>
      {factors.data !== undefined && <ProofDialog factors={factors.data} />}
      <Toasts />
    </Door>
  )
}
