// Up to ten conditions on the event that opens a case; the first that matches gives the severity.

import { ActionIcon, Button, Select } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../messages/use-text.ts'
import { ConditionField } from './condition-field.tsx'
import { messages } from './editor-messages.ts'
import { type GroupDraft, SEVERITIES } from './group-draft.ts'

type Rules = GroupDraft['severityRules']

export interface SeverityRulesProps {
  readonly rules: Rules
  readonly onChange: (rules: Rules) => void
  readonly fault: (path: string) => ReactNode
}

const RULES_MAX = 10

export function SeverityRules({ rules, onChange, fault }: SeverityRulesProps) {
  const t = useText(messages)
  const change = (at: number, part: Partial<Rules[number]>): void =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)))
  return (
    <div className="stack">
      {rules.map(({ condition, severity }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a rule is its place
        <div key={index} className="severity-rule">
          <ConditionField
            label={t('severity_rule', { number: index + 1 })}
            value={condition}
            error={fault(`/severity_rules/${index}/condition`) ?? fault(`/severity_rules/${index}`)}
            onChange={(next) => change(index, { condition: next })}
          />
          <Select
            aria-label={t('severity_rule_gives', { number: index + 1 })}
            value={severity}
            data={SEVERITIES.map((value) => ({ value, label: t(`severity_${value}`) }))}
            allowDeselect={false}
            onChange={(value) => {
              const found = SEVERITIES.find((one) => one === value)
              if (found !== undefined) change(index, { severity: found })
            }}
          />
          <ActionIcon
            aria-label={t('severity_rule_remove', { number: index + 1 })}
            onClick={() => onChange(rules.filter((_, at) => at !== index))}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {rules.length < RULES_MAX && (
        <div>
          <Button
            variant="default"
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => onChange([...rules, { condition: 'intel.ip.listed', severity: 'high' }])}
          >
            {t('severity_rule_add')}
          </Button>
        </div>
      )}
    </div>
  )
}
