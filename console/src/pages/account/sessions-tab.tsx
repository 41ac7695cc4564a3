// The person's sessions. Ending one cannot be undone and needs no question: whoever was signed in
// there signs in again.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { Monitor } from 'lucide-react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { sessionsQuery } from './data.ts'
import { messages } from './messages.ts'
import { nameBrowser } from './name-browser.ts'

export function SessionsTab() {
  const t = useText(messages)
  const sessions = useQuery(sessionsQuery)
  if (sessions.error !== null) {
    return <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />
  }
  if (sessions.data === undefined) return <Loading />
  return (
    <section className="stack" aria-label={t('sessions')}>
      <p className="dim" style={{ margin: 0 }}>
        {t('sessions_lede')}
      </p>
      <ul className="sessions">
        {sessions.data.items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </section>
  )
}

function SessionRow({ session }: { readonly session: Schemas['Session'] }) {
  const t = useText(messages)
  const browser = nameBrowser(session.user_agent) ?? t('unknown_browser')
  const end = useAct({
    act: (sessionId: string) =>
      casework.delete('/beta/sessions/{sessionId}', { params: { path: { sessionId } } }),
    touches: () => [sessionsQuery.queryKey],
    say: () => t('ended'),
  })
  return (
    <li className="session">
      <Monitor size={18} aria-hidden className="dim" />
      <div className="session-words">
        <div className="row-of">
          <span className="cut">{browser}</span>
          {session.is_current && <Badge tone="green">{t('this_one')}</Badge>}
        </div>
        <div className="dim small">
          <span className="mono">{session.address}</span>
          {' · '}
          {t('last_used')} <Since at={session.last_used_at} />
          {' · '}
          {t('ends')} <Since at={session.expires_at} />
        </div>
      </div>
      {!session.is_current && (
        <Button
          variant="default"
          aria-label={t('end_named', { browser })}
          loading={end.isPending}
          onClick={() => end.mutate(session.id)}
        >
          {t('end')}
        </Button>
      )}
    </li>
  )
}
