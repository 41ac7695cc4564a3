// Where the run is: each of its tokens, what it waits for, and what its node sees.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../messages/use-text.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Since } from '../../parts/since.tsx'
import type { RunDetail } from '../runs/data.ts'
import { messages } from '../runs/messages.ts'
import { WaitsFor } from '../runs/run-badge.tsx'

type Token = RunDetail['tokens'][number]

export function Tokens({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const tokens = run.tokens.filter(({ state }) => state !== 'done')
  return (
    <section aria-label={t('tokens')} className="stack">
      <h2 className="section-title">{t('tokens')}</h2>
      {tokens.length === 0 && <p className="dim">{t('tokens_none')}</p>}
      {tokens.map((token) => (
        <TokenCard key={token.token} token={token} />
      ))}
    </section>
  )
}

function TokenCard({ token }: { readonly token: Token }) {
  const t = useText(messages)
  const { child_run: child, timer_at: timer, chosen_path: chosen, vars } = token
  return (
    <div className="token">
      <div className="mono">{token.node}</div>
      <dl className="run-facts">
        <Fact title={t('token_state')}>{t(`token_${token.state}`)}</Fact>
        <Fact title={t('token_since')}>
          <Since at={token.entered_at} />
        </Fact>
        {token.waits_for !== undefined && (
          <Fact title={t('token_waits')}>
            <WaitsFor party={token.waits_for} />
          </Fact>
        )}
        {timer !== undefined && (
          <Fact title={t('token_timer')}>
            <Since at={timer} />
          </Fact>
        )}
        {token.watches_case && <Fact title={t('token_watches')}>{t('token_case')}</Fact>}
        {chosen !== undefined && <Fact title={t('token_chosen')}>{chosen}</Fact>}
        {child !== undefined && (
          <Fact title={t('token_child')}>
            <Link to="/runs/$runId" params={{ runId: child }} className="mono">
              {child}
            </Link>
          </Fact>
        )}
        {token.attempts > 0 && <Fact title={t('token_attempts')}>{token.attempts}</Fact>}
        <Fact title={t('token_key')}>
          <span className="mono small">{token.key}</span>
        </Fact>
      </dl>
      {Object.keys(vars).length > 0 && (
        <details className="visit-more">
          <summary>{t('vars')}</summary>
          <JsonView value={vars} label={t('vars_of', { token: token.token })} />
        </details>
      )}
    </div>
  )
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  )
}
