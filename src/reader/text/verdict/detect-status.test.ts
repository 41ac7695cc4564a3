import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReportBytes } from '../../read-report.ts'

/** The reason of the refusal; null when it becomes an event. */
function refuse(subject: string, body: string, headers = ''): string | null {
  const raw = `From: Desk <desk@other.example>\nTo: abuse@provider.example\nSubject: =?utf-8?b?${Buffer.from(subject).toString('base64')}?=\nContent-Type: text/plain; charset=utf-8\n${headers}\n${body}\n`
  const result = readReportBytes(Buffer.from(raw.replaceAll('\n', '\r\n')), {
    receivedAtMs: Date.parse('2026-11-03T12:00:00Z'),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
  })
  if (result.kind === 'report') return null
  return result.kind === 'no_report' ? result.reason : result.kind
}

function assertKind(kind: string, mails: readonly (readonly [string, string])[]): void {
  for (const [subject, body] of mails) {
    const reason = refuse(subject, body)
    assert.ok(reason?.startsWith(`The mail is ${kind}`), `${subject}: ${body}: ${reason}`)
  }
}

describe('the status of a matter', () => {
  it('is told by a sentence that names the matter and what was done with it', () => {
    assertKind('the status of a matter', [
      [
        'Update',
        'The incident 4711 about attacks from 192.0.2.1 has since been solved by our engineers.',
      ],
      ['Malware', 'We are currently looking into your notification about http://a.example/x.exe.'],
      ['Hinweis', 'Das Problem mit dem Angriff von 192.0.2.1 ist inzwischen behoben.'],
      ['Avis', 'Le dossier 55 (attaque de 192.0.2.1) est clos.'],
      ['Aviso', 'La incidencia por el ataque de 192.0.2.1 ha quedado solucionada.'],
      ['Povraceni', 'Váš požadavek 12 (útok z 192.0.2.1) byl předán technikům.'],
      ['Asia', 'Ilmoituksesi hyökkäyksestä osoitteesta 192.0.2.1 on vastaanotettu.'],
      ['Ügy', 'A támadásról (192.0.2.1) szóló bejelentését továbbítottuk.'],
    ])
  })

  it('is none when the mail says that the matter goes on, or asks for something', () => {
    for (const body of [
      'The incident 4711 has been closed, but 192.0.2.1 attacks us again.',
      'The incident 4711 has been closed. Please investigate: 192.0.2.1 attacks our server.',
      'The incident 4711 has been closed. New lines of today:\n\nNov  3 09:55:01 host sshd[22]: Failed password for root from 192.0.2.1 port 5123 ssh2',
      '192.0.2.1 attacks our mail server. The incident 4711 has been closed by the police.',
    ]) {
      assert.equal(refuse('Attack', body), null, body)
    }
  })

  it('is none in a row of fields, and none where a name is resolved to an address', () => {
    for (const body of [
      'Incident ID: DR-1\nIncident type: Malware\nResolved IP: 192.0.2.1\nURL: http://bad.example/x.exe',
      'The domain bad.example spreads malware. It has been resolved to 192.0.2.1.',
    ]) {
      assert.equal(refuse('Malware', body), null, body)
    }
  })

  it('may tell what happens on a condition', () => {
    const body =
      'The incident 4711 about attacks from 192.0.2.1 is closed. If they continue, answer this mail.'
    assert.ok(refuse('Update', body)?.includes('"closed"') || refuse('Update', body) !== null)
  })
})

