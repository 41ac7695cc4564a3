import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EVENT_TYPES } from '../../../vocabulary/event-types.ts'
import type { ReadableText } from '../../mail/mail.ts'
import { listPhrases } from '../../words/compile-words.ts'
import { type Classification, type ClassifyInput, classifyReport } from './classify-report.ts'
import { EVIDENCE, findPhrases } from './evidence-words.ts'

interface Given {
  readonly subject?: string
  readonly body?: string
  readonly attachment?: string
  readonly enclosed?: string
  readonly from?: string
  readonly urls?: readonly string[]
  readonly ports?: readonly number[]
}

function text(part: string, kind: ReadableText['kind'], lines: string): ReadableText {
  return { part, kind, lines: lines.split('\n') }
}

function filterLine(port: number): string {
  return `Mar  1 12:00:00 fw kernel: IN=eth0 SRC=192.0.2.1 DST=198.51.100.1 PROTO=TCP SPT=4242 DPT=${port}`
}

function inputOf(given: Given): ClassifyInput {
  const { subject = '', body = '', attachment, enclosed, from = 'reports@cert.example' } = given
  const mail = {
    headers: [],
    subject,
    messageId: null,
    dateMs: null,
    from: [{ displayName: '', address: from }],
    replyTo: [],
    to: [],
    parts: [],
    defects: [],
  }
  const texts = [
    text('subject', 'subject', subject),
    text('text', 'body', body),
    ...(attachment === undefined ? [] : [text('attachment log.txt', 'attachment', attachment)]),
    ...(enclosed === undefined ? [] : [text('enclosed mail', 'enclosed', enclosed)]),
  ]
  return {
    report: {
      mail,
      context: { receivedAtMs: 0, mediaType: 'message/rfc822', fallbackReporter: null },
      reporter: { org: '', contact: from, domain: 'cert.example' },
      reportId: 'id@cert.example',
      texts,
    },
    texts,
    urls: given.urls ?? [],
    hasEnclosedMail: enclosed !== undefined,
    ports: given.ports ?? [],
    beside: [],
  }
}

function classify(given: Given): Classification {
  return classifyReport(inputOf(given))
}

function assertTypes(
  cases: readonly (readonly [type: string, subject: string, body: string])[],
): void {
  for (const [type, subject, body] of cases) {
    const found = classify({ subject, body })
    const why = found.evidence.map(({ reason }) => reason).join('\n')
    assert.equal(found.eventType, type, `${subject} / ${body}\n${why}`)
  }
}

