// The ways out of the nodes at which the case waits, as buttons. A way that asks for a form opens
// it. Taken by somebody else meanwhile, the buttons change, with a note.

import { Button, Menu } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Since } from '../../parts/since.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import { needsForm, titleOf, useChoosePath } from '../cases/shared/trigger-choices.tsx'
import type { CaseDetail, Waiting } from './data.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import { messages } from './messages.ts'

// Further ways are in a menu.
const BUTTONS_MAX = 3

interface Way {
  readonly node: Waiting
  readonly path: string
}

export interface WaysOutProps {
  readonly detail: CaseDetail
  /** Each of them is a button, and the first has the focus: in a dialog. */
  readonly isWhole?: boolean
  readonly onDone?: () => void
}

export function WaysOut({ detail, isWhole = false, onDone }: WaysOutProps) {
  const t = useText(messages)
  const mayTrigger = useMay('playbooks:trigger')
  const [asked, setAsked] = useState<Way | null>(null)
  const choose = useChoosePath(detail.id, onDone)
  const ways = detail.waiting.flatMap((node) => node.paths.map((path): Way => ({ node, path })))
  if (ways.length === 0) return null
  const take = (way: Way): void => {
    if (needsForm(way.node, way.path)) setAsked(way)
    else choose.mutate(way)
  }
  const isShort = isWhole || ways.length === BUTTONS_MAX + 1
  const shown = isShort ? ways : ways.slice(0, BUTTONS_MAX)
  const rest = ways.slice(shown.length)
  return (
    <>
      {shown.map((way, index) => (
        <Button
          key={keyOf(way)}
          {...(isWhole && index === 0 ? { 'data-autofocus': true } : {})}
          variant="default"
          disabled={!mayTrigger || choose.isPending}
          title={mayTrigger ? way.node.question : t('may_not_trigger')}
          onClick={() => take(way)}
        >
          {titleOf(way.node, way.path)}
          {needsForm(way.node, way.path) ? ' …' : ''}
        </Button>
      ))}
      {rest.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
              {t('more_ways', { count: rest.length })}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map((way) => (
              <Menu.Item key={keyOf(way)} disabled={!mayTrigger} onClick={() => take(way)}>
                {titleOf(way.node, way.path)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {asked !== null && (
        <DecisionDialog
          caseId={detail.id}
          {...asked}
          onClose={() => setAsked(null)}
          {...(onDone === undefined ? {} : { onDone })}
        />
      )}
    </>
  )
}

/** The question of the node, who has chosen before, and when it goes on by itself. */
export function WaitingNote({ detail }: { readonly detail: CaseDetail }) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const asked = detail.waiting.filter(
    ({ question, timeout_at: timeout, first_decision: first }) =>
      question !== undefined || timeout !== undefined || first !== undefined,
  )
  if (asked.length === 0) return null
  return (
    <div className="waiting-notes">
      {asked.map((node) => (
        <div key={`${node.run_id} ${node.node}`} className="waiting-note">
          {node.question === undefined ? (
            <span>
              {t('stands_at')} <code className="mono">{node.node}</code>
            </span>
          ) : (
            <strong>{node.question}</strong>
          )}
          {node.timeout_at !== undefined && (
            <span className="dim">
              {ts('leaves_at')} <Since at={node.timeout_at} />
            </span>
          )}
          {node.role !== undefined && (
            <span className="dim">{t('needs_role', { role: node.role })}</span>
          )}
          {node.four_eyes === true && node.first_decision === undefined && (
            <span className="dim">{t('four_eyes')}</span>
          )}
          {node.first_decision !== undefined && (
            <span className="dim">
              {ts('first_choice', { path: titleOf(node, node.first_decision.path) })}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

function keyOf({ node, path }: Way): string {
  return `${node.run_id} ${node.node} ${path}`
}
