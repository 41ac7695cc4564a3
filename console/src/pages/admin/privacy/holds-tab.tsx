// Cases of which nothing is removed.

import { Button, TextInput } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { FormProblem, fieldProblem } from '../../../parts/form-problem.tsx'
import { PathLink } from '../../../parts/path-link.tsx'
import { Since } from '../../../parts/since.tsx'
import { collect } from '../data.ts'
import { PanelForm, useSend } from '../form.tsx'
import { Answer } from '../section.tsx'
import { messages } from './messages.ts'

type Hold = Schemas['LegalHold']

const holdsQuery = queryOptions({
  queryKey: ['legal-holds', 'list'],
  queryFn: () =>
    collect(casework.list('/beta/casework/legal-holds', { params: { query: { limit: 100 } } })),
})

export function HoldsTab() {
  const t = useText(messages)
  const query = useQuery(holdsQuery)
  return (
    <div className="stack admin-narrow">
      <p className="dim" style={{ margin: 0 }}>
        {t('holds_lede')}
      </p>
      <Answer query={query}>
        {(holds) =>
          holds.length === 0 ? (
            <p>{t('holds_none')}</p>
          ) : (
            <ul className="rows">
              {holds.map((hold) => (
                <HoldRow key={hold.id} hold={hold} />
              ))}
            </ul>
          )
        }
      </Answer>
      <PlaceHold />
    </div>
  )
}

function HoldRow({ hold }: { readonly hold: Hold }) {
  const t = useText(messages)
  const { case_id: caseId, reason, placed_at: at, placed_by: who, in_force: isInForce } = hold
  return (
    <li>
      <div className="rows-words">
        <PathLink path={`/cases/${caseId}`} className="mono">
          {caseId}
        </PathLink>
        <div>{reason}</div>
        <div className="dim small">
          <Since at={at} /> · {t('by', { who })}
        </div>
      </div>
      <Badge tone={isInForce ? 'amber' : 'grey'} icon={isInForce ? Lock : LockOpen}>
        {t(isInForce ? 'hold_now' : 'hold_lifted')}
      </Badge>
      {isInForce && <Lift caseId={caseId} />}
    </li>
  )
}

function Lift({ caseId }: { readonly caseId: string }) {
  const t = useText(messages)
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const lift = useSend({
    send: () =>
      casework.post('/beta/casework/cases/{caseId}/hold/lift', {
        params: { path: { caseId } },
        body: { reason },
      }),
    touches: [holdsQuery.queryKey],
    say: t('lifted'),
    onDone: () => setOpen(false),
  })
  return (
    <>
      <Button
        variant="default"
        aria-label={t('lift_named', { case: caseId })}
        onClick={() => setOpen(true)}
      >
        {t('lift')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('lift_title', { case: caseId })}
        act={t('lift')}
        isPending={lift.isPending}
        onAct={() => lift.mutate(undefined)}
      >
        <div>{t('lift_why')}</div>
        <TextInput
          label={t('reason')}
          value={reason}
          error={fieldProblem(lift.error, '/reason')}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        <FormProblem error={lift.error} />
      </Confirm>
    </>
  )
}

function PlaceHold() {
  const t = useText(messages)
  const [caseId, setCaseId] = useState('')
  const [reason, setReason] = useState('')
  const place = useSend({
    send: () =>
      casework.post('/beta/casework/cases/{caseId}/hold', {
        params: { path: { caseId: caseId.trim() } },
        body: { reason },
      }),
    touches: [holdsQuery.queryKey],
    say: t('placed'),
    onDone: () => {
      setCaseId('')
      setReason('')
    },
  })
  return (
    <section className="stack" aria-label={t('place')}>
      <h2 className="section-title">{t('place')}</h2>
      <PanelForm
        label={t('place')}
        act={t('place')}
        isPending={place.isPending}
        error={place.error}
        onSend={() => place.mutate(undefined)}
      >
        <TextInput
          label={t('case_id')}
          value={caseId}
          onChange={({ currentTarget: { value } }) => setCaseId(value)}
          required
          withAsterisk={false}
        />
        <TextInput
          label={t('reason')}
          value={reason}
          error={fieldProblem(place.error, '/reason')}
          onChange={({ currentTarget: { value } }) => setReason(value)}
          required
          withAsterisk={false}
        />
      </PanelForm>
    </section>
  )
}
