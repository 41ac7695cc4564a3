// An editor for conditions, templates and JSON. The editor itself is loaded when one is shown.

import { lazy, Suspense } from 'react'
import type { Completions, Marks } from './code-editor-view.tsx'
import { Loading } from './loading.tsx'

const View = lazy(async () => ({
  default: (await import('./code-editor-view.tsx')).CodeEditorView,
}))

export interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly language?: 'text' | 'json'
  readonly isReadOnly?: boolean
  /** Words that are offered while typing. */
  readonly completions?: Completions
  /** Faults to underline. */
  readonly marks?: Marks
}

/** Tab leaves it, as every field; what is typed is the page's to keep. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading lines={3} />}>
      <View {...props} />
    </Suspense>
  )
}
