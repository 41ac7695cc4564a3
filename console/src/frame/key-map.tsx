// The keyboard map: all keys that are live on this page.

import { Button, Modal } from '@mantine/core'
import { useKeyGroups } from '../keys/keys.ts'
import { useText } from '../messages/use-text.ts'
import { setPreference, usePreferences } from '../settings/preferences.ts'
import { KeyCaps } from './key-caps.tsx'
import { messages } from './messages.ts'

export function KeyMap({ onClose }: { readonly onClose: () => void }) {
  const t = useText(messages)
  const groups = useKeyGroups()
  const { keys } = usePreferences()
  const openTour = (): void => {
    setPreference('tour', 'open')
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('help')}
      size={720}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {keys === 'off' && <p className="dim">{t('keys_off')}</p>}
      <div className="keymap">
        {groups
          .filter((group) => group.keys.length > 0)
          .map((group) => (
            <section key={group.title} aria-label={group.title}>
              <h3 className="section-title">{group.title}</h3>
              <dl>
                {group.keys.map((key) => (
                  <div key={key.keys} style={{ display: 'contents' }}>
                    <dt>{key.title}</dt>
                    <dd>
                      <KeyCaps keys={key.keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <Button variant="default" mt={16} onClick={openTour}>
        {t('tour')}
      </Button>
    </Modal>
  )
}
