// Two people have drawn on the same version: what each of them changed, and whose work goes on.

import { Button, Group } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { showToast } from '../../parts/toasts.ts'
import { ChangeList } from '../playbook/change-list.tsx'
import { useVersions } from '../playbooks/use-versions.ts'
import { messages } from './messages.ts'
import { playbookEditRoute } from './route.ts'
import type { SaveProps } from './save.tsx'
import '../playbook/playbook.css'

export interface ConflictProps extends SaveProps {
  /** The version that somebody else has saved. */
  readonly newer: number
  readonly isPending: boolean
  readonly error: unknown
  readonly onKeep: () => void
}

export function Conflict(props: ConflictProps) {
  const t = useText(messages)
  const { playbookId, begun, newer, latestThen } = props
  const navigate = useNavigate({ from: playbookEditRoute.fullPath })
  const openVersion = (version: number) =>
    navigate({ search: (former) => ({ ...former, version, node: undefined }), replace: true })
  const take = (): void => {
    void openVersion(newer)
    // The draft stays under the version that it was begun with.
    showToast({
      kind: 'done',
      text: t('conflict_taken', { version: newer }),
      undo: () => openVersion(begun.version),
    })
  }
  return (
    <div className="stack">
      <div className="note" data-tone="amber" role="alert">
        <span>{t('conflict', { version: newer, former: latestThen })}</span>
      </div>
      <Changes {...props} />
      <p className="dim inspector-words">{t('conflict_why', { version: newer })}</p>
      <FormProblem error={props.error} />
      <Group justify="flex-end" gap={8}>
        <Button
          variant="subtle"
          renderRoot={(root) => (
            <Link
              to="/playbooks/$playbookId"
              params={{ playbookId }}
              search={{ version: newer, compare: latestThen }}
              target="_blank"
              {...root}
            />
          )}
        >
          {t('conflict_see')}
        </Button>
        <Button variant="default" onClick={take}>
          {t('conflict_take')}
        </Button>
        <Button loading={props.isPending} onClick={props.onKeep} data-autofocus>
          {t('conflict_keep', { version: newer + 1 })}
        </Button>
      </Group>
    </div>
  )
}

function Changes({ playbookId, begun, graph, newer, latestThen }: ConflictProps) {
  const t = useText(messages)
  const versions = useVersions(playbookId, latestThen, newer)
  if (versions.error !== null) return <Problem error={versions.error} onRetry={versions.retry} />
  if (versions.before === undefined || versions.after === undefined) return <Loading lines={3} />
  return (
    <div className="conflict-changes">
      <section>
        <h3 className="section-title">{t('conflict_theirs')}</h3>
        <ChangeList
          label={t('conflict_theirs')}
          before={versions.before.nodes}
          after={versions.after.nodes}
        />
      </section>
      <section>
        <h3 className="section-title">{t('conflict_yours')}</h3>
        <ChangeList label={t('conflict_yours')} before={begun.nodes} after={graph.nodes} />
      </section>
    </div>
  )
}
