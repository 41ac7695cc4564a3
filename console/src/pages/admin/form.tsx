// Forms of the panels: one request, its refusal above the button, its fields' faults beside them.

import { Button } from '@mantine/core'
import { type QueryKey, useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { noteFailure, queryClient } from '../../data/query-client.ts'
import { useText } from '../../messages/use-text.ts'
import { copyAndSay } from '../../parts/copy-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { showToast } from '../../parts/toasts.ts'
import { messages } from './messages.ts'

export interface Send<Given, Result> {
  readonly send: (given: Given) => Promise<Result>
  /** The keys of the answers that are asked for again. */
  readonly touches: readonly QueryKey[]
  readonly onDone?: (result: Result) => void
  readonly say?: string
}

/** A request whose refusal is shown by the form, not by a toast. */
export function useSend<Given, Result>({ send, touches, onDone, say }: Send<Given, Result>) {
  return useMutation({
    mutationFn: send,
    onError: noteFailure,
    onSuccess(result) {
      onDone?.(result)
      if (say !== undefined) showToast({ kind: 'done', text: say })
      // Not waited for: the result may be a secret, which is shown this once.
      for (const queryKey of touches) void queryClient.invalidateQueries({ queryKey })
    },
  })
}

export interface PanelFormProps {
  readonly label: string
  /** A verb with its object. */
  readonly act: string
  readonly isPending: boolean
  readonly error: unknown
  readonly onSend: () => void
  readonly children: ReactNode
}

export function PanelForm({ label, act, isPending, error, onSend, children }: PanelFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSend()
  }
  return (
    <form className="stack" aria-label={label} onSubmit={submit}>
      {children}
      <FormProblem error={error} />
      <div>
        <Button type="submit" loading={isPending}>
          {act}
        </Button>
      </div>
    </form>
  )
}

/** A secret or a link that the server shows once. It lives in this component alone. */
export function SecretOnce({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useText(messages)
  const copy = (): Promise<void> => copyAndSay(text, t('copied'))
  return (
    <section className="secret" aria-label={label}>
      <div className="section-title">{label}</div>
      <code className="mono secret-text">{text}</code>
      <div className="row-of">
        <Button leftSection={<Copy size={14} aria-hidden />} onClick={() => void copy()}>
          {t('copy_secret')}
        </Button>
        <span className="dim small">{t('secret_once')}</span>
      </div>
    </section>
  )
}

export function Block({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <section className="admin-block" aria-label={title}>
      <h3 className="section-title">{title}</h3>
      {children}
    </section>
  )
}

export interface Fact {
  readonly title: string
  readonly value: ReactNode
}

export function Facts({ facts }: { readonly facts: readonly (Fact | false)[] }) {
  return (
    <dl className="facts">
      {facts.map(
        (fact) =>
          fact !== false && (
            <div key={fact.title} className="fact">
              <dt>{fact.title}</dt>
              <dd>{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
