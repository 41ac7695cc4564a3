// What failed, what to do about it, and the id under which the log has it. A refusal for want of a
// role, and a record that is not there, say so in their own words.

import { Button } from '@mantine/core'
import { CaseworkError } from 'casework/client'
import { Copy, RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.ts'
import { copyAndSay } from './copy-text.ts'
import { EmptyState } from './empty-state.tsx'
import { messages } from './messages.ts'
import { NoPermission } from './no-permission.tsx'
import { ProblemWords } from './problem-words.tsx'

export interface ProblemProps {
  readonly error: unknown
  readonly onRetry?: () => void
  /** Where to go on when the record is not there: a button. */
  readonly onward?: ReactNode
}

/**
 * Whether the failure of a query takes the place of its answer: there is none, or it may not be seen
 * any more. What is shown stays otherwise, with a dialog that is open in it and the place in a list.
 */
export function mustShowFailure(query: {
  readonly data: unknown
  readonly error: unknown
}): boolean {
  const { data, error } = query
  if (error === null || data === undefined) return error !== null
  return error instanceof CaseworkError && (error.status === 403 || error.status === 404)
}

/** `if (mustShowFailure(query)) return <Problem error={query.error} …/>`. */
export function Problem({ error, onRetry, onward }: ProblemProps) {
  const t = useText(messages)
  const status = error instanceof CaseworkError ? error.status : null
  if (status === 403) return <NoPermission error={error} />
  if (status === 404) {
    return (
      <EmptyState title={t('missing')} text={t('missing_why')}>
        {onward}
      </EmptyState>
    )
  }
  return (
    <div className="problem" role="alert">
      <TriangleAlert size={20} aria-hidden className="problem-icon" />
      <div className="stack problem-words">
        <div>
          <h2 className="section-title">{t('problem')}</h2>
          <div>
            <ProblemWords error={error} />
          </div>
        </div>
        <div className="row-of problem-acts">
          {onRetry !== undefined && (
            <Button
              variant="default"
              leftSection={<RotateCw size={14} aria-hidden />}
              onClick={onRetry}
            >
              {t('retry')}
            </Button>
          )}
          <RequestId error={error} />
        </div>
      </div>
    </div>
  )
}

export function RequestId({ error }: { readonly error: unknown }) {
  const t = useText(messages)
  const id = error instanceof CaseworkError ? error.requestId : null
  if (id === null) return null
  const copy = (): Promise<void> => copyAndSay(id, t('copied'))
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<Copy size={14} aria-hidden />}
      onClick={() => void copy()}
    >
      <span className="mono cut">{t('request_id', { id })}</span>
    </Button>
  )
}