describe('a withdrawal', () => {
  it('is told in the words of whoever reported', () => {
    assertKind('the withdrawal of a report', [
      [
        'Correction',
        'I would like to retract my abuse complaint about phishing at http://a.example/.',
      ],
      [
        'Fehler',
        'Unsere Beschwerde über den Angriff von 192.0.2.1 hat sich erledigt, wir ziehen die Meldung zurück.',
      ],
      ['Erreur', 'Ce signalement de phishing (http://a.example/) a été envoyé par erreur.'],
      ['Error', 'Retiramos nuestra denuncia por ataques desde 192.0.2.1.'],
      ['Ошибка', 'Мы отзываем нашу жалобу на атаки с адреса 192.0.2.1.'],
    ])
  })

  it('is none under a condition', () => {
    const body =
      '192.0.2.1 attacks our server. If you have stopped it already, please disregard this notice.'
    assert.equal(refuse('Attack', body), null)
  })
})

describe('a mail that says nothing bad of what it names', () => {
  it('is refused with this reason, in many languages', () => {
    for (const body of [
      'The memory of your server 192.0.2.1 was doubled last night, and it is running well.',
      'Der Tausch der Festplatte im Server 192.0.2.1 ist für den 5. November vorgesehen.',
      'Le serveur 192.0.2.1 a été livré et les accès sont dans votre espace client.',
      'El servidor 192.0.2.1 está listo y los datos de acceso se encuentran en su panel.',
      'Сервер 192.0.2.1 готов, данные для входа находятся в вашем кабинете.',
    ]) {
      const reason =
        'The mail is no complaint (it says nothing bad of what it names); it reports nothing.'
      assert.equal(refuse('Info', body), reason, body)
    }
  })

  it('is a report when a log, a word of harm or a file stands in it', () => {
    for (const body of [
      'Please look at this:\n\nNov  3 09:55:01 host kernel: IN=eth0 SRC=192.0.2.1 DST=198.51.100.1 DPT=23',
      'The host 192.0.2.1 is hammering the door of our web shop, and it does not stop.',
      'IP: 192.0.2.1',
    ]) {
      assert.equal(refuse('Please check', body), null, body)
    }
  })
})

describe('talk about mail that does not arrive', () => {
  it('is told by its words, and is no complaint about the server that refuses it', () => {
    assertKind('about mail that does not arrive', [
      [
        'Question',
        'All our newsletters to 192.0.2.1 are being returned with an error, your server violates the standard.',
      ],
      ['Frage', 'Unsere Mails an 192.0.2.1 werden seit gestern abgewiesen, das stört sehr.'],
    ])
  })

  it('is told by the answer of the server, where nothing else is named', () => {
    const answer =
      '(host mx.provider.example[192.0.2.27] said: 550 5.1.1 <abuse@provider.example> rejected (in reply to RCPT TO command))'
    assertKind('about mail that does not arrive', [
      ['Copyright', `We cannot inform you about unauthorized copying:\n${answer}\nPlease answer.`],
      ['Droit', `Nos avis de contrefaçon ne vous parviennent pas :\n${answer}`],
    ])
    const page = 'Please remove the phishing page http://bad.example/in.'
    assert.equal(refuse('Phishing', `${page} Our first mail came back:\n${answer}`), null)
  })
})

describe('a lure for the desk', () => {
  it('is told by what it wants of the reader', () => {
    assertKind('a lure for the reader', [
      [
        'Notice',
        'Unauthorised access was seen. Verify your mailbox at https://mail.example.net/in within 24 hours.',
      ],
      [
        'Hinweis',
        'Unbefugter Zugriff! Bestätigen Sie Ihr Passwort unter https://mail.example.net/in.',
      ],
    ])
  })

  it('is none when it is called phishing', () => {
    const body = 'Phishing: the page https://mail.example.net/in says "Verify your mailbox".'
    assert.equal(refuse('Phishing', body), null)
  })
})

describe('the answer of a customer', () => {
  it('asks what happened, or found nothing', () => {
    for (const body of [
      'Hello,\n\nwhich attacks from 192.0.2.1 do you mean?',
      'We did not find any spam on 192.0.2.1.',
    ]) {
      const reason = refuse('Re: Spam from 192.0.2.1', body, 'In-Reply-To: <1@provider.example>\n')
      assert.ok(reason !== null, body)
    }
    const again = 'What do you do? 192.0.2.1 sends spam to all of us.'
    assert.equal(refuse('Re: Spam', again, 'In-Reply-To: <1@provider.example>\n'), null)
  })
})

