// What the server says is wrong with a field, a report or a source, in German, by its English
// words. Read by server-reasons.tsx, which loads this file for German only. What is in neither list stays English.

export const REASONS_DE: Readonly<Record<string, string>> = {
  'is missing': 'fehlt',
  'is not known here': 'ist hier nicht bekannt',
  'is not valid': 'ist nicht gültig',
  'is not valid here': 'ist hier nicht gültig',
  'is there twice': 'steht zweimal da',
  'stands here twice': 'steht hier zweimal',
  'is named twice': 'ist zweimal genannt',
  'is not there': 'gibt es nicht',
  'changes nothing': 'ändert nichts',
  'has U+0000 or a lone surrogate': 'enthält ein Zeichen, das nicht gespeichert werden kann',
  'must be an object': 'muss ein JSON-Objekt sein',
  'must be string': 'muss ein Text sein',
  'must be integer': 'muss eine ganze Zahl sein',
  'must be number': 'muss eine Zahl sein',
  'must be boolean': 'muss ja oder nein sein',
  'must be array': 'muss eine Liste sein',
  'must be object': 'muss ein JSON-Objekt sein',
  'must be a number': 'muss eine Zahl sein',
  'must be a text': 'muss ein Text sein',
  'must be true or false': 'muss ja oder nein sein',
  'must not be blank': 'darf nicht leer sein',
  'must be a text that is not blank': 'darf nicht leer sein',
  'must be a string that is not empty': 'darf nicht leer sein',
  'must have a letter or digit': 'braucht einen Buchstaben oder eine Ziffer',
  'must be lower-case words': 'muss aus kleingeschriebenen Wörtern bestehen',
  // Addresses and names.
  'must be an e-mail address': 'muss eine E-Mail-Adresse sein',
  'is no e-mail address': 'ist keine E-Mail-Adresse',
  'has a text that is no e-mail address': 'enthält einen Text, der keine E-Mail-Adresse ist',
  'must be a domain name': 'muss ein Domainname sein',
  'must be an IPv4 or IPv6 address': 'muss eine IPv4- oder IPv6-Adresse sein',
  'must be an IP address or a CIDR block': 'muss eine IP-Adresse oder ein CIDR-Block sein',
  'must be a CIDR block, such as 192.0.2.0/24': 'muss ein CIDR-Block sein, etwa 192.0.2.0/24',
  'must be an absolute https URL': 'muss eine vollständige https-URL sein',
  'must be a link with a host': 'muss ein Link mit einem Host sein',
  'is neither an address nor a domain': 'ist weder Adresse noch Domain',
  'is neither an e-mail address nor a registrable domain':
    'ist weder eine E-Mail-Adresse noch eine Domain, die jemand registrieren kann',
  'must be a known event type, such as LoginAttack':
    'muss ein bekannter Ereignistyp sein, etwa LoginAttack',
  'must be a BCP 47 tag, such as de or pt-BR': 'muss ein Sprachkürzel sein, etwa de oder pt-BR',
  // Times.
  'must be a time': 'muss eine Zeit sein',
  'must be an ISO 8601 date-time with a zone': 'muss ein Zeitpunkt nach ISO 8601 mit Zone sein',
  'must not be in the future': 'darf nicht in der Zukunft liegen',
  'must be in the future': 'muss in der Zukunft liegen',
  'must be at most a year from now': 'darf höchstens ein Jahr voraus liegen',
  'must be before to': 'muss vor dem Ende liegen',
  'must be later than from': 'muss nach dem Beginn liegen',
  'must be later than valid_from': 'muss nach dem Beginn liegen',
  'must not end before it begins': 'darf nicht vor dem Beginn enden',
  'must be later than the end before it': 'muss nach dem Ende davor liegen',
  'must be a time such as 09:00': 'muss eine Uhrzeit sein, etwa 09:00',
  'must be a time such as 17:30': 'muss eine Uhrzeit sein, etwa 17:30',
  'must be a date such as 2027-01-01': 'muss ein Datum sein, etwa 2027-01-01',
  'must be open at some time of the week': 'muss in der Woche irgendwann offen sein',
  'names no time zone, such as Europe/Berlin': 'nennt keine Zeitzone, etwa Europe/Berlin',
  'must leave 15 minutes between two times': 'muss 15 Minuten zwischen zwei Zeiten lassen',
  // Records.
  'names no customer': 'nennt keinen Kunden',
  'names no contract': 'nennt keinen Vertrag',
  'names no contract of this customer': 'nennt keinen Vertrag dieses Kunden',
  'is a contract of another customer': 'ist ein Vertrag eines anderen Kunden',
  'names no playbook': 'nennt kein Playbook',
  'names no adapter': 'nennt keinen Adapter',
  'names no secret of the tenant': 'nennt kein Geheimnis des Mandanten',
  'names an event that is not in this case': 'nennt ein Ereignis, das nicht in diesem Fall ist',
  'names a case twice': 'nennt einen Fall zweimal',
  'names this case': 'nennt diesen Fall',
  'must be a case id': 'muss die Kennung eines Falls sein',
  'is the id of no tenant': 'ist die Kennung keines Mandanten',
  'is no tenant of this instance': 'ist kein Mandant dieser Installation',
  'is no role': 'ist keine Rolle',
  'is no scope': 'ist kein Recht',
  'is no service account': 'ist kein Dienstkonto',
  'is the address of a user of this tenant': 'ist die Adresse einer Person dieses Mandanten',
  'is the adapter of people, which is always there':
    'ist der Adapter für Arbeit von Hand, den es immer gibt',
  'must be one of the options': 'muss eine der Möglichkeiten sein',
  'is none of the paths': 'ist keiner der Wege',
  'must have either condition or key': 'braucht entweder eine Bedingung oder Merkmale',
  'is missing; CLOSED needs it': 'fehlt; ein geschlossener Fall braucht es',
  'is missing; RESOLVED needs it': 'fehlt; ein gelöster Fall braucht es',
  'is missing; a contract needs it': 'fehlt; ein Vertrag braucht es',
  'is missing; header_value needs it': 'fehlt; der Wert der Kopfzeile braucht es',
  'is missing; the name is none of the purposes': 'fehlt; der Name ist keiner der Zwecke',
  'must be that of the name, or left out': 'muss der Zweck des Namens sein oder leer bleiben',
  // Reports that made no event.
  'The report has not been read yet.': 'Die Meldung ist noch nicht gelesen.',
  'The report is empty.': 'Die Meldung ist leer.',
  'The report names no address, link or domain that could be complained about.':
    'Die Meldung nennt weder Adresse noch Link noch Domain, über die man sich beschweren könnte.',
  'The report is JSON, but not an object.': 'Die Meldung ist JSON, aber kein Objekt.',
  'The report is a JSON object, but not XARF: it has no xarf_version of the form 4.x.y.':
    'Die Meldung ist ein JSON-Objekt, aber kein XARF: Ihr fehlt xarf_version in der Form 4.x.y.',
  'The report names nobody who reports it. Over HTTP, name somebody with ?reporter=<e-mail address>, or use a token with a contact_email.':
    'Die Meldung nennt keinen Melder. Über HTTP nennt ihn ?reporter=<E-Mail-Adresse> oder ein Token mit contact_email.',
  'The report is not read: the reader crashed on it.':
    'Die Meldung wird nicht gelesen: Das Lesen brach ab.',
  'The report could not be read: its reader failed on it; the log holds the reason.':
    'Die Meldung konnte nicht gelesen werden; der Grund steht im Protokoll.',
  'The report could not be stored as events; the log holds the reason.':
    'Die Meldung konnte nicht als Ereignis gespeichert werden; der Grund steht im Protokoll.',
  'The table has a head and no rows.': 'Die Tabelle hat einen Kopf, aber keine Zeilen.',
  // Sources that could not be fetched.
  'The fetch broke off.': 'Der Abruf brach ab.',
  'The server sent a page or XML, which is no list.':
    'Der Server lieferte eine Seite oder XML, also keine Liste.',
  'The list is packed by gzip and damaged.': 'Die Liste ist mit gzip gepackt und beschädigt.',
  'The list is larger than 64 MiB when it is unpacked.':
    'Die Liste ist entpackt größer als 64 MiB.',
  // Passwords.
  'is one of the most common passwords': 'ist eines der häufigsten Passwörter',
  'must not be the name or the e-mail address': 'darf nicht der Name oder die E-Mail-Adresse sein',
}