describe('the type of a report', () => {
  it('is not told by the word infringement, which means copyrights and marks alike', () => {
    assertTypes([
      [
        'Trademark',
        'Notice of Claimed Infringement',
        'Infringing material: fake bags with our registered trademark. I have a good faith belief that this infringes our exclusive rights.',
      ],
      [
        'Copyright',
        'Notice of Claimed Infringement',
        'Infringing material: a copy of our film. I have a good faith belief that this infringes our copyright.',
      ],
      [
        'Trademark',
        'Infringement',
        'Infringing domain. Trademark registration no. 12345, rights holder Example AG.',
      ],
      [
        'Copyright',
        'Notice of infringement',
        'Under penalty of perjury, we ask you to remove the infringing material.',
      ],
    ])
  })

  it('is told by the tag of a machine', () => {
    assertTypes([
      ['ChildAbuse', '[child-abuse] case 5', 'The spam and malware team has seen this page.'],
      ['WebHack', '[web-hack] case 5', 'A port scan was seen as well.'],
    ])
  })

  it('is not told by what could be, by a list of kinds in brackets, or by a catalogue', () => {
    assertTypes([
      ['Spam', 'Report', 'The host might be a bot, or have malware and a virus. It sends spam.'],
      ['Malware', 'Report', 'Your host may have malware.'],
      ['PortScan', 'Report (spam, phishing, malware, virus)', 'A port scan was seen.'],
      [
        'Spam',
        'Report',
        'We collect malware, phishing, port scans, copyright notices. This host sends spam.',
      ],
    ])
  })

  it('is told by its words in English', () => {
    assertTypes([
      [
        'LoginAttack',
        'SSH brute force from 192.0.2.1',
        'We saw failed login attempts against our server.',
      ],
      [
        'PortScan',
        'Port scan from your network',
        'Your host 192.0.2.1 has been scanning our ports.',
      ],
      [
        'DDos',
        'DDoS attack from 192.0.2.1',
        'Your server took part in a UDP flood against our network.',
      ],
      [
        'DDosAmplification',
        'NTP amplification attack',
        'Your server was used as a reflector; monlist is enabled.',
      ],
      [
        'Phishing',
        'Phishing site on your network',
        'The page imitates the login page of our bank.',
      ],
      [
        'Phishing',
        'Takedown request: phishing abusing our trademark',
        'A phishing page with our brand name and logo steals credentials.',
      ],
      ['Fraud', 'Investment scam website', 'This fraudulent website deceives victims into paying.'],
      ['Fraud', 'Fake shop hosted by you', 'The fake shop takes money and never delivers.'],
      [
        'Malware',
        'Malware URL on 192.0.2.1',
        'A trojan is served from this address. SHA256 below.',
      ],
      [
        'MalwareHosting',
        'Malware hosting',
        'Your server hosts malware; it is a malware distribution site.',
      ],
      [
        'Bot',
        'Botnet infected host 192.0.2.1',
        'Connections to our sinkhole from an infected machine.',
      ],
      ['Bot', 'Botnet command and control server', 'The C2 server of Mirai is at 192.0.2.1.'],
      ['Spam', 'Spam from 192.0.2.1', 'We received unsolicited bulk mail from your server.'],
      ['Spamvertised', 'Spamvertised website', 'The site is advertised in spam.'],
      [
        'Copyright',
        'Notice of claimed infringement',
        'Under the DMCA we ask you to remove our copyrighted work.',
      ],
      [
        'Copyright',
        'Copyright infringement - case 4711',
        'File shared by BitTorrent, infohash below; no trademark is meant.',
      ],
      [
        'Trademark',
        'Trademark infringement',
        'The shop sells counterfeit goods with our registered mark.',
      ],
      ['ChildAbuse', 'CSAM hotline report', 'Child sexual abuse material at this URL.'],
      ['Open', 'Open DNS resolver at 192.0.2.1', 'The open recursive resolver answers everyone.'],
      [
        'Open',
        'Publicly accessible Memcached server',
        'Memcached is openly accessible and exposed to the internet.',
      ],
      [
        'CVE',
        'Vulnerable server 192.0.2.1',
        'The host is vulnerable to CVE-2021-44228, please patch it.',
      ],
      [
        'Exploit',
        'Exploit attempts from 192.0.2.1',
        'Our IDS saw exploitation attempts against CVE-2021-44228.',
      ],
      [
        'WebHack',
        'SQL injection attack',
        'Web attack against our shop: union select in the query.',
      ],
      [
        'CompromisedWebsite',
        'Hacked website',
        'Your customer website has been hacked and holds injected code.',
      ],
      ['CompromisedServer', 'Compromised server', 'The server has been compromised by attackers.'],
      [
        'CompromisedAccount',
        'Compromised account',
        'Stolen credentials of your user: the account was hijacked.',
      ],
      ['Backdoor', 'Web shell found', 'A webshell is installed as a backdoor at this path.'],
      ['Defacement', 'Defaced website', 'The defacement is listed publicly.'],
      ['Doxing', 'Doxing of a private person', 'Personal data published without consent.'],
      ['DNSBlocklist', 'Spamhaus SBL listing', 'The range was listed; the DNSBL entry is below.'],
      [
        'WebCrawler',
        'Aggressive crawler',
        'Your crawler ignores robots.txt; web scraping of all pages.',
      ],
      ['IpSpoof', 'IP spoofing', 'Spoofed packets leave your network; please deploy BCP38.'],
      ['Propaganda', 'Removal order', 'Terrorist content under Regulation (EU) 2021/784.'],
      ['IllegalAdvertisement', 'Illegal pharmacy', 'Sale of prescription drugs without a license.'],
      ['SSLPoodle', 'SSLv3 POODLE', 'The host supports SSLv3.'],
      ['AuthFailure', 'DMARC failure report', 'DKIM failure for our domain.'],
    ])
  })

  it('is told by its words in other languages', () => {
    assertTypes([
      [
        'LoginAttack',
        'Angriff von Ihrer IP',
        'Wir haben fehlgeschlagene Anmeldeversuche per SSH festgestellt.',
      ],
      [
        'Phishing',
        'Phishing-Seite in Ihrem Netz',
        'Die gefälschte Login-Seite greift Zugangsdaten ab.',
      ],
      ['Copyright', 'Urheberrechtsverletzung', 'Der Rechteinhaber verlangt die Löschung.'],
      ['Bot', 'Infizierte Systeme in Ihrem Netz', 'Die Geräte sind Teil eines Botnetzes.'],
      ['Open', 'Offene DNS-Resolver', 'Der Dienst ist aus dem Internet erreichbar.'],
      ['Trademark', 'Markenrechtsverletzung', 'Der Markeninhaber verlangt Unterlassung.'],
      ['Spam', 'Beschwerde über Spamversand', 'Wir erhielten unerwünschte Werbung.'],
      ['LoginAttack', 'Attaque par force brute', 'Tentatives de connexion depuis votre réseau.'],
      ['Phishing', "Site d'hameçonnage", 'Ce site usurpe notre banque.'],
      ['Trademark', 'Contrefaçon de marque', 'Notre marque déposée est imitée.'],
      ['DDos', 'Attaque par déni de service', 'Votre serveur nous attaque.'],
      ['LoginAttack', 'Ataque de fuerza bruta', 'Intentos de acceso desde su red.'],
      ['Phishing', 'Suplantación de identidad', 'La página falsa imita nuestro banco.'],
      ['Copyright', 'Infracción de derechos de autor', 'Solicitamos retirar el contenido.'],
      ['Fraud', 'Estafa en su servidor', 'El sitio comete fraude contra las víctimas.'],
      ['PortScan', 'Scansione di porte', 'Il vostro host esegue una scansione delle porte.'],
      ['Fraud', 'Segnalazione di truffa', 'Il sito truffa i clienti.'],
      ['LoginAttack', 'Tentativas de login', 'Ataque de força bruta contra nosso servidor.'],
      ['Copyright', 'Violação de direitos autorais', 'Pedimos a remoção.'],
      ['Spam', 'Ongewenste e-mail', 'Wij ontvangen ongevraagde e-mail van uw server.'],
      ['Phishing', 'Nepwebsite', 'Deze phishingsite steelt inloggegevens.'],
      ['Copyright', 'Нарушение авторских прав', 'Правообладатель просит удалить материал.'],
      ['Phishing', 'Фишинговый сайт', 'Сайт собирает пароли клиентов.'],
      ['LoginAttack', 'Подбор паролей', 'С вашего адреса идёт перебор паролей по SSH.'],
      ['Spam', 'Рассылка спама', 'Просим принять меры.'],
      ['PortScan', 'Skanowanie portów', 'Z Państwa sieci skanowane są porty.'],
      ['Phishing', 'Strona wyłudzająca dane', 'Fałszywa strona banku.'],
      ['Spam', 'Skräppost', 'Oönskad e-post från er server.'],
      ['Phishing', 'Nätfiske', 'Sidan stjäl lösenord.'],
      ['LoginAttack', 'Loginforsøg fra jeres netværk', 'Gentagne loginforsøg.'],
      ['Bot', 'Infikovaný počítač', 'Počítač je součástí botnetu.'],
      ['LoginAttack', 'Útok hrubou silou', 'Pokusy o přihlášení na SSH.'],
      ['Phishing', 'Oltalama sitesi', 'Sahte web sitesi.'],
      ['DDos', 'DDoS saldırısı', 'Hizmet engelleme saldırısı.'],
      ['Phishing', 'フィッシングサイトの報告', '偽サイトが公開されています。'],
      ['LoginAttack', '不正ログインの試行', '総当たり攻撃を検知しました。'],
      ['Copyright', '著作権侵害', '著作権者より削除を求めます。'],
      ['Phishing', '피싱 사이트 신고', '가짜 사이트입니다.'],
      ['PortScan', '포트 스캔 탐지', '귀사 IP에서 포트 스캔이 발생하였습니다.'],
      ['Malware', '악성코드 유포', '악성코드가 유포되고 있습니다.'],
      ['Phishing', '钓鱼网站举报', '该网站仿冒我行。'],
      ['LoginAttack', '暴力破解攻击', '贵公司的IP尝试登录我们的服务器。'],
      ['Copyright', '版权侵权通知', '请删除侵权内容。'],
    ])
  })

  it('follows what the reporter writes first, not what is said at the end', () => {
    const rest = `${'We keep records of every incident.\n'.repeat(60)}Phishing and malware are fought by our team. Phishing, malware, phishing.`
    const found = classify({
      subject: 'Port scan from 192.0.2.1',
      body: `Your host scans our ports.\n${rest}`,
    })
    assert.equal(found.eventType, 'PortScan')
  })

  it('does not follow a footer, a negation or the mark of a filter', () => {
    assertTypes([
      [
        'LoginAttack',
        'Failed logins',
        'Failed login attempts on SSH.\nIf you believe this message is spam, mark it as spam.\nTo report phishing write to us.',
      ],
      ['Copyright', '[SPAM] Copyright infringement', 'This is no spam and not a phishing mail.'],
      ['Trademark', '*** SPAM *** Trademark infringement', 'Counterfeit goods are sold.'],
    ])
  })

  it('counts a repeated word little more than a single one', () => {
    const once = classify({ subject: 'Phishing', body: 'spam '.repeat(500) })
    assert.equal(once.eventType, 'Phishing')
  })

  it('leaves words in links and addresses alone', () => {
    const body =
      'We saw a port scan. https://phishing.example/malware/phishing phishing@spam.example'
    assert.equal(classify({ body }).eventType, 'PortScan')
  })
})

