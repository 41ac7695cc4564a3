// What the page of logins by code says.

import { defineMessages } from '../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Sign in a program',
    lede: 'Type the code that the program shows, such as the command line of Casework.',
    code: 'Code',
    code_help: 'Eight letters.',
    check: 'Look up the code',
    unknown: 'No login waits for this code. Compare it with the one that the program shows.',
    signed_in_as: 'You are {email}, in the tenant {tenant}.',
    decide: 'Approve this login?',
    asks: '{client} asks to act for you',
    address: 'Asked from',
    address_unknown: 'unknown',
    asked: 'Asked',
    tenant: 'For the tenant',
    scopes:
      '{count, plural, =0 {It would get no right} one {It would get one right} other {It would get # rights}}',
    warning:
      'Approve only what you began yourself a moment ago, and when the program shows this very code. Whoever sent you a code gets your access by it.',
    deny: 'Deny',
    approve: 'Approve',
    other_code: 'Type another code',
    approved: 'Approved',
    approved_lede: '{client} gets its token now. You can close this page.',
    denied: 'Denied',
    denied_lede: '{client} gets nothing.',
    to_console: 'To the console',
  },
  de: {
    title: 'Programm anmelden',
    lede: 'Geben Sie den Code ein, den das Programm zeigt, etwa die Kommandozeile von Casework.',
    code: 'Code',
    code_help: 'Acht Buchstaben.',
    check: 'Code nachsehen',
    unknown:
      'Für diesen Code wartet keine Anmeldung. Vergleichen Sie ihn mit dem, den das Programm zeigt.',
    signed_in_as: 'Sie sind {email}, im Mandanten {tenant}.',
    decide: 'Diese Anmeldung erlauben?',
    asks: '{client} möchte für Sie handeln',
    address: 'Gefragt von',
    address_unknown: 'unbekannt',
    asked: 'Gefragt',
    tenant: 'Für den Mandanten',
    scopes:
      '{count, plural, =0 {Es bekäme kein Recht} one {Es bekäme ein Recht} other {Es bekäme # Rechte}}',
    warning:
      'Erlauben Sie nur, was Sie gerade selbst begonnen haben und wenn das Programm genau diesen Code zeigt. Wer Ihnen einen Code geschickt hat, bekommt damit Ihren Zugang.',
    deny: 'Ablehnen',
    approve: 'Erlauben',
    other_code: 'Anderen Code eingeben',
    approved: 'Erlaubt',
    approved_lede: '{client} bekommt jetzt sein Token. Sie können diese Seite schließen.',
    denied: 'Abgelehnt',
    denied_lede: '{client} bekommt nichts.',
    to_console: 'Zur Konsole',
  },
})
