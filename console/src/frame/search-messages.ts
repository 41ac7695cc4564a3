// What the search box says.

import { defineMessages } from '../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    search: 'Search',
    hint: 'Search an address, domain, case, customer …',
    results: 'Results',
    look_up: 'Look up {item}',
    everywhere: 'Search everywhere for “{text}”',
    recent: 'Looked up lately',
    kind_customer: 'Customer',
    kind_case: 'Case',
    kind_report: 'Report',
    kind_event: 'Event',
    count: '{count, plural, =0 {No result} one {# result} other {# results}}',
  },
  de: {
    search: 'Suchen',
    hint: 'Adresse, Domain, Fall, Kunde … suchen',
    results: 'Ergebnisse',
    look_up: '{item} nachschlagen',
    everywhere: 'Überall nach „{text}“ suchen',
    recent: 'Zuletzt nachgeschlagen',
    kind_customer: 'Kunde',
    kind_case: 'Fall',
    kind_report: 'Meldung',
    kind_event: 'Ereignis',
    count: '{count, plural, =0 {Kein Ergebnis} one {# Ergebnis} other {# Ergebnisse}}',
  },
})