describe('what could be done with a host', () => {
  it('is no attack that was done', () => {
    assertTypes([
      ['Open', '', 'It is an open service and can be abused for DDoS reflection attacks.'],
      ['Open', '', 'Der offene Dienst kann für\nDDoS-Reflection-Angriffe missbraucht werden.'],
      ['Open', 'Publicly reachable database', 'No password is asked for.'],
      ['DDosAmplification', '', 'The host was used for a reflection attack on us.'],
    ])
  })
})

describe('general words for an intrusion', () => {
  it('give way to what was tried', () => {
    assertTypes([
      ['LoginAttack', 'Intrångsförsök', 'upprepade inloggningsförsök via SSH'],
      ['PortScan', 'IDS alert: scan from 192.0.2.1', '[**] [1:1:1] SCAN Potential SSH Scan [**]'],
      ['PortScan', 'Сканування портів', ''],
      ['Exploit', 'Intrusion attempt', ''],
    ])
  })
})

describe('the build of a report', () => {
  const sshd =
    'Mar  1 12:00:00 host sshd[123]: Failed password for root from 192.0.2.1 port 4242 ssh2'

  it('is a witness where words are few', () => {
    for (const [type, given] of [
      ['LoginAttack', { subject: 'Report 192.0.2.1', body: sshd }],
      ['LoginAttack', { subject: 'Report', body: 'See attachment.', attachment: sshd }],
      ['PortScan', { subject: 'Report', body: [1, 2, 3, 4].map(filterLine).join('\n') }],
      [
        'WebHack',
        {
          body: '192.0.2.1 - - [01/Mar/2026:12:00:00 +0000] "GET /../../etc/passwd HTTP/1.1" 404 0',
        },
      ],
      ['Copyright', { body: 'Infohash: 0123456789abcdef0123456789abcdef01234567' }],
      ['Spam', { subject: 'Complaint', body: 'See below', enclosed: 'Buy now' }],
      ['Malware', { subject: 'Report', urls: ['http://host.example/bins/x.mips'] }],
      ['CVE', { subject: 'Report', body: 'CVE-2021-44228 at 192.0.2.1' }],
    ] as const) {
      assert.equal(classify(given).eventType, type, JSON.stringify(given))
    }
  })

  it('counts less than a plain word of the reporter', () => {
    assert.equal(
      classify({ subject: 'Phishing mail', enclosed: 'Verify your account' }).eventType,
      'Phishing',
    )
  })

  it('of the sender is a witness as well', () => {
    assert.equal(
      classify({ subject: 'Notice 123', body: 'See the case.', from: 'dmca@rights.example' })
        .eventType,
      'Copyright',
    )
  })
})

