// Words that speak for mail and content abuse: spam, phishing, fraud, malware, what is illegal to
// publish. See evidence-words.ts.

import type { EventWords } from './evidence-words.ts'

export const CONTENT_WORDS: readonly EventWords[] = [
  {
    eventType: 'Spam',
    strong: `spam complaint*|spam report*|spam from|spam mail*|spamming|unsolicited bulk|unsolicited commercial|unsolicited email*|
      unsolicited e-mail*|unsolicited mail*|junk mail|spam-beschwerde*|spam-mail*|spamversand|unerwünschte werbung|unerwünschte e-mail*|
      unverlangte werbung|courrier indésirable|courriel* non sollicité*|pourriel*|correo no deseado|correo basura|correo no solicitado|
      posta indesiderata|email indesiderat*|posta spazzatura|correio não solicitado|e-mail não solicitado|ongewenste e-mail*|
      ongevraagde e-mail*|ongewenste reclame|рассылка спама|рассылку спама|рассылки спама|нежелательн* почт*|niechcian* wiadomoś*|
      niezamówion* informacj*|skräppost|oönskad e-post|uønsket e-mail|uønsket post|nevyžádan*|istenmeyen e-posta*|迷惑メール|
      スパムメール|스팸메일|스팸 메일|垃圾邮件|垃圾郵件`,
    plain: `spam|spammer*|spamer*|spamcop|ube|uce|unsolicited|bulk mail*|bulk email*|mass mailing*|spamtrap*|spam trap*|spam-trap*|spamfalle*|
      werbemail*|спам|спама|спамом|スパム|스팸|неоткл* рассылк*|opt-in|without consent|ohne einwilligung`,
    hint: `unsubscribe link|return-path|x-originating-ip|mail server|mailserver|sender score|smtp`,
  },
  {
    eventType: 'Trap',
    strong: `trap hit*|spamtrap hit*|spam trap hit*|hit our spamtrap*|hit a spamtrap*`,
    plain: `spamtrap address*|honeypot address*`,
    hint: '',
  },
  {
    eventType: 'Spamvertised',
    strong: `spamvertised|spamvertized|spamvertising|advertised in spam|advertised by spam|advertised via spam|in spam beworben*|promoted by spam`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'NotSpam',
    strong: `not-spam report|feedback-type: not-spam`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'AuthFailure',
    strong: `dmarc fail*|dmarc report*|dmarc failure*|dkim failure*|spf failure*|authentication failure report*|dmarc-bericht*|dmarc aggregate`,
    plain: `dmarc`,
    hint: '',
  },
  {
    eventType: 'Phishing',
    strong: `phish*|antiphish*|anti-phish*|smishing|vishing|spear-phish*|spoofed login*|fake login*|fake bank*|credential harvesting|
      credential theft|identity theft site*|hameçonnage|filoutage|phising|pishing|fishing site*|suplantación de identidad|
      fake website*|gefälschte anmeldeseite*|gefälschte login*|фишинг*|wyłudz* danych|wyłudzając*|nätfiske*|lösenordsfiske|oltalama*|podvodn* stránk*|
      フィッシング*|피싱|钓鱼*|釣魚*|网络钓鱼|網路釣魚`,
    plain: `fake site*|fraudulent login*|impersonat*|lookalike*|look-alike*|steal credential*|stealing credential*|steal personal|
      harvest credential*|account verification page|login page imitat*|usurpation d'identité|usurpation|suplanta*|falsificación|
      falsche login*|zugangsdaten abgreif*|zugangsdaten stehlen|ausspähen|поддельн* сайт*|клон сайта|sito clone|sito falso|sitio falso|página falsa|
      site falso|página clonada|valse website*|nep website*|nepwebsite*|fałszyw* stron*|falešn* stránk*|sahte site*|sahte web*|偽サイト|なりすまし|
      사칭|가짜 사이트|仿冒网站|仿冒|假冒网站|偽冒`,
    hint: `credential*|login page|bank|anmeldedaten|identifiants|credenciales|credenziali|credenciais|inloggegevens|
      учетные данные|пароли|dane logowania`,
  },
  {
    eventType: 'Fraud',
    strong: `419 scam|advance fee fraud|advance-fee|nigerian scam|investment scam*|investment fraud|crypto scam*|cryptocurrency scam*|
      romance scam*|tech support scam*|technical support scam*|fake shop*|fakeshop*|fake-shop*|fake store*|scam site*|scam website*|
      scam|scams|scammer*|scamming|fraudulent shop*|fraudulent online|online fraud|betrug|betrüger*|
      anlagebetrug|vorschussbetrug|escroquerie*|arnaque*|estafa*|estafador*|timo|fraude financiero|truff*|golpe|estelionato|
      oplichting|oplichter*|мошеннич*|мошенник*|oszust*|bedrägeri*|svindel*|svindler*|podvod*|dolandırıcı*|詐欺*|사기|诈骗*|詐騙*|欺诈*`,
    plain: `fraud|fraudulent website*|fraudulent site*|site frauduleux|betrügerisch*|fraudster*|swindle*|money mule*|ponzi|extortion*|sextortion*|blackmail*|erpress*|fraude|frauda*|
      extorsion*|estorsion*|шантаж*|вымогат*|szantaż*|fake investment*|fake invoice*|fake-rechnung*|gefälschte rechnung*|fausse facture*|factura falsa|facturas falsas|fattura falsa|fatura falsa|nepfactuur*|fake bank transfer|ceo fraud|bec`,
    hint: `fraudulent*|frauduleu*|fraudolent*|victims|deceive*|deceptive|money|bitcoin wallet|western union`,
  },
  {
    eventType: 'Malware',
    strong: `malware|malware-*|ransomware|trojan*|trojaner*|schadsoftware*|schadcode*|schadprogramm*|logiciel* malveillant*|maliciel*|
      software malicioso|programa* malicioso*|código malicioso|software malevol*|kwaadaardige software|schadelijke software|вредоносн* программ*|
      вредоносн* по|вредонос*|złośliw* oprogramowan*|skadlig kod|skadlig programvara|skadelig software|škodliv* software|škodliv* kód*|kötü amaçlı yazılım*|
      zararlı yazılım*|マルウェア|악성코드|악성 코드|恶意软件|惡意軟體|恶意程序|惡意程式|木马|urlhaus|infostealer*|stealer|keylogger*|cryptominer*|drive-by download*|
      malicious payload*|malicious download*|malicious executable*|malicious apk*|malicious file*|malicious software`,
    plain: `virus|viruses|worm|spyware|dropper|loader|payload*|malicious url*|malicious link*|malicious code|infected file*|exploit kit*|вирус*|троян*|wirus*|
      ウイルス|바이러스|病毒|malicious script*|skimmer*|magecart|schädliche datei*|fichier malveillant|archivo malicioso|sha256|sha-256`,
    hint: `executable|download|md5|sha1|virustotal`,
  },
  {
    eventType: 'MalwareHosting',
    strong: `malware hosting|hosting malware|hosts malware|malware distribution|distributing malware|distributes malware|malware download site*|
      malware distribution site*|verbreitung von schadsoftware|hébergement de malware*|alojamiento de malware|распространение вредонос*`,
    plain: `serving malware|malware is being served|malware is hosted|malware url*`,
    hint: '',
  },
  {
    eventType: 'ChildAbuse',
    strong: `csam|csem|child sexual*|child abuse*|child porn*|child exploitation|sexual abuse of minor*|sexual exploitation of child*|ncmec|cybertip*|
      kinderporno*|kindesmissbrauch*|missbrauchsdarstellung*|pédopornograph*|pornographie infantile|pornographie enfantine|abus sexuel* sur mineur*|
      pornografía infantil|abuso sexual infantil|abuso infantil|pedopornograf*|abusi su minori|pornografia infantil|pornografia de menores|
      kindermisbruik|seksueel misbruik van kinder*|детск* порнограф*|dziecięc* pornograf*|pornografi* dziecięc*|barnporr*|barnpornografi*|børneporno*|
      dětsk* pornograf*|çocuk istismar*|çocuk pornograf*|児童ポルノ|아동 성착취물|아동음란물|아동 포르노|儿童色情|兒童色情|inhope|prepubescent`,
    plain: `minors|pedophil*|paedophil*|pädophil*|pédophil*|lolita|underage`,
    hint: `hotline`,
  },
  {
    eventType: 'Doxing',
    strong: `doxing|doxxing|doxxed|doxed|personal data published|published personal data|personal information published|exposed personal data|data leak*|
      leaked personal*|datenleck*|veröffentlichung personenbezogener daten|fuite de données|données personnelles publiées|filtración de datos|
      datos personales publicados|divulgazione di dati personali|vazamento de dados|datalek|утечк* персональных данных|разглашение персональных|wyciek danych|
      個人情報の漏洩|個人情報漏えい|개인정보 유출|개인정보 노출|个人信息泄露|個人資料外洩|kişisel verilerin ifşa*|únik osobních`,
    plain: `personal data of|privacy violation*|gdpr|rgpd|dsgvo|without consent published|home address|private photos|non-consensual|revenge porn`,
    hint: `privacy|personal data|personal information`,
  },
  {
    eventType: 'Harassment',
    strong: `harassment|harassing|cyberbullying|stalking|cyberstalking|belästigung|harcèlement|acoso|molestie|assédio|преследовани*|nękani*|trakasser*|
      chikane|obtěžován*|taciz|嫌がらせ|괴롭힘|骚扰|騷擾`,
    plain: `threatening messages|abusive messages|defamation|defamatory|libel*|verleumdung*|diffamation|difamación|diffamazione|клевет*`,
    hint: `threats`,
  },
  {
    eventType: 'Violence',
    strong: `violent content|incitement to violence|death threat*|bomb threat*|gewaltverherrlich*|gewaltdarstellung*|morddrohung*|incitation à la violence|
      contenido violento|amenaza de bomba|угроза взрыва|призывы к насилию|suicide|self-harm|animal cruelty`,
    plain: `hate speech|gore|weapons`,
    hint: '',
  },
  {
    eventType: 'Propaganda',
    strong: `terrorist content|terrorist propaganda|terrorism content|tco regulation|regulation (eu) 2021/784|extremist content|extremist propaganda|
      terroristische inhalte|terroristischer inhalt*|contenu* terroriste*|contenido terrorista|contenuti terroristici|conteúdo terrorista|
      террористическ*|экстремистск*|treści terrorystyczn*|terörist içerik|恐怖主义`,
    plain: `propaganda|extremis*|removal order|jihadist*|volksverhetzung|neonazi*`,
    hint: '',
  },
  {
    eventType: 'IllegalAdvertisement',
    strong: `illegal pharmacy|illegal online pharmacy|rogue pharmacy|unlicensed pharmacy|illegal gambling|unlicensed gambling|illegal casino|
      sale of drugs|illegal drugs|prescription drugs without|illegal sale*|illegales glücksspiel|unerlaubtes glücksspiel|illegale arzneimittel|
      jeux d'argent illégaux|juego ilegal|gioco illegale|jogo ilegal|illegaal gokken|незаконн* азартн*|продаж* наркотик*|nielegaln* hazard*|
      kaçak bahis|yasa dışı bahis|불법 도박|불법도박|非法赌博|赌博网站|違法賭博`,
    plain: `online casino*|gambling|pharmacy|steroids|counterfeit medicine*|tobacco|наркотик*|казино|azartn*|kumar`,
    hint: '',
  },
  {
    eventType: 'Censorship',
    strong: `roskomnadzor|роскомнадзор*|реестр запрещенн*|запрещенной информации|запрещённ* информаци*|blocking order|restrict access to the information|ограничени* доступа`,
    plain: `court order to block|prohibited information`,
    hint: '',
  },
]
