// The reason of a notice in words: why it waits, did not go out, or went in a digest. The server
// names them in the schema `Notice`.

import { defineMessages } from '../messages/define-messages.ts'
import { useText } from '../messages/use-text.ts'

const messages = defineMessages({
  en: {
    on_list: 'The address is on the list of those that get no mail',
    own_address: 'It is an address of our own',
    system_address: 'It is an address of a mail system',
    automatic_mail: 'A program wrote the report',
    sender_not_proven: 'The sender of the report failed DMARC',
    too_many: 'Too many mails to one recipient: a loop',
    cancelled: 'Dropped by a person or a playbook',
    no_relay: 'No relay is set',
    throttled: 'Above the limit of a day; the digest takes it up',
    in_digest: 'In a digest',
    refused_by_relay: 'The relay refused it',
    all_attempts_failed: 'All attempts failed',
    recipient_erased: 'The recipient was erased',
    demo: 'Nothing of the demo is sent',
  },
  de: {
    on_list: 'Die Adresse steht auf der Liste derer, die keine Mail bekommen',
    own_address: 'Es ist eine eigene Adresse',
    system_address: 'Es ist die Adresse eines Mailsystems',
    automatic_mail: 'Ein Programm schrieb die Meldung',
    sender_not_proven: 'Der Absender der Meldung bestand DMARC nicht',
    too_many: 'Zu viele Mails an einen Empfänger: eine Schleife',
    cancelled: 'Von einer Person oder einem Playbook verworfen',
    no_relay: 'Kein Mailserver ist eingerichtet',
    throttled: 'Über der Tagesgrenze; die Sammelmail nimmt sie auf',
    in_digest: 'In einer Sammelmail',
    refused_by_relay: 'Der Mailserver lehnte sie ab',
    all_attempts_failed: 'Alle Versuche schlugen fehl',
    recipient_erased: 'Der Empfänger wurde gelöscht',
    demo: 'Von der Demo wird nichts gesendet',
  },
})

const REASONS = [
  'on_list',
  'own_address',
  'system_address',
  'automatic_mail',
  'sender_not_proven',
  'too_many',
  'cancelled',
  'no_relay',
  'throttled',
  'in_digest',
  'refused_by_relay',
  'all_attempts_failed',
  'recipient_erased',
  'demo',
] as const

/** A reason that the console does not know is shown as it is; none is an empty text. */
export function useNoticeReason(): (reason: string | undefined) => string {
  const t = useText(messages)
  return (reason) => {
    const known = REASONS.find((one) => one === reason)
    return known === undefined ? (reason ?? '') : t(known)
  }
}