describe('a report of no known kind', () => {
  it('is malicious activity when it complains, else unknown', () => {
    assert.equal(
      classify({ subject: 'Complaint', body: 'Please take action on 192.0.2.1.' }).eventType,
      'MaliciousActivity',
    )
    const unknown = classify({ subject: '192.0.2.1', body: 'Hello' })
    assert.deepEqual(unknown, {
      eventType: 'Unknown',
      eventSubtypes: [],
      subtypeFindings: [],
      margin: 0,
      evidence: [],
    })
  })
})

describe('the subtypes', () => {
  it('name the service, the malware, the vulnerability or the way', () => {
    for (const [given, subtypes] of [
      [{ subject: 'SSH brute force' }, ['ssh']],
      [{ subject: 'Brute force', ports: [3389] }, ['rdp']],
      [{ subject: 'Port scan', ports: [23] }, ['telnet']],
      [{ subject: 'Port scan', ports: [23, 80, 443] }, []],
      [{ subject: 'Open DNS resolver' }, ['open-resolver']],
      [{ subject: 'NTP amplification attack' }, ['ntp']],
      [{ subject: 'Botnet', body: 'Malware family: Foo.Bar\nIP: 192.0.2.1' }, ['foo-bar']],
      [{ subject: 'Botnet Mirai' }, ['mirai']],
      [{ subject: 'Vulnerable to CVE-2021-44228' }, ['cve-2021-44228']],
      [{ subject: 'Copyright infringement by BitTorrent' }, ['p2p']],
      [{ subject: 'SQL injection' }, ['sql-injection']],
      [{ subject: 'SYN flood, DDoS' }, ['syn-flood']],
      [{ subject: 'Phishing' }, []],
    ] as const) {
      assert.deepEqual(classify(given).eventSubtypes, subtypes, JSON.stringify(given))
    }
  })
})

