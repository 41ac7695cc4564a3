// Why a form was refused, above its button. `fieldProblem` gives what belongs to one field.

import { CaseworkError } from 'casework/client'
import { TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import { ProblemWords } from './problem-words.tsx'
import { ServerReasons } from './server-reasons.tsx'

export interface FormProblemProps {
  readonly error: unknown
  /** Our own words for this refusal, where the page knows better than the server. */
  readonly text?: string | undefined
}

export function FormProblem({ error, text }: FormProblemProps) {
  if (error === null || error === undefined) return null
  return (
    <div className="note" data-tone="red" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <span>{text ?? <ProblemWords error={error} />}</span>
    </div>
  )
}

/** What the server says about the field at this JSON pointer, such as `/email`. */
export function fieldProblem(error: unknown, pointer: string): ReactElement | undefined {
  if (!(error instanceof CaseworkError)) return undefined
  const faults = error.locations.filter(({ path }) => path === pointer)
  const reasons = [...new Set(faults.map(({ reason }) => reason))]
  return reasons.length === 0 ? undefined : <ServerReasons reasons={reasons} />
}
