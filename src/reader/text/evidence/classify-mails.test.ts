// Openings of reports as people and programs write them, a line each: the whole of the evidence
// together must give their type.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReadableText } from '../../mail/mail.ts'
import { classifyReport } from './classify-report.ts'

const MAILS: readonly (readonly [type: string, subject: string, body: string])[] = [
  [
    'Copyright',
    'Notice ID: 12-3456 Notice of Unauthorized Use',
    'Dear Sir or Madam: Acme Pictures is the owner of exclusive rights under copyright law in the motion picture. Protocol: BITTORRENT. IP Address: 203.0.113.5 Port 6881',
  ],
  [
    'LoginAttack',
    'Abuse from 203.0.113.5',
    'Hello Abuse-Team, your Server/Customer with the IP 203.0.113.5 has attacked one of our servers. The attackers used the method/service: ssh on 2026-03-01. Lines containing failures of the IP',
  ],
  [
    'LoginAttack',
    '[ban] postfix-sasl: banned 203.0.113.5',
    'The IP 203.0.113.5 has just been banned after 5 attempts against postfix-sasl',
  ],
  [
    'Phishing',
    'Issue 123456: attack at hxxps://host.test',
    'We have discovered a phishing attack on your network. It targets a bank.',
  ],
  [
    'Fraud',
    'Account used for advance fee fraud',
    'The mailbox is used in an advance fee fraud. Please close it.',
  ],
  [
    'Fraud',
    'Fraudulent website impersonating a government agency',
    'The website tricks victims to invest in crypto. investment fraud.',
  ],
  [
    'Open',
    '[CERT] Offene Memcached-Server in AS64500',
    'Die folgenden Systeme sind offen aus dem Internet erreichbar.',
  ],
  [
    'CVE',
    'Verwundbare Exchange-Server in Ihrem Netz',
    'Auf den Systemen wurde die Schwachstelle CVE-2023-21529 nicht geschlossen.',
  ],
  [
    'LoginAttack',
    'Honeypot: unauthorised connection attempts',
    'Our honeypot registered SSH login attempts with the password admin.',
  ],
  [
    'WebHack',
    'Attack on our website from your IP',
    'Requests such as /wp-content/plugins/x.php?id=1%27%20union%20select show SQL injection.',
  ],
  [
    'WebHack',
    'Hacking attempts',
    'Your server tries to find vulnerable scripts on our web server: GET /phpmyadmin/ HTTP/1.1',
  ],
  [
    'DDos',
    'Your IP participates in an attack on our game server',
    'About 2 Gbps of UDP traffic flooded our server.',
  ],
  [
    'Malware',
    'Malware distribution on your network',
    'Dear abuse team, the URL below distributes an infostealer. Please take it down.',
  ],
  [
    'Bot',
    'Cobalt Strike C2 on 203.0.113.5',
    'A Cobalt Strike team server, command and control of attackers, runs at this address.',
  ],
  ['Spam', 'Snowshoe', 'Your customer sends unsolicited mail to our users without any opt-in.'],
  [
    'WebCrawler',
    'Please stop your bot',
    'It makes 100 requests a second, ignores robots.txt and scrapes our shop.',
  ],
  [
    'Trademark',
    'Unauthorized use of our brand',
    'The domain uses our registered trademark for the sale of fake watches.',
  ],
  [
    'ChildAbuse',
    'Signalement de contenu illicite',
    'Des images à caractère pédopornographique sont accessibles.',
  ],
  ['ChildAbuse', 'INHOPE report', 'The URL holds child sexual abuse material.'],
  [
    'IllegalAdvertisement',
    'Illegal online casino',
    'The site offers unlicensed gambling in our country.',
  ],
  [
    'Phishing',
    'Abus : site frauduleux imitant notre banque',
    'Ce site de phishing vole les identifiants des clients.',
  ],
  [
    'Phishing',
    'Solicitud de baja de sitio fraudulento',
    'El sitio suplanta nuestra entidad para robar credenciales (phishing).',
  ],
  ['Spam', 'Skarga na spam', 'Otrzymujemy niechciane wiadomości z Państwa serwera.'],
  ['PortScan', 'Сканирование портов с 203.0.113.5', 'Просим принять меры к клиенту.'],
  ['DDos', 'Жалоба на DDoS', 'С адреса вашей сети идёт атака типа отказ в обслуживании.'],
  ['Malware', 'Вредоносная программа', 'По ссылке распространяется вредоносное ПО.'],
  ['Spam', '迷惑メールについて', '貴社のサーバから迷惑メールが送信されています。'],
  ['DDos', 'DDoS攻撃', '貴社のIPからUDPフラッドを受けています。'],
  ['Copyright', '저작권 침해 신고', '토렌트로 영화가 공유되고 있습니다.'],
  ['Spam', '垃圾邮件投诉', '贵公司的服务器发送垃圾邮件。'],
  ['Malware', '恶意软件', '该链接传播木马程序。'],
  [
    'CompromisedWebsite',
    'Web site injected with malicious script',
    "Your customer's WordPress site has been hacked; injected javascript redirects visitors.",
  ],
  [
    'CompromisedAccount',
    'Leaked credentials of your customers',
    'The attached list holds compromised accounts with passwords.',
  ],
  ['DNSBlocklist', 'Your IP is listed', '203.0.113.5 was listed in our DNSBL because of spam.'],
  ['Exploit', 'IDS alert', 'Suricata: ET EXPLOIT Apache log4j RCE Attempt from 203.0.113.5'],
  [
    'DDosAmplification',
    'Open NTP servers used in attacks',
    'Your NTP server takes part in a reflection attack; disable monlist.',
  ],
  [
    'Bot',
    'Infection du poste 203.0.113.5',
    'Une machine infectée contacte le serveur de commande du botnet Emotet.',
  ],
  ['Bot', 'Dispositivos infectados', 'Los equipos infectados forman parte de la botnet Mirai.'],
  [
    'Doxing',
    'Removal of private data',
    'The site publishes my home address and private photos without consent. This is doxxing.',
  ],
  ['Propaganda', 'TCO removal order', 'Terrorist content must be removed within one hour.'],
  [
    'MaliciousActivity',
    'Abuse complaint',
    'Suspicious activity from your IP address 203.0.113.5. Please investigate.',
  ],
  [
    'MaliciousActivity',
    'Attaques depuis votre réseau',
    'Votre adresse IP nous attaque, veuillez agir.',
  ],
  [
    'LoginAttack',
    'Misbruik van uw netwerk',
    'Er zijn mislukte aanmeldpogingen op onze mailserver.',
  ],
  ['LoginAttack', 'Zneužití', 'Z vaší IP adresy jsou vedeny pokusy o prolomení hesla přes SSH.'],
  ['Phishing', 'Sahte banka sitesi', 'Bu site müşterilerin şifrelerini çalıyor, oltalama.'],
  ['Phishing', 'Phishing-side', 'Siden efterligner vores bank.'],
  ['Defacement', 'Сайт взломан: дефейс', 'Главная страница подменена.'],
  ['Trademark', 'Vente de contrefaçons', 'Le site vend des contrefaçons de notre marque.'],
  ['Copyright', 'Atteinte aux droits d’auteur', 'Film diffusé sans autorisation des ayants droit.'],
  [
    'Copyright',
    'Illegal IPTV streaming',
    'Unauthorized live streams of football matches are served from the address. Rights holder: League.',
  ],
  ['PortScan', 'Firewall log', 'Mar 1 10:00:00 fw DROP SRC=203.0.113.5 DST=198.51.100.1 DPT=23'],
  [
    'Spam',
    'Return-Path: abuse',
    'I did not ask for this email and want it to stop. It came from your mail server.',
  ],
  ['MaliciousActivity', 'Cyber attack', 'We were attacked.'],
  ['Backdoor', 'Hintertür auf Server', 'Auf der Webseite liegt eine PHP-Shell (webshell).'],
  ['Harassment', 'Threats', 'A user harasses me and is stalking me with threatening messages.'],
]

function classify(subject: string, body: string): string {
  const texts: readonly ReadableText[] = [
    { part: 'subject', kind: 'subject', lines: [subject] },
    { part: 'text', kind: 'body', lines: body.split('\n') },
  ]
  const mail = {
    headers: [],
    subject,
    messageId: null,
    dateMs: null,
    from: [],
    replyTo: [],
    to: [],
    parts: [],
    defects: [],
  }
  const context = { receivedAtMs: 0, mediaType: '', fallbackReporter: null }
  const report = { mail, context, reporter: null, reportId: 'id', texts }
  return classifyReport({ report, texts, urls: [], hasEnclosedMail: false, ports: [], beside: [] })
    .eventType
}

describe('the type of a report as it is really written', () => {
  for (const [type, subject, body] of MAILS) {
    it(`is ${type}: ${subject}`, () => {
      assert.equal(classify(subject, body), type)
    })
  }
})