describe('the evidence', () => {
  it('says which word stands where, the winner first, and who has more', () => {
    const { evidence, margin } = classify({
      subject: 'Phishing',
      body: 'A phishing page.\nAlso malware.',
    })
    const [first] = evidence
    assert.equal(first?.field, '/event_type')
    assert.equal(first.part, 'subject')
    assert.equal(first.rank, 1)
    assert.match(first.reason, /^"phish…" speaks for Phishing with 15\.0\.$/)
    assert.ok(
      evidence.some(({ reason, line }) => line === 2 && reason.endsWith('; Phishing has more.')),
    )
    assert.ok(margin > 0.5 && margin < 1)
  })

  it('is bounded, and hostile text is read', () => {
    const body = [
      'phish'.repeat(60_000),
      'a '.repeat(100_000),
      '不'.repeat(50_000),
      `${'x'.repeat(99_999)}@`,
    ].join('\n')
    assert.ok(classify({ subject: 'Spam', body }).evidence.length <= 12)
  })
})

describe('the tables of words', () => {
  it('name types of the vocabulary, each once', () => {
    const types = EVIDENCE.map((meaning) => meaning.split('.')[1] ?? '')
    assert.deepEqual(
      types.filter((type) => !EVENT_TYPES.has(type)),
      [],
    )
    assert.ok(new Set(types).size > 30)
  })

  it('hold no phrase that can never be found', () => {
    const lost = EVIDENCE.flatMap((meaning) =>
      listPhrases(meaning).filter((phrase) => {
        const line = `x ${phrase.replaceAll('*', 'x')} y`
        return !findPhrases(line).some(({ eventType }) => eventType === meaning.split('.')[1])
      }),
    )
    assert.deepEqual(lost, [])
  })
})
