// By what a person is signed in: sessions, second factors, accounts at providers.

import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useAct } from '../../../data/use-act.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Since } from '../../../parts/since.tsx'
import type { User } from '../data.ts'
import { Block } from '../form.tsx'
import { Answer } from '../section.tsx'
import { messages } from './messages.ts'

interface OfPerson {
  readonly person: User
}

function sessionsQuery(userId: string) {
  return queryOptions({
    queryKey: ['users', userId, 'sessions'],
    queryFn: () =>
      casework.get('/beta/admin/users/{userId}/sessions', { params: { path: { userId } } }),
  })
}

export function Sessions({ person: { id: userId } }: OfPerson) {
  const t = useText(messages)
  const query = useQuery(sessionsQuery(userId))
  const end = useAct({
    act: (sessionId: string | null) =>
      casework.delete('/beta/admin/users/{userId}/sessions', {
        params: {
          path: { userId },
          query: sessionId === null ? {} : { session_id: sessionId },
        },
      }),
    touches: () => [sessionsQuery(userId).queryKey],
    say: () => t('ended'),
  })
  return (
    <Block title={t('sessions')}>
      <Answer query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="dim">{t('sessions_none')}</div>
          ) : (
            <>
              <ul className="rows">
                {items.map((session) => (
                  <li key={session.id}>
                    <div className="rows-words">
                      <div className="mono cut">{session.address ?? session.tenant_id}</div>
                      <div className="dim small cut">
                        {session.tenant_id} · {t('last_used')} <Since at={session.last_used_at} />
                      </div>
                    </div>
                    <Button
                      variant="subtle"
                      color="gray"
                      aria-label={t('end_one', { address: session.address ?? '' })}
                      loading={end.isPending && end.variables === session.id}
                      onClick={() => end.mutate(session.id)}
                    >
                      {t('end')}
                    </Button>
                  </li>
                ))}
              </ul>
              <div>
                <Button
                  variant="default"
                  loading={end.isPending && end.variables === null}
                  onClick={() => end.mutate(null)}
                >
                  {t('end_all')}
                </Button>
              </div>
            </>
          )
        }
      </Answer>
    </Block>
  )
}

function factorsQuery(userId: string) {
  return queryOptions({
    queryKey: ['users', userId, 'factors'],
    queryFn: () =>
      casework.get('/beta/admin/users/{userId}/factors', { params: { path: { userId } } }),
  })
}

export function Factors({ person, isSelf }: OfPerson & { readonly isSelf: boolean }) {
  const t = useText(messages)
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { id: userId, name } = person
  const query = useQuery(factorsQuery(userId))
  const remove = useAct({
    act: () =>
      casework.delete('/beta/admin/users/{userId}/factors', { params: { path: { userId } } }),
    touches: () => [factorsQuery(userId).queryKey, sessionsQuery(userId).queryKey],
    say: () => t('factors_removed', { name }),
    onDone: () => setOpen(false),
  })
  return (
    <Block title={t('factors')}>
      <Answer query={query}>
        {({ totp_since: since, passkeys, recovery_codes_left: codes }) => {
          const said = [
            ...(since === null ? [] : [t('totp', { when: format.day(new Date(since)) })]),
            ...(passkeys === 0 ? [] : [t('passkeys', { count: passkeys })]),
            ...(codes === 0 ? [] : [t('codes', { count: codes })]),
          ]
          if (said.length === 0) return <div className="dim">{t('factors_none')}</div>
          return (
            <>
              <div>{said.join(' · ')}</div>
              {!isSelf && (
                <div>
                  <Button variant="default" onClick={() => setOpen(true)}>
                    {t('remove_factors')}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Answer>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('remove_factors_title', { name })}
        act={t('remove_factors')}
        isPending={remove.isPending}
        onAct={() => remove.mutate(undefined)}
      >
        {t('remove_factors_why')}
      </Confirm>
    </Block>
  )
}

function identitiesQuery(userId: string) {
  return queryOptions({
    queryKey: ['users', userId, 'identities'],
    queryFn: () =>
      casework.get('/beta/admin/users/{userId}/identities', { params: { path: { userId } } }),
  })
}

export function Identities({ person: { id: userId } }: OfPerson) {
  const t = useText(messages)
  const query = useQuery(identitiesQuery(userId))
  const unlink = useAct({
    act: (identityId: string) =>
      casework.delete('/beta/admin/users/{userId}/identities/{identityId}', {
        params: { path: { userId, identityId } },
      }),
    touches: () => [identitiesQuery(userId).queryKey],
    say: () => t('unlinked'),
  })
  return (
    <Block title={t('identities')}>
      <Answer query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="dim">{t('identities_none')}</div>
          ) : (
            <ul className="rows">
              {items.map(({ id, provider, email, subject, last_used_at: at }) => (
                <li key={id}>
                  <div className="rows-words">
                    <div className="cut">{provider}</div>
                    <div className="dim small cut">
                      {email ?? subject} · <Since at={at} />
                    </div>
                  </div>
                  <Button
                    variant="subtle"
                    color="gray"
                    aria-label={t('unlink_named', { provider })}
                    loading={unlink.isPending && unlink.variables === id}
                    onClick={() => unlink.mutate(id)}
                  >
                    {t('unlink')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Block>
  )
}
