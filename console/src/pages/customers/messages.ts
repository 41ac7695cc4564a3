// What the list of customers says.

import { defineMessages } from '../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Customers',
    lede: 'Who owns the addresses and domains that are reported, and who gets the notices.',
    add: 'Add a customer',
    find: 'Find by name or id',
    name: 'Name',
    id: 'Id',
    open_cases: 'Open cases',
    contacts: 'Contacts',
    no_contacts: 'None: no notice can be sent',
    parent: 'Reseller',
    updated: 'Changed',
    empty: 'No customers yet',
    empty_why:
      'Without customers each address is its own. Add one here, or import all from a CSV or NDJSON file.',
    none_match: 'No customer matches',
    none_match_why: 'Each word must be a part of the name or the id.',
  },
  de: {
    title: 'Kunden',
    lede: 'Wem die gemeldeten Adressen und Domains gehören, und wer benachrichtigt wird.',
    add: 'Kunde hinzufügen',
    find: 'Nach Name oder Kennung suchen',
    name: 'Name',
    id: 'Kennung',
    open_cases: 'Offene Fälle',
    contacts: 'Kontakte',
    no_contacts: 'Keine: niemand wird benachrichtigt',
    parent: 'Wiederverkäufer',
    updated: 'Geändert',
    empty: 'Noch keine Kunden',
    empty_why:
      'Ohne Kunden steht jede Adresse für sich. Fügen Sie hier einen hinzu, oder importieren Sie alle aus einer CSV- oder NDJSON-Datei.',
    none_match: 'Kein Kunde passt',
    none_match_why: 'Jedes Wort muss ein Teil des Namens oder der Kennung sein.',
  },
})