describe('the gate', () => {
  it('lets first reports in that a ticket system marked as answers', () => {
    const header = 'Auto-Submitted: auto-replied\n'
    const body = 'Malware was found at http://bad.example/x.exe.'
    assert.equal(refuse('[INC#5] Malware', body, header), null)
    const away = 'I am in the mountains, far from 192.0.2.1.'
    assert.ok(refuse('Away', away, header)?.includes('Auto-Submitted: auto-replied'))
    const answer = `${header}In-Reply-To: <1@provider.example>\n`
    assert.ok(refuse('[INC#5] Malware', body, answer)?.includes('an automatic reply'))
  })

  it('reads a denied automatic reply, and a ticket that others closed, as what they are', () => {
    const body = 'Our web server is attacked by 192.0.2.1.'
    assert.equal(refuse('Attack, please do not send an automatic reply', body), null)
    assert.ok(refuse('Automatic reply: attack', body)?.includes('an automatic reply'))
    assert.equal(refuse('[Case 4] closed ports attacked', body), null)
    assert.ok(
      refuse(
        '[Case 4] closed',
        'Attacks from 192.0.2.1 were the matter of case 4, which is closed.',
      ) !== null,
    )
  })

  it('takes a plea to remove a page for a complaint, in many languages', () => {
    for (const plea of [
      'We urge you to immediately delete the profile below.',
      'Wir bitten Sie um die unverzügliche Löschung der folgenden Seite.',
      'Nous vous prions de bien vouloir retirer la page suivante.',
      'Les rogamos la retirada de la página siguiente.',
      'Prosimy o usunięcie poniższej strony.',
      'Просим вас удалить эту страницу.',
      '下記ページの削除をお願いします。',
      '请尽快删除以下页面。',
    ]) {
      assert.equal(refuse('Page', `${plea}\n\nhttps://blog.customer.example/post/1\n`), null, plea)
    }
  })
})

describe('what only looks like a status or a complaint', () => {
  it('is a demand, or what was done before by whoever complains', () => {
    for (const body of [
      'This is spam. The account at 192.0.2.1 should be closed.',
      'The account of our customer has been suspended after an attack from 192.0.2.1. The attack came from your network.',
    ]) {
      assert.equal(refuse('Spam', body), null, body)
    }
  })

  it('is an answer of a customer, a mitigation, or a report that went to somebody else', () => {
    const answer = 'In-Reply-To: <1@provider.example>\n'
    const denial = 'Hello, this is a false alarm. The traffic from 192.0.2.1 is our monitoring.'
    assert.ok(refuse('Re: Scan', denial, answer)?.includes('an answer to an earlier report'))
    assert.equal(refuse('Scan', 'There was a scan from 192.0.2.1 on our monitoring host.'), null)
    const held = 'An attack on your IP 192.0.2.1 was detected and our mitigation was activated.'
    assert.ok(refuse('DDoS', held)?.includes('the status of a matter'))
    const ours = 'We detected a DDoS attack from your network, source 192.0.2.1.'
    assert.equal(refuse('DDoS', ours), null)
    const stop = 'Please stop sending abuse reports about 192.0.2.1 to us.'
    assert.ok(refuse('Wrong recipient', stop) !== null)
    assert.equal(refuse('Spam', 'Please stop sending spam from 192.0.2.1 to us.'), null)
  })

  it('names no harm where harm is denied or held off', () => {
    const port = 'As requested we opened port 25 for your server 192.0.2.1. Please send no spam.'
    assert.ok(refuse('Port 25', port) !== null)
    const attack = 'No answer so far. The attack from 192.0.2.1 on us is bad.'
    assert.equal(refuse('Attack', attack), null)
  })
})
