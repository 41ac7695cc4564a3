// The panel at the right side of a page, 420 px wide; in a narrow window it covers the page. Escape
// closes it. Whether it is open stands in the URL, which the page keeps.

import { ActionIcon } from '@mantine/core'
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useKeys } from '../keys/keys.ts'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

export interface SidePanelProps {
  readonly title: ReactNode
  readonly onClose: () => void
  /** Acts at the bottom, always in sight. */
  readonly acts?: ReactNode
  readonly children: ReactNode
}

export function SidePanel({ title, onClose, acts, children }: SidePanelProps) {
  const t = useText(messages)
  const titleId = useId()
  useKeys(t('close_panel'), [{ keys: 'Escape', title: t('close_panel'), run: onClose }])
  return (
    <aside className="panel" aria-labelledby={titleId}>
      <div className="panel-head">
        <h2 className="section-title cut" id={titleId}>
          {title}
        </h2>
        <ActionIcon aria-label={t('close_panel')} onClick={onClose}>
          <X size={18} aria-hidden />
        </ActionIcon>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <div className="panel-body" tabIndex={0} role="group" aria-labelledby={titleId}>
        {children}
      </div>
      {acts !== undefined && acts !== null && acts !== false && (
        <div className="panel-acts">{acts}</div>
      )}
    </aside>
  )
}
