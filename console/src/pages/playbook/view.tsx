// One playbook: its versions, what each says, how two of them differ, and which one is active.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { PencilRuler } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { CodeText } from '../../parts/code-text.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { PlaybookGraph } from '../../parts/playbook-graph/playbook-graph.tsx'
import { mustShowFailure, Problem } from '../../parts/problem.tsx'
import { groupsOfQuery, playbookQuery, versionQuery } from '../playbooks/data.ts'
import { PlaybookBadge, VersionBadge } from '../playbooks/version-badge.tsx'
import { Difference } from './difference.tsx'
import { messages } from './messages.ts'
import { PlaybookMenu } from './playbook-menu.tsx'
import { playbookRoute } from './route.ts'
import { VersionList } from './version-list.tsx'
import { VersionMenu } from './version-menu.tsx'
import '../playbooks/playbooks.css'
import './playbook.css'

const GRAPH_HEIGHT = 'max(420px, calc(100dvh - 340px))'

export function PlaybookView() {
  const t = useText(messages)
  const { playbookId } = playbookRoute.useParams()
  const playbook = useQuery(playbookQuery(playbookId))
  if (mustShowFailure(playbook)) {
    return (
      <Page title={t('title')}>
        <Problem
          error={playbook.error}
          onRetry={() => void playbook.refetch()}
          onward={
            <PathLink path="/playbooks" className="text-link">
              {t('to_playbooks')}
            </PathLink>
          }
        />
      </Page>
    )
  }
  if (playbook.data === undefined) {
    return (
      <Page title={t('title')}>
        <Loading />
      </Page>
    )
  }
  return <Shown key={playbookId} playbook={playbook.data} />
}

export type PlaybookDetail = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof playbookQuery>['queryFn']>>>
>

function Shown({ playbook }: { readonly playbook: PlaybookDetail }) {
  const t = useText(messages)
  const mayWrite = useMay('playbooks:write')
  const navigate = useNavigate({ from: playbookRoute.fullPath })
  const { version = playbook.active_version ?? playbook.latest_version, compare } =
    playbookRoute.useSearch()
  const change = (part: ReturnType<typeof playbookRoute.useSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  const edit = (): void =>
    void navigate({
      to: '/playbooks/$playbookId/edit',
      params: { playbookId: playbook.id },
      search: { version },
    })
  useKeys(t('title'), mayWrite ? [{ keys: 'e', title: t('edit'), run: edit }] : [])
  return (
    <Page
      title={playbook.name}
      lede={<Lede playbook={playbook} />}
      acts={
        <>
          <PlaybookMenu playbook={playbook} />
          {mayWrite && (
            <Button
              leftSection={<PencilRuler size={16} aria-hidden />}
              renderRoot={(props) => (
                <Link
                  to="/playbooks/$playbookId/edit"
                  params={{ playbookId: playbook.id }}
                  search={{ version }}
                  {...props}
                />
              )}
            >
              {t('edit')}
            </Button>
          )}
        </>
      }
    >
      <div className="playbook-columns">
        <VersionList
          playbook={playbook}
          shown={version}
          compared={compare}
          onShow={(next) => change({ version: next, compare: undefined })}
          onCompare={(next) => change({ compare: next })}
        />
        <section className="playbook-graph" aria-label={t('version', { version })}>
          {compare === undefined ? (
            <Version key={version} playbook={playbook} version={version} />
          ) : (
            <Difference playbookId={playbook.id} before={compare} after={version} />
          )}
        </section>
      </div>
    </Page>
  )
}

function Lede({ playbook }: { readonly playbook: PlaybookDetail }) {
  const t = useText(messages)
  const { data: groups = [] } = useQuery(groupsOfQuery(playbook.id))
  return (
    <div className="row-of">
      <PlaybookBadge playbook={playbook} />
      <span>
        {groups.length === 0 ? t('no_groups') : t('groups', { names: groups.join(', ') })}
      </span>
    </div>
  )
}

function Version({
  playbook,
  version,
}: {
  readonly playbook: PlaybookDetail
  readonly version: number
}) {
  const t = useText(messages)
  const found = useQuery(versionQuery(playbook.id, version))
  const [warnings, setWarnings] = useState<readonly string[]>([])
  if (mustShowFailure(found)) {
    return <Problem error={found.error} onRetry={() => void found.refetch()} />
  }
  if (found.data === undefined) return <Loading />
  const { state, description, nodes } = found.data
  return (
    <div className="stack">
      <div className="version-head">
        <h2 className="section-title">{t('version', { version })}</h2>
        <VersionBadge state={state} />
        <span className="dim cut">{t('nodes', { count: nodes.length })}</span>
        <VersionMenu
          playbook={playbook}
          version={version}
          state={state}
          onWarnings={(given) => setWarnings(given)}
        />
      </div>
      {description !== undefined && (
        <p className="version-words">
          <CodeText text={description} />
        </p>
      )}
      {warnings.map((warning) => (
        <div key={warning} className="note" data-tone="amber" role="status">
          <span>{warning}</span>
        </div>
      ))}
      <PlaybookGraph
        nodes={nodes}
        height={GRAPH_HEIGHT}
        label={t('graph_of', { name: playbook.name, version })}
      />
    </div>
  )
}
