// An address, range or domain: monospace, never a link to the outside. It leads to its look-up
// page; the button copies it as it is, with Shift defanged (`198.51.100[.]7`).

import { Link } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useText } from '../messages/use-text.ts'
import { copyAndSay } from './copy-text.ts'
import { messages } from './messages.ts'

export interface ItemLinkProps {
  readonly item: string
  /** Without a link: on the page of the item itself. */
  readonly isPlain?: boolean
}

export function ItemLink({ item, isPlain = false }: ItemLinkProps) {
  const t = useText(messages)
  const copy = (isDefanged: boolean): Promise<void> =>
    copyAndSay(isDefanged ? defang(item) : item, t(isDefanged ? 'copied_defanged' : 'copied'))
  const path: string = `/lookup/${encodeURIComponent(item)}`
  return (
    <span className="item">
      {isPlain ? (
        <span className="mono cut">{item}</span>
      ) : (
        <Link to={path} className="mono cut item-link">
          {item}
        </Link>
      )}
      <button
        type="button"
        className="item-copy"
        aria-label={t('copy', { item })}
        title={t('copy', { item })}
        onClick={(event) => {
          event.stopPropagation()
          void copy(event.shiftKey)
        }}
      >
        <Copy size={14} aria-hidden />
      </button>
    </span>
  )
}

/** As analysts write it in mails, so that no program makes a link of it. */
export function defang(item: string): string {
  if (item.includes(':') && !item.includes('://')) return item.replaceAll(':', '[:]')
  return item.replace(/^http/i, 'hxxp').replaceAll('.', '[.]')
}
