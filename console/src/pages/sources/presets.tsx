// Well-known lists, with their terms of use. They are data of the package
// (`resources/source-presets.json`), the same that `casework source presets` shows.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import presets from '../../../../resources/source-presets.json'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { useKindName, usePeriod } from './badges.tsx'
import { idOf, type Source } from './data.ts'
import { messages } from './messages.ts'

export type Preset = (typeof presets)[number]

export function findPreset(name: string | undefined): Preset | undefined {
  return presets.find(({ preset }) => preset === name)
}

export function Presets({ sources }: { readonly sources: readonly Source[] }) {
  const t = useText(messages)
  const kindName = useKindName()
  const period = usePeriod()
  const mayManage = useMay('sources:manage')
  const known = new Set(sources.map(idOf))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className="presets" tabIndex={0} role="group" aria-label={t('presets')}>
      <p className="dim">{t('presets_lede')}</p>
      <ul className="preset-list" aria-label={t('presets')}>
        {presets.map((preset) => (
          <li key={preset.preset} className="preset">
            <div className="preset-words">
              <div className="row-of">
                <span className="preset-name">{preset.name}</span>
                <span className="dim small">{kindName(preset.kind)}</span>
              </div>
              <div>{preset.description}</div>
              <dl className="facts small">
                <dt>{t('licence')}</dt>
                <dd>{preset.licence}</dd>
                <dt>{t('origin')}</dt>
                <dd>{preset.origin}</dd>
                <dt>{t('every')}</dt>
                <dd>{period(preset.fetch.intervalSeconds)}</dd>
              </dl>
            </div>
            {known.has(idOf(preset)) ? (
              <Badge tone="green" icon={CircleCheck}>
                {t('added')}
              </Badge>
            ) : (
              mayManage && (
                <Button
                  variant="default"
                  component={Link}
                  to={`/sources/new?preset=${encodeURIComponent(preset.preset)}`}
                  aria-label={t('add_named', { name: preset.name })}
                >
                  {t('add')}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
