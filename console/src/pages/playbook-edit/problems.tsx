// What is wrong with the graph, at the bottom. A press goes to the node.

import { Button } from '@mantine/core'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { ProblemWords } from '../../parts/problem-words.tsx'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import type { Validation } from './data.ts'
import { messages } from './messages.ts'

export interface ProblemsProps {
  /** Undefined while it is asked for the first time. */
  readonly validation: Validation | undefined
  readonly isChecking: boolean
  /** Why it could not be checked; null when it was, or is on its way. */
  readonly error: unknown
  readonly onRetry: () => void
  readonly onGo: (nodeId: string) => void
}

export function Problems({ validation, isChecking, error, onRetry, onGo }: ProblemsProps) {
  const t = useText(messages)
  if (error !== null) {
    return (
      <section className="problems" aria-label={t('problems')}>
        <div className="problems-head" role="alert">
          <CircleAlert size={16} aria-hidden className="tone-red" />
          <span>
            {t('not_checked')} <ProblemWords error={error} />
          </span>
          <Button variant="subtle" loading={isChecking} onClick={onRetry}>
            {t('check_again')}
          </Button>
        </div>
      </section>
    )
  }
  if (validation === undefined) {
    return (
      <section className="problems dim" aria-label={t('problems')}>
        {t('checking')}
      </section>
    )
  }
  const { problems, warnings } = validation
  const all = [
    ...problems.map((one) => ({ ...one, isProblem: true })),
    ...warnings.map((one) => ({ ...one, isProblem: false })),
  ]
  return (
    <section className="problems" aria-label={t('problems')} aria-busy={isChecking}>
      <div className="problems-head" role="status">
        {problems.length === 0 ? (
          <CircleCheck size={16} aria-hidden className="tone-green" />
        ) : (
          <CircleAlert size={16} aria-hidden className="tone-red" />
        )}
        <span>
          {problems.length === 0 ? t('valid') : t('problem_count', { count: problems.length })}
          {warnings.length > 0 && ` · ${t('warning_count', { count: warnings.length })}`}
        </span>
      </div>
      {all.length > 0 && (
        <ul className="problems-list">
          {all.map(({ path, node, field = '', reason, isProblem }) => {
            const Icon = isProblem ? CircleAlert : TriangleAlert
            const words = (
              <>
                <Icon
                  size={14}
                  className={isProblem ? 'tone-red' : 'tone-amber'}
                  role="img"
                  aria-label={t(isProblem ? 'problem' : 'warning')}
                />
                <span className="problems-node">{node ?? path}</span>
                <span className="dim">{field}</span>
                <span>
                  <ServerReasons reasons={[reason]} />
                </span>
              </>
            )
            return (
              <li key={`${path} ${reason}`}>
                {node === undefined ? (
                  <span className="problems-line">{words}</span>
                ) : (
                  <button type="button" className="problems-line" onClick={() => onGo(node)}>
                    {words}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
