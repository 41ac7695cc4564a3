// The name of a member of an event for people; the pointer itself where there is none.

import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'

const NAMES = {
  '/ip': 'field_ip',
  '/domain': 'field_domain',
  '/event_type': 'field_type',
  '/event_date': 'field_date',
  '/event_subtypes': 'field_subtypes',
  '/sender_email': 'field_reporter',
  '/recipient_email': 'field_recipient',
  '/tags': 'field_tags',
  '/event_details': 'field_details',
  '/event_details/url': 'field_url',
  '/event_details/port': 'field_port',
  '/event_details/protocol': 'field_protocol',
  '/event_details/target/ip': 'field_target',
  '/event_details/target/domain': 'field_target',
} as const

export function useFieldName(): (field: string) => string {
  const t = useText(messages)
  return (field) => {
    const key = Object.entries(NAMES).find(([pointer]) => pointer === field)?.[1]
    if (key !== undefined) return t(key)
    return field
      .replace(/^\/(?:event_details\/)?/, '')
      .replaceAll('/', ' › ')
      .replaceAll('_', ' ')
  }
}
