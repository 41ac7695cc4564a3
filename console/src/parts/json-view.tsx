// A value as indented JSON, to read and to copy. Never as HTML: whatever a stranger wrote stays text.

import { Button } from '@mantine/core'
import { Copy } from 'lucide-react'
import { useText } from '../messages/use-text.ts'
import { copyAndSay } from './copy-text.ts'
import { messages } from './messages.ts'

// A browser lays out so much text in a frame or two; the rest is copied, not shown.
const SHOWN_MAX = 100_000

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const t = useText(messages)
  const text = JSON.stringify(value, null, 2) ?? ''
  const copy = (): Promise<void> => copyAndSay(text, t('copied'))
  return (
    <figure className="json" aria-label={label}>
      <Button
        variant="default"
        className="json-copy"
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => void copy()}
      >
        {t('copy_text')}
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <pre className="mono" tabIndex={0}>
        {text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)} …` : text}
      </pre>
    </figure>
  )
}
