// One token: what it may, a new secret with an overlap, its end.

import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useAct } from '../../../data/use-act.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Since, useNow } from '../../../parts/since.tsx'
import { Words } from '../choices.tsx'
import { type Token, tokensQuery } from '../data.ts'
import { Block, Facts, PanelForm, SecretOnce, useSend } from '../form.tsx'
import { isScopeName, scopeWords } from '../scope-words.ts'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'
import { TokenOwner } from './token-owner.tsx'
import { TokenState } from './token-state.tsx'

export function TokenPanel({ token }: { readonly token: Token }) {
  const t = useText(messages)
  const { close } = useAdmin()
  const isLive = token.state === 'live'
  return (
    <SidePanel title={token.name} onClose={close} acts={isLive && <Revoke token={token} />}>
      <div className="stack">
        <TokenFacts token={token} />
        {isLive && <Rotate token={token} />}
        {token.scopes.length > 0 && (
          <Block title={t('scopes')}>
            <Words words={token.scopes} />
          </Block>
        )}
      </div>
    </SidePanel>
  )
}

function TokenFacts({ token }: { readonly token: Token }) {
  const t = useText(messages)
  const { expires_at: ends, rotated_at: rotated, former_until: former } = token
  return (
    <Facts
      facts={[
        { title: t('state'), value: <TokenState state={token.state} /> },
        { title: t('id'), value: <span className="mono">{token.id}</span> },
        { title: t('tenant'), value: token.tenant_id },
        { title: t('owner'), value: <TokenOwner owner={token.owner} /> },
        token.roles.length > 0 && { title: t('roles'), value: <Words words={token.roles} /> },
        {
          title: t('networks'),
          value: token.networks === null ? t('anywhere') : <Words words={token.networks} />,
        },
        token.contact_email !== null && { title: t('contact'), value: token.contact_email },
        { title: t('created'), value: <Since at={token.created_at} /> },
        { title: t('last_used'), value: <Since at={token.last_used_at} /> },
        { title: t('ends'), value: ends === null ? t('no_end') : <Since at={ends} /> },
        rotated !== null && { title: t('rotated'), value: <Since at={rotated} /> },
        former !== null && { title: t('former'), value: <Since at={former} /> },
      ]}
    />
  )
}

const OVERLAPS = ['0', '3600', '86400', '604800'] as const

function Rotate({ token }: { readonly token: Token }) {
  const t = useText(messages)
  const [overlap, setOverlap] = useState('86400')
  const rotate = useSend({
    send: () =>
      casework.post('/beta/admin/tokens/{tokenId}/rotate', {
        params: { path: { tokenId: token.id } },
        body: { overlap_seconds: Number(overlap) },
      }),
    touches: [tokensQuery.queryKey],
  })
  return (
    <Block title={t('rotate')}>
      <PanelForm
        label={t('rotate')}
        act={t('rotate')}
        isPending={rotate.isPending}
        error={rotate.error}
        onSend={() => rotate.mutate(undefined)}
      >
        <NativeSelect
          label={t('overlap')}
          description={t('rotate_help')}
          value={overlap}
          data={OVERLAPS.map((value) => ({ value, label: t(`overlap_${value}`) }))}
          onChange={({ currentTarget: { value } }) => setOverlap(value)}
        />
        {rotate.data !== undefined && (
          <SecretOnce label={t('rotated_title', { name: token.name })} text={rotate.data.token} />
        )}
      </PanelForm>
    </Block>
  )
}

function Revoke({ token }: { readonly token: Token }) {
  const t = useText(messages)
  const say = useText(scopeWords)
  const format = useFormat()
  const nowMs = useNow()
  const [isOpen, setOpen] = useState(false)
  const { name, id, last_used_at: usedAt } = token
  const revoke = useAct({
    act: () =>
      casework.delete('/beta/admin/tokens/{tokenId}', { params: { path: { tokenId: id } } }),
    touches: () => [tokensQuery.queryKey],
    say: () => t('revoked', { name }),
    onDone: () => setOpen(false),
  })
  // By its roles or by scopes of its own, in the words of people.
  const own = token.scopes.map((scope) => (isScopeName(scope) ? say(scope) : scope))
  const may = [...token.roles, ...own].join('; ')
  return (
    <>
      <Button color="red" variant="light" onClick={() => setOpen(true)}>
        {t('revoke')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('revoke_title', { name })}
        act={t('revoke')}
        isPending={revoke.isPending}
        onAct={() => revoke.mutate(undefined)}
      >
        <div>{t('revoke_what', { may })}</div>
        <div>
          {usedAt === null
            ? t('revoke_unused')
            : t('revoke_used', { when: format.relative(new Date(usedAt), nowMs) })}
        </div>
      </Confirm>
    </>
  )
}
