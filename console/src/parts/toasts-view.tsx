// Shows the toasts. A done act leaves by itself after the time in which it can be undone, which
// stands still while the pointer or the keyboard is on it.

import { ActionIcon, Button } from '@mantine/core'
import { CircleCheck, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'
import { ProblemWords } from './problem-words.tsx'
import { closeToast, type Toast, UNDO_MS, useToasts } from './toasts.ts'

export function Toasts() {
  const toasts = useToasts()
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

const SHORT_MS = 4_000

function ToastView({ toast }: { readonly toast: Toast }) {
  const t = useText(messages)
  const [isHeld, setHeld] = useState(false)
  const { id, kind, undo = null } = toast
  useEffect(() => {
    if (isHeld || kind === 'failure') return
    const timer = setTimeout(() => closeToast(id), undo === null ? SHORT_MS : UNDO_MS)
    return () => clearTimeout(timer)
  }, [id, kind, undo, isHeld])
  const Icon = kind === 'done' ? CircleCheck : TriangleAlert
  return (
    <div
      className="toast"
      data-tone={kind === 'done' ? 'green' : 'red'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={16} aria-hidden />
      <div className="toast-words">
        <div>{toast.text}</div>
        {toast.error !== undefined && (
          <div className="dim small">
            <ProblemWords error={toast.error} />
          </div>
        )}
      </div>
      {undo !== null && (
        <Button
          variant="subtle"
          onClick={() => {
            closeToast(id)
            void undo()
          }}
        >
          {t('undo')}
        </Button>
      )}
      <ActionIcon aria-label={t('close')} onClick={() => closeToast(id)}>
        <X size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