/** With the parts that vary: `$1` stands for the first of them. */
export const REASON_PATTERNS_DE: readonly (readonly [RegExp, string])[] = [
  [/^must NOT have fewer than 1 characters$/, 'darf nicht leer sein'],
  [/^must NOT have fewer than (\d+) characters$/, 'braucht mindestens $1 Zeichen'],
  [/^must NOT have more than (\d+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must have at most (\S+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must be at most (\S+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^is longer than (\S+) characters$/, 'ist länger als $1 Zeichen'],
  [/^must be a text of 1 to (\S+) characters$/, 'muss ein Text von 1 bis $1 Zeichen sein'],
  [/^must be a text of at most (\S+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must NOT have fewer than 1 items$/, 'braucht mindestens einen Eintrag'],
  [/^must NOT have fewer than (\d+) items$/, 'braucht mindestens $1 Einträge'],
  [/^must NOT have more than (\d+) items$/, 'darf höchstens $1 Einträge haben'],
  [/^must NOT have duplicate items .*$/, 'darf nichts zweimal enthalten'],
  [/^must be >= (\S+)$/, 'muss mindestens $1 sein'],
  [/^must be <= (\S+)$/, 'darf höchstens $1 sein'],
  [/^must be a number from (\S+) to (\S+)$/, 'muss eine Zahl von $1 bis $2 sein'],
  [/^must be a whole number from (\S+) to (\S+)$/, 'muss eine ganze Zahl von $1 bis $2 sein'],
  [
    /^It complains, but names no address, link or domain \("(.*)" in the mail\); a person must find out who is meant\.$/s,
    'Sie beschwert sich, nennt aber weder Adresse noch Link noch Domain („$1“ in der Mail); jemand muss herausfinden, wer gemeint ist.',
  ],
  [
    /^The report is not read: reading it took longer than (\S+) seconds\.$/,
    'Die Meldung wird nicht gelesen: Das dauerte länger als $1 Sekunden.',
  ],
  [
    /^The report is not read: it is longer than (\S+) bytes\.$/,
    'Die Meldung wird nicht gelesen: Sie ist länger als $1 Byte.',
  ],
  [
    /^The report is in no format that is read here: it .*$/s,
    'Die Meldung hat kein Format, das hier gelesen wird.',
  ],
  [/^must match pattern .*$/, 'hat nicht die verlangte Form'],
  [/^must be one of \[(.*)\]$/, 'muss eines von diesen sein: $1'],
]

/** Null for what there is no German for. */
export function sayReasonInGerman(reason: string): string | null {
  const own = REASONS_DE[reason]
  if (own !== undefined) return own
  const found = REASON_PATTERNS_DE.find(([pattern]) => pattern.test(reason))
  return found === undefined ? null : reason.replace(found[0], found[1])
}
