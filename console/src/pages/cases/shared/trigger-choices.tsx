// The ways out of the nodes at which the playbook of a case waits. A path that asks for a form is
// chosen on the page of the case. Taken by somebody else meanwhile, the choices are loaded anew.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CaseworkError, type Schemas } from 'casework/client'
import { casework } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useAct } from '../../../data/use-act.ts'
import { useText } from '../../../messages/use-text.ts'
import { Since } from '../../../parts/since.tsx'
import { messages } from './messages.ts'

type Waiting = Schemas['WaitingTrigger']

export interface TriggerChoicesProps {
  readonly caseId: string
  readonly waiting: readonly Waiting[]
  readonly onDone?: () => void
}

export interface PathChoice {
  readonly node: Waiting
  readonly path: string
  /** What the form of the node asks for. */
  readonly form?: Readonly<Record<string, unknown>>
}

/** Chooses a way out. Where somebody else has chosen, the ways are asked for anew, with a note. */
export function useChoosePath(caseId: string, onDone?: () => void) {
  const t = useText(messages)
  return useAct<PathChoice, 'taken' | 'chosen'>({
    act: (choice) => choose(caseId, choice),
    touches: () => [['cases', caseId]],
    say: ({ node, path }, result) =>
      result === 'taken' ? t('taken_meanwhile') : t('said_trigger', { path: titleOf(node, path) }),
    ...(onDone === undefined ? {} : { onDone }),
  })
}

export function TriggerChoices({ caseId, waiting, onDone }: TriggerChoicesProps) {
  const t = useText(messages)
  const mayTrigger = useMay('playbooks:trigger')
  const act = useChoosePath(caseId, onDone)
  if (waiting.length === 0) return <div className="dim">{t('waits_nowhere')}</div>
  return (
    <div className="stack">
      {waiting.map((node) => (
        <section key={`${node.run_id} ${node.node}`} aria-label={node.question ?? t('waits_here')}>
          <div className="trigger-question">{node.question ?? t('waits_here')}</div>
          {node.timeout_at !== undefined && (
            <div className="dim small">
              {t('leaves_at')} <Since at={node.timeout_at} />
            </div>
          )}
          {node.first_decision !== undefined && (
            <div className="dim small">
              {t('first_choice', { path: titleOf(node, node.first_decision.path) })}
            </div>
          )}
          <div className="row-of trigger-paths">
            {node.paths.map((path) =>
              needsForm(node, path) ? (
                <Button
                  key={path}
                  variant="default"
                  component={Link}
                  to={`/cases/${encodeURIComponent(caseId)}`}
                  title={t('open_to_choose')}
                >
                  {titleOf(node, path)} …
                </Button>
              ) : (
                <Button
                  key={path}
                  variant="default"
                  disabled={!mayTrigger || act.isPending}
                  onClick={() => act.mutate({ node, path })}
                >
                  {titleOf(node, path)}
                </Button>
              ),
            )}
          </div>
        </section>
      ))}
    </div>
  )
}

export function titleOf({ titles = {} }: Waiting, path: string): string {
  return titles[path] ?? path
}

export function needsForm({ form = [] }: Waiting, path: string): boolean {
  return form.some(({ required_for: paths }) => paths.includes(path))
}

// How the interface says that nobody waits at the node any more.
const LEFT_REASONS: readonly (string | null)[] = ['not_waiting', 'no_run']

/** `taken` when the node is left already: no box of an error, the buttons change with a note. */
async function choose(
  caseId: string,
  { node, path, form }: PathChoice,
): Promise<'taken' | 'chosen'> {
  const at = { params: { path: { caseId } } }
  const body = { node: `${node.playbook_id}/${node.node}`, path }
  try {
    if (node.four_eyes === true || form !== undefined) {
      await casework.post('/beta/casework/cases/{caseId}/decisions', {
        ...at,
        body: { ...body, ...(form === undefined ? {} : { form: { ...form } }) },
      })
    } else {
      await casework.post('/beta/casework/cases/{caseId}/trigger-playbook', { ...at, body })
    }
    return 'chosen'
  } catch (error) {
    if (error instanceof CaseworkError && LEFT_REASONS.includes(error.reason)) return 'taken'
    throw error
  }
}
