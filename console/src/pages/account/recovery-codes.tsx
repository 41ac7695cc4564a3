// Recovery codes, shown this once: to copy, to keep as a file, to print.

import { Button, Group, Modal } from '@mantine/core'
import { Copy, Download } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { copyAndSay } from '../../parts/copy-text.ts'
import { saveFile } from '../../parts/csv.ts'
import { messages } from './security-messages.ts'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

/**
 * The codes over the page. They do not go by a click beside them, and the section holds them, not
 * the dialog that asked for them: that one may be closed before the answer has come.
 */
export function RecoveryCodesDialog({ codes, onKept }: RecoveryCodesProps) {
  const t = useText(messages)
  return (
    <Modal
      opened
      onClose={onKept}
      title={t('codes')}
      closeButtonProps={{ 'aria-label': t('close') }}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <RecoveryCodes codes={codes} onKept={onKept} />
    </Modal>
  )
}

export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const t = useText(messages)
  const text = `${codes.join('\n')}\n`
  const copy = (): Promise<void> => copyAndSay(text, t('copied'))
  return (
    <div className="stack">
      <div>{t('codes_once')}</div>
      <ul className="codes mono" aria-label={t('codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between" gap={8}>
        <Group gap={8}>
          <Button
            variant="default"
            leftSection={<Copy size={14} aria-hidden />}
            onClick={() => void copy()}
          >
            {t('copy')}
          </Button>
          <Button
            variant="default"
            leftSection={<Download size={14} aria-hidden />}
            onClick={() => saveFile('casework-recovery-codes.txt', 'text/plain', text)}
          >
            {t('download')}
          </Button>
        </Group>
        <Button onClick={onKept}>{t('codes_kept')}</Button>
      </Group>
    </div>
  )
}
