// The ways out of the nodes at which the case waits, for the keyboard.

import { useText } from '../../messages/use-text.ts'
import { DialogFrame } from '../cases/shared/act-dialog.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import type { DialogProps } from './deadline-dialog.tsx'
import { WaitingNote, WaysOut } from './ways-out.tsx'

export function TriggerDialog({ detail, onClose }: DialogProps) {
  const ts = useText(sharedMessages)
  return (
    <DialogFrame title={ts('title_trigger')} onClose={onClose}>
      {detail.waiting.length === 0 ? (
        <div className="dim">{ts('waits_nowhere')}</div>
      ) : (
        <div className="stack">
          <WaitingNote detail={detail} />
          <div className="ways-all">
            <WaysOut detail={detail} isWhole onDone={onClose} />
          </div>
        </div>
      )}
    </DialogFrame>
  )
}
