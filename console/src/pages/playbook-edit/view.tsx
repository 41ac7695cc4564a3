// The editor of a playbook. It begins with a version and saves the next one; versions themselves
// are never changed.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Page } from '../../parts/page.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { PlaybookDetail } from '../playbook/view.tsx'
import { playbookQuery, versionQuery } from '../playbooks/data.ts'
import { kindsQuery, type NodeKind } from './data.ts'
import { EditorPage } from './editor-page.tsx'
import { messages } from './messages.ts'
import { playbookEditRoute } from './route.ts'
import './editor.css'

export function PlaybookEditView() {
  const t = useText(messages)
  const { playbookId } = playbookEditRoute.useParams()
  const { version } = playbookEditRoute.useSearch()
  const mayWrite = useMay('playbooks:write')
  const playbook = useQuery(playbookQuery(playbookId))
  const kinds = useQuery(kindsQuery)
  if (!mayWrite) {
    return (
      <Page title={t('title')}>
        <NoPermission />
      </Page>
    )
  }
  if (playbook.data === undefined || kinds.data === undefined) {
    return (
      <Awaited
        error={playbook.error ?? kinds.error}
        onRetry={() => {
          void playbook.refetch()
          void kinds.refetch()
        }}
      />
    )
  }
  return (
    <Opened
      key={`${playbookId} ${version ?? ''}`}
      playbook={playbook.data}
      asked={version}
      kinds={kinds.data}
    />
  )
}

interface OpenedProps {
  readonly playbook: PlaybookDetail
  /** The version that the URL names. */
  readonly asked: number | undefined
  readonly kinds: readonly NodeKind[]
}

function Opened({ playbook, asked, kinds }: OpenedProps) {
  // A version that somebody else saves meanwhile does not take the place of the one begun with.
  const [number] = useState(asked ?? playbook.latest_version)
  const version = useQuery(versionQuery(playbook.id, number))
  if (version.data === undefined) {
    return <Awaited error={version.error} onRetry={() => void version.refetch()} />
  }
  return <EditorPage playbook={playbook} version={version.data} kinds={kinds} />
}

function Awaited({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useText(messages)
  return (
    <Page title={t('title')}>
      {error === null ? (
        <Loading />
      ) : (
        <Problem
          error={error}
          onRetry={onRetry}
          onward={
            <PathLink path="/playbooks" className="text-link">
              {t('to_playbooks')}
            </PathLink>
          }
        />
      )}
    </Page>
  )
}
