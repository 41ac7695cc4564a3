// What a person chooses for this browser.

import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useId } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { useNow } from '../../parts/since.tsx'
import { setPreference, usePreferences } from '../../settings/preferences.ts'
import { messages } from './messages.ts'

export function DisplayTab() {
  const t = useText(messages)
  const format = useFormat()
  const nowMs = useNow()
  const { language, zone, density, keys } = usePreferences()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <section className="stack" aria-label={t('display')}>
      <p className="dim" style={{ margin: 0 }}>
        {t('display_lede')}
      </p>
      <div className="settings">
        <Choice
          title={t('language')}
          value={language}
          // A language is called what its speakers call it.
          choices={[
            ['auto', t('language_auto')],
            ['en', 'English'],
            ['de', 'Deutsch'],
          ]}
          onChange={(value) => setPreference('language', value)}
        />
        <Choice
          title={t('zone')}
          help={t('zone_now', { time: format.exact(new Date(nowMs)) })}
          value={zone}
          choices={[
            ['local', t('zone_local')],
            ['utc', t('zone_utc')],
          ]}
          onChange={(value) => setPreference('zone', value)}
        />
        <Choice
          title={t('scheme')}
          value={colorScheme}
          choices={[
            ['auto', t('scheme_auto')],
            ['light', t('scheme_light')],
            ['dark', t('scheme_dark')],
          ]}
          onChange={setColorScheme}
        />
        <Choice
          title={t('density')}
          value={density}
          choices={[
            ['normal', t('density_normal')],
            ['compact', t('density_compact')],
          ]}
          onChange={(value) => setPreference('density', value)}
        />
        <Choice
          title={t('keys')}
          help={t('keys_why')}
          value={keys}
          choices={[
            ['on', t('keys_on')],
            ['off', t('keys_off')],
          ]}
          onChange={(value) => setPreference('keys', value)}
        />
      </div>
    </section>
  )
}

interface ChoiceProps<Value extends string> {
  readonly title: string
  readonly help?: string
  readonly value: Value
  readonly choices: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
}

function Choice<Value extends string>({
  title,
  help,
  value,
  choices,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId()
  return (
    <div className="setting">
      <div>
        <div id={id}>{title}</div>
        {help !== undefined && <div className="dim small">{help}</div>}
      </div>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        data={choices.map(([one, label]) => ({ value: one, label }))}
        onChange={onChange}
      />
    </div>
  )
}
