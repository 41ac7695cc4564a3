// The choices for which the run waits. A choice with a form is made on the page of the case.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { type RunDetail, triggersQuery } from '../runs/data.ts'
import { messages } from '../runs/messages.ts'

export function Triggers({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const mayTrigger = useMay('playbooks:trigger')
  const { case_id: caseId, run_id: runId } = run
  const { data = [] } = useQuery(triggersQuery(run))
  const take = useAct({
    act: ({ node, path }: { readonly node: string; readonly path: string }) =>
      casework.post('/beta/casework/cases/{caseId}/trigger-playbook', {
        params: { path: { caseId } },
        body: { node: `${run.playbook_id}/${node}`, path },
      }),
    touches: () => [
      ['runs', runId],
      ['cases', caseId],
    ],
    say: ({ path }) => t('taken', { path }),
  })
  if (data.length === 0) return null
  return (
    <section aria-label={t('triggers')} className="stack">
      <h2 className="section-title">{t('triggers')}</h2>
      {data.map(({ node, paths, question, titles = {}, form, four_eyes: isDouble = false }) => {
        const isPlain = form === undefined && !isDouble
        return (
          <div key={node} className="token">
            <div className="mono">{node}</div>
            {question !== undefined && <div>{question}</div>}
            {!isPlain && <div className="dim">{t('take_in_case')}</div>}
            {isPlain && mayTrigger && (
              <div className="row-of" style={{ flexWrap: 'wrap' }}>
                {paths.map((path) => (
                  <Button
                    key={path}
                    variant="default"
                    aria-label={t('take', { path: titles[path] ?? path })}
                    loading={take.isPending && take.variables.path === path}
                    onClick={() => take.mutate({ node, path })}
                  >
                    {titles[path] ?? path}
                  </Button>
                ))}
              </div>
            )}
          </div>
        )
      })}
    </section>
  )
}
