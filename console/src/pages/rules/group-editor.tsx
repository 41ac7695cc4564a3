// `/rules/groups/{id}` and `/rules/new-group`: a case group as a form, with its effect on the newest
// events beside it. The draft stays in this browser until it is saved or discarded.

import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { casework } from '../../data/client.ts'
import { pickChanged } from '../../data/pick-changed.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { type CaseGroup, caseGroupsQuery, DEFAULT_GROUP, type TrialRequest } from './data.ts'
import { messages } from './editor-messages.ts'
import {
  EMPTY_GROUP,
  type GroupDraft,
  readGroup,
  readStoredDraft,
  type StoredDraft,
  writeGroup,
} from './group-draft.ts'
import { GroupForm } from './group-form.tsx'
import { messages as pageMessages } from './messages.ts'
import { groupRoute } from './route.ts'
import './rules.css'
import { TrialPreview, useTrial } from './trial-preview.tsx'

export function NewGroupView() {
  return <Editor group={null} />
}

export function GroupView() {
  const t = useText(messages)
  const tp = useText(pageMessages)
  const { groupId } = groupRoute.useParams()
  const groups = useQuery(caseGroupsQuery)
  // A later failure takes no form away that somebody has begun to fill in.
  if (groups.error !== null && groups.data === undefined) {
    return (
      <Page title={t('edit_group', { name: groupId })}>
        <Problem error={groups.error} onRetry={() => void groups.refetch()} />
      </Page>
    )
  }
  if (groups.data === undefined) return <Loading />
  const group = groups.data.items.find(({ id }) => id === groupId)
  if (group === undefined) {
    return (
      <Page title={t('edit_group', { name: groupId })}>
        <EmptyState title={tp('group_missing')}>
          <Button variant="default" component={Link} to="/rules">
            {tp('title')}
          </Button>
        </EmptyState>
      </Page>
    )
  }
  return <Editor key={group.id} group={group} />
}

function Editor({ group }: { readonly group: CaseGroup | null }) {
  const t = useText(messages)
  const navigate = useNavigate()
  const mayWrite = useMay('rules:write')
  const [stored, setStored, forget] = useDraft(`case-group ${group?.id ?? ''}`)
  const base = group === null ? EMPTY_GROUP : readGroup(group)
  const { draft, former } = readStoredDraft(stored) ?? { draft: base, former: base }
  const change = (next: GroupDraft): void => setStored(JSON.stringify({ draft: next, former }))
  const trial = useTrial(useRequest(group, draft))
  const save = useAct({
    act: (given: StoredDraft) => (group === null ? createGroup(given) : saveGroup(group, given)),
    touches: () => [['case-groups']],
    say: ({ draft: { name } }) => t(group === null ? 'created' : 'saved', { name }),
    onDone: ({ id }) => {
      forget()
      void navigate({ to: '/rules', search: { open: id } })
    },
  })
  const title = group === null ? t('new_group') : t('edit_group', { name: group.name })
  const submit = (): void => {
    // A key can be pressed again while the first answer is awaited.
    if (mayWrite && !save.isPending && draft.name.trim() !== '') save.mutate({ draft, former })
  }
  useKeys(title, [{ keys: 'mod+s', title: t('save'), run: submit }])
  if (!mayWrite) {
    return (
      <Page title={title}>
        <NoPermission error={null} />
      </Page>
    )
  }
  return (
    <Page
      title={title}
      lede={t('group_lede')}
      acts={
        <>
          {group?.id !== DEFAULT_GROUP && (
            <Switch
              label={t('enabled')}
              checked={draft.enabled}
              onChange={() => change({ ...draft, enabled: !draft.enabled })}
            />
          )}
          <Button variant="default" component={Link} to="/rules">
            {t('back')}
          </Button>
          <Button onClick={submit} loading={save.isPending} disabled={draft.name.trim() === ''}>
            {t(group === null ? 'create_group' : 'save_group')}
          </Button>
        </>
      }
    >
      <div className="rule-editor">
        <div className="stack">
          <FormProblem error={save.error} />
          <DraftNote isShown={stored !== ''} onDiscard={forget} />
          <GroupForm
            id={group?.id ?? null}
            draft={draft}
            onChange={change}
            error={save.error ?? trial.error}
          />
        </div>
        <TrialPreview trial={trial} kind="group" />
      </div>
    </Page>
  )
}

/** The same draft gives the same request, so that it is not asked for again. */
function useRequest(group: CaseGroup | null, draft: GroupDraft): TrialRequest {
  const written = JSON.stringify(draft)
  return useMemo(() => {
    // Name and description change no outcome, and an empty name is no fault of a trial.
    const { name: _name, description: _description, ...members } = writeGroup(draft)
    const taken =
      group?.id === DEFAULT_GROUP ? { ...members, condition: null, xarf_classes: null } : members
    return {
      case_group: { ...taken, enabled: true, ...(group === null ? {} : { id: group.id }) },
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text says when the draft changes
  }, [group, written])
}

function createGroup({ draft }: StoredDraft): Promise<CaseGroup> {
  const playbook = draft.playbookId === null ? {} : { playbook_id: draft.playbookId }
  return casework.post('/beta/casework/case-groups', {
    body: { ...writeGroup(draft), ...playbook },
  })
}

/** The interface takes no version of a group, so what nobody touched here is not sent. */
async function saveGroup(group: CaseGroup, { draft, former }: StoredDraft): Promise<CaseGroup> {
  const changed = pickChanged(writeWithPlaybook(former), writeWithPlaybook(draft))
  if (Object.keys(changed).length === 0) return group
  return await casework.patch('/beta/casework/case-groups/{groupId}', {
    params: { path: { groupId: group.id } },
    body: changed,
  })
}

function writeWithPlaybook(draft: GroupDraft) {
  return { ...writeGroup(draft), playbook_id: draft.playbookId }
}

export function DraftNote({
  isShown,
  onDiscard,
}: {
  readonly isShown: boolean
  readonly onDiscard: () => void
}) {
  const t = useText(messages)
  if (!isShown) return null
  return (
    <div className="note" data-tone="grey" role="status">
      <span>{t('draft_kept')}</span>
      <Button variant="subtle" onClick={onDiscard}>
        {t('draft_discard')}
      </Button>
    </div>
  )
}
