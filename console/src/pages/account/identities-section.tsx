// The accounts at providers by which the person can sign in: linked and unlinked.

import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { withProof } from '../../data/proof.ts'
import { queryClient } from '../../data/query-client.ts'
import { signInWaysQuery } from '../../data/sign-in-ways.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Since } from '../../parts/since.tsx'
import { showToast } from '../../parts/toasts.ts'
import { identitiesQuery } from './data.ts'
import { isGivenUp } from './given-up.ts'
import { messages } from './security-messages.ts'
import { SecuritySection } from './security-section.tsx'

/** `linked` is the provider whose account was linked a moment ago. */
export function IdentitiesSection({ linked }: { readonly linked: string | undefined }) {
  const t = useText(messages)
  const identities = useQuery(identitiesQuery)
  const ways = useQuery(signInWaysQuery)
  const providers = ways.data?.providers ?? []
  const items = identities.data?.items ?? []
  // Nobody is told that there is no provider before that is known.
  const hasNone = ways.data !== undefined && providers.length === 0 && items.length === 0
  const nameOf = (id: string): string => providers.find((one) => one.id === id)?.name ?? id
  const link = useMutation({
    mutationFn: (providerId: string) =>
      withProof(() =>
        casework.post('/beta/session/providers/{providerId}/link', {
          params: { path: { providerId } },
        }),
      ),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <SecuritySection
      title={t('identities')}
      lede={t(hasNone ? 'identities_none' : 'identities_lede')}
    >
      {linked !== undefined && (
        <div className="note" data-tone="green" role="status">
          <Link2 size={16} aria-hidden />
          <span>{t('identity_linked', { name: nameOf(linked) })}</span>
        </div>
      )}
      <FormProblem error={identities.error ?? ways.error} />
      {items.length > 0 && (
        <ul className="sessions" aria-label={t('identities')}>
          {items.map((identity) => (
            <IdentityRow
              key={identity.id}
              identity={identity}
              provider={nameOf(identity.provider)}
            />
          ))}
        </ul>
      )}
      {!isGivenUp(link.error) && <FormProblem error={link.error} />}
      {providers.length > 0 && (
        <div className="row-of security-providers">
          {providers.map(({ id, name }) => (
            <Button
              key={id}
              variant="default"
              loading={link.isPending && link.variables === id}
              onClick={() => link.mutate(id)}
            >
              {t('identity_link', { name })}
            </Button>
          ))}
        </div>
      )}
    </SecuritySection>
  )
}

interface IdentityRowProps {
  readonly identity: Schemas['Identity']
  readonly provider: string
}

function IdentityRow({ identity, provider }: IdentityRowProps) {
  const t = useText(messages)
  const [isAsking, setAsking] = useState(false)
  const account = identity.email ?? identity.subject
  const unlink = useMutation({
    mutationFn: () =>
      casework.delete('/beta/session/identities/{identityId}', {
        params: { path: { identityId: identity.id } },
      }),
    async onSuccess() {
      setAsking(false)
      showToast({ kind: 'done', text: t('identity_unlinked', { name: provider }) })
      await queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey })
    },
  })
  return (
    <li className="session">
      <Link2 size={18} aria-hidden className="dim" />
      <div className="session-words">
        <div className="cut">{provider}</div>
        <div className="dim small cut">
          {account}
          {' · '}
          {t('identity_since')} <Since at={identity.created_at} />
        </div>
      </div>
      <Button
        variant="default"
        aria-label={t('identity_unlink_named', { name: provider, account })}
        onClick={() => setAsking(true)}
      >
        {t('identity_unlink')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('identity_unlink_named', { name: provider, account })}
        act={t('identity_unlink')}
        onAct={() => unlink.mutate()}
        isPending={unlink.isPending}
      >
        <div>{t('identity_unlink_why')}</div>
        <FormProblem error={unlink.error} />
      </Confirm>
    </li>
  )
}
