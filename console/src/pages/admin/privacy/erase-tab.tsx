// Erases what is kept of an address, after a preview that names what goes.

import { Button, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { casework } from '../../../data/client.ts'
import { noteFailure, queryClient } from '../../../data/query-client.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { FirstPageOnly } from '../../../parts/first-only.tsx'
import { FormProblem, fieldProblem } from '../../../parts/form-problem.tsx'
import { Since } from '../../../parts/since.tsx'
import { showToast } from '../../../parts/toasts.ts'
import { Answer } from '../section.tsx'
import { Counts } from './counts.tsx'
import { type Erasure, runErasure, sumCounts } from './erasure.ts'
import { messages } from './messages.ts'

const erasuresQuery = queryOptions({
  queryKey: ['erasures', 'list'],
  queryFn: () => casework.get('/beta/casework/erasures', { params: { query: { limit: 50 } } }),
})

export function EraseTab() {
  const t = useText(messages)
  const [address, setAddress] = useState('')
  const [part, setPart] = useState<Erasure | null>(null)
  const look = useMutation({
    mutationFn: () => runErasure(address, true, setPart),
    onMutate: () => setPart(null),
    onError: noteFailure,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    look.mutate()
  }
  return (
    <div className="stack admin-narrow">
      <p className="dim" style={{ margin: 0 }}>
        {t('erase_lede')}
      </p>
      <form className="stack" aria-label={t('preview')} onSubmit={submit}>
        <TextInput
          type="email"
          label={t('address')}
          value={address}
          error={fieldProblem(look.error, '/address')}
          onChange={({ currentTarget: { value } }) => {
            setAddress(value)
            // What is shown belongs to the address before.
            setPart(null)
            look.reset()
          }}
          required
          withAsterisk={false}
          autoComplete="off"
        />
        <FormProblem error={look.error} />
        <div>
          <Button type="submit" variant="default" loading={look.isPending}>
            {t('preview')}
          </Button>
        </div>
      </form>
      {look.isPending && part !== null && (
        <div role="status">{t('counting', { count: sumCounts(part.changed) })}</div>
      )}
      {look.data !== undefined && (
        <Preview
          erasure={look.data}
          address={address}
          onErased={() => {
            setAddress('')
            look.reset()
          }}
        />
      )}
      <Past />
    </div>
  )
}

interface PreviewProps {
  readonly erasure: Erasure
  readonly address: string
  readonly onErased: () => void
}

function Preview({ erasure, address, onErased }: PreviewProps) {
  const t = useText(messages)
  const [isOpen, setOpen] = useState(false)
  const [changed, kept, held] = [erasure.changed, erasure.kept, erasure.held].map(sumCounts)
  const count = changed ?? 0
  const erase = useMutation({
    mutationFn: () => runErasure(address, false, () => undefined),
    onError: noteFailure,
    onSuccess: async (done) => {
      showToast({ kind: 'done', text: t('erased', { count: sumCounts(done.changed) }) })
      setOpen(false)
      onErased()
      await queryClient.invalidateQueries({ queryKey: erasuresQuery.queryKey })
    },
  })
  const unsearched = erasure.unsearched_reports?.length ?? 0
  return (
    <section className="preview stack" aria-label={t('preview_title')}>
      <h2 className="section-title">{t('preview_title')}</h2>
      {count === 0 && <div>{t('nothing')}</div>}
      {count > 0 && (
        <div>
          <div>{t('changed')}</div>
          <Counts counts={erasure.changed} />
        </div>
      )}
      {(kept ?? 0) > 0 && (
        <div className="dim">
          <div>{t('kept')}</div>
          <Counts counts={erasure.kept} />
        </div>
      )}
      {(held ?? 0) > 0 && (
        <div className="dim">
          <div>{t('held')}</div>
          <Counts counts={erasure.held} />
        </div>
      )}
      {unsearched > 0 && <div>{t('unsearched', { count: unsearched })}</div>}
      <FormProblem error={erase.error} />
      {count > 0 && (
        <div>
          <Button color="red" onClick={() => setOpen(true)}>
            {t('erase', { count })}
          </Button>
        </div>
      )}
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('erase_title', { address })}
        act={t('erase', { count })}
        isPending={erase.isPending}
        onAct={() => erase.mutate()}
      >
        <div>{t('erase_why')}</div>
        <Counts counts={erasure.changed} />
      </Confirm>
    </section>
  )
}

function Past() {
  const t = useText(messages)
  const query = useQuery(erasuresQuery)
  return (
    <section aria-label={t('past')}>
      <h2 className="section-title">{t('past')}</h2>
      <Answer query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="dim">{t('past_none')}</p>
          ) : (
            <ul className="rows">
              {items.map(({ id, state, changed, addresses, requested_by: who, started_at: at }) => (
                <li key={id}>
                  <div className="rows-words">
                    <div>{t('past_row', { count: sumCounts(changed), addresses })}</div>
                    <div className="dim small">
                      <Since at={at} /> · {t('by', { who })}
                    </div>
                  </div>
                  <Badge tone={state === 'done' ? 'green' : 'blue'}>{t(state)}</Badge>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      <FirstPageOnly page={query.data} />
    </section>
  )
}
