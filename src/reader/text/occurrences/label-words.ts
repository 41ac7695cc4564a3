// The words that say what an address or a link is, in the languages abuse desks write. `*` stands
// for any ending of the word. Order inside a list does not matter. Taken from dictionaries and from
// the names of fields in log and report formats.

/** What a label can say. The last three are said of links and of hosts. */
export type Label =
  | 'source'
  | 'target'
  | 'controller'
  | 'infrastructure'
  | 'address'
  | 'reported'
  | 'legitimate'
  | 'evidence'

export const LABEL_WORDS: Readonly<Record<Label, string>> = {
  source: `
    source|sources|src|srcip|src_ip|srcaddr|source_ip|saddr|attacker*|attacking|offend*|abuser*|abusive|abusing|infected|compromised|
    malicious|infring*|suspect*|suspicious|bot|bots|zombie*|spammer*|spamming|scanner*|scanning|perpetrator*|originat*|origin|
    culprit*|intruder*|hacker*|aggressor*|rogue|vulnerable|affected|misconfigured|hijacked|hacked|responsible|violat*|
    your ip*|your server*|your host*|your customer*|your network|your user*|your client*|your machine*|your system*|your address*|
    under your|ip in question|hosted at|hosted on|hosted by|hosting ip*|hosting server|host ip|resolves to|resolving to|resolved to|
    resolve to|resolved ip*|points to|pointing to|traced to|traced back to|belongs to|belonging to|peer ip*|peer address|peer|client|
    client_ip|clientip|client-ip|remote host|remote ip|remote address|remote_addr|remote|rhost|raddr|rip|c-ip|failed for|listed ip*|listed|blacklisted|
    blocklisted|blocked|banned|subscriber*|uploader*|offence|abuse ip|reported ip*|ip reported|reported address*|reported host*|
    open resolver*|reflector*|amplifier*|came from|coming from|come from|comes from|received from|sent from|sender ip|
    sending ip|sending server|sending host|spam source|last external|x-originating-ip|dst_server_ip|served from|serving from|attack from|attacks from|attempts from|traffic from|
    quell*|angreif*|angriff*|verursach*|täter*|infiziert*|kompromittiert*|gehostet*|betroffen*|ihr server|ihre ip*|ihrem server|
    ihrer ip*|ihrem netz*|ihres kunden|gemeldet*|verdächtig*|ausgehend*|herkunft*|störer*|rechtsverletz*|bösartig*|schädlich*|
    absender-ip|absenderadresse|auffällig*|missbrauchend*|stammt von|stammen von|ursprung*|
    attaquant*|origine|provenance|provenant|expéditeur|infecté*|compromis*|hébergé*|malveillant*|fautif*|incriminé*|votre serveur|votre ip|votre adresse|
    votre client|contrevenant*|émetteur|suspecte*|agresseur*|signalée|en cause|
    origen|atacante*|fuente|infectad*|comprometid*|ofensor*|alojad*|malicios*|su servidor|su ip|su dirección|su cliente|su red|infractor*|emisor*|
    denunciad*|sospechos*|reportad*|procedente*|proviene*|
    sorgente|attaccante|infett*|compromess*|ospitat*|mittente|vostro server|vostro ip|vostro cliente|provenienza|proveniente|
    aggressore|incriminat*|segnalat*|malevol*|
    origem|fonte|infetad*|hospedad*|seu servidor|seu ip|seu cliente|sua rede|infrator*|ofensiv*|proveniente*|suspeit*|
    bron|bron-ip|bronadres|aanvaller*|aanvallend*|herkomst|geïnfecteerd*|gehost*|uw server|uw ip*|dader|overtred*|gecompromitteerd*|afkomstig|verdacht*|
    źródł*|atakując*|napastnik*|zainfekowan*|sprawc*|pochodz*|hostowan*|naruszyciel*|państwa serwer*|zgłaszan*|podejrzan*|
    источник*|атакующ*|злоумышленник*|нарушител*|заражен*|заражён*|исходн*|отправител*|взломан*|скомпрометирован*|ваш сервер|вашего сервера|
    вашей сети|джерел*|зловмисник*|атакуюч*|нападник*|вашого сервера|вашої мережі|размещен*|размещён*|подозрительн*|исходящ*|
    källa|käll-ip*|källadress*|angripare|angripande|infekterad*|avsändar*|ursprung*|er server|misstänkt*|
    kilde*|kilde-ip|angriber*|angribende|inficere*|afsender*|oprindelse*|jeres server|mistænk*|
    zdroj*|útočník*|útočící*|infikovan*|odesílatel*|původ*|napadený server|váš server|podezřel*|
    kaynak*|saldırgan*|saldıran*|enfekte|bulaşmış|gönderen|sunucunuz*|şüpheli*|
    送信元|攻撃元|発信元|接続元|感染|加害|貴社|御社|ソース|アクセス元|攻撃者|不正アクセス元|送信者|
    공격자|출발지|소스|감염|발신|공격 ip|귀사|출처|공격지|침해|공격 발생지|
    源|来源|攻击者|攻击源|感染|來源|攻擊者|攻擊來源|源地址|源ip|您的服务器|贵公司|可疑`,
  target: `
    destination*|dest|dst|dstip|dst_ip|dstaddr|dest_ip|destination_ip|daddr|target*|victim*|attacked host*|attacked ip*|attacked server*|
    attacked system*|honeypot*|sensor*|our scanner*|our probe*|our crawler*|our scan from|our scans from|our scanner from|scanning from|scan from our|sinkhole*|our server*|our host*|our ip*|our network*|our system*|our firewall*|our mail*|
    our infrastructure|our website*|our web server*|our honeypot*|our sensor*|our machine*|our customer*|our address*|our client*|
    my server*|my ip*|my host*|my network|my system|my machine|my website|receiver|recipient*|local host|local ip|local address|
    listening|laddr|lhost|lip|s-ip|reported by|detected by|observed by|reporter*|scanner ip|
    ziel*|opfer*|unser*|empfänger*|mein server|meinem server|meinen server|angegriffen*|
    cible*|victime*|notre|nos|attaqué*|destinataire*|mon serveur|
    destino|objetivo*|víctima*|nuestr*|atacad*|mi servidor|destinatari*|
    destinazione|bersaglio|vittim*|nostr*|obiettivo|attaccato|
    alvo*|vítima*|noss*|meu servidor|
    doel*|bestemming*|slachtoffer*|onze|ons|ontvanger*|
    cel|celu|docelow*|ofiar*|nasz*|odbiorc*|
    призначенн*|ціль|цілі|одержувач*|назначени*|цель|цели|целев*|жертв*|получател*|наш*|
    mål|måladress*|mål-ip|offret*|vår*|mottagar*|
    modtager*|vores|destinationen|mål-ip*|
    cíl*|oběť|oběti|náš|naše*|našem*|příjemc*|
    hedef*|kurban*|mağdur*|bizim|sunucumuz*|
    宛先|送信先|攻撃先|被害|接続先|当社|弊社|ターゲット|標的|受信者|
    목적지|피해|대상|당사|도착지|저희|
    目标|目的|受害|目標|我们的|我方|本公司|我們的`,
  controller: `c2|c&c|cnc|c2 server*|command and control|command & control|controller*|kontrollserver|управляющ*`,
  infrastructure: `nameserver*|name server*|dns server*|ns record*|ns1|ns2|mx record*|gateway|registrar|whois|rir|abuse contact|netmask|subnet mask|reverse dns|rdns|ptr|hostname of reporter`,
  address: `
    ip|ips|ip address*|ip-address*|ip adr*|ipv4|ipv6|ip addr|ip(s)|host|hosts|hostname|server*|address|addresses|machine*|system*|node|
    a record|ip-adress*|ipadress*|ip adress*|rechner|adresse*|adresse ip|dirección ip|dirección|direcciones|indirizzo|indirizzi|indirizzo ip|
    endereço*|endereço ip|ip-adres*|adres*|adres ip|ip-адрес*|адрес*|хост|сервер*|ipアドレス|アドレス|サーバ|サーバー|ip 주소|ip주소|주소|서버|
    ip地址|ip 地址|地址|服务器|ip-adresa|adresa|adresy|ip adresi|adresi|sunucu|adress|serveur*|servidor*|
    url|urls|uri|link|links|website*|web site*|webpage*|web page*|site|sites|domain*|domain name*|location*|page|seite*|webseite*|
    domäne|lien*|site web|domaine*|enlace*|sitio*|dominio*|página*|sito*|collegamento|domínio*|webpagina|domein*|strona|stron*|
    domen*|ссылк*|сайт*|домен*|サイト|リンク|ドメイン|ページ|사이트|링크|도메인|网站|链接|域名|网址|網址|länk*|webbplats*|domän*|hjemmeside*|
    odkaz*|stránk*|domén*|bağlantı*|alan adı*|site adresi`,
  reported: `
    phish*|malicious|malware|infring*|fraud*|fake|scam*|abusive|offending|reported|report url|infected|compromised|illegal|illicit|unauthori*|
    counterfeit*|pirat*|defaced|defacement|spamvertised|spam site|payload|download*|dropper|landing page|webshell*|web shell*|backdoor|shell|
    distribut*|hosts malware|cracked|leaked|abused|bad|suspicious|suspected|harmful|dangerous|violating|copies|takedown|take down|remove the following|
    following url*|following link*|following location*|following place*|following file*|following domain*|following website*|following site*|following page*|domain name in question|
    betrüger*|schadhaft*|schädlich*|schadsoftware|rechtsverletz*|gefälscht*|gemeldet*|rechtswidrig*|raubkop*|verletz*|folgende url*|folgende seite*|folgenden link*|
    frauduleu*|malveillant*|contrefais*|contrefaç*|illicite*|illégal*|hameçonnage|piraté*|faux site|
    fraudulent*|malicios*|infractor*|infracc*|falso|falsa|ilegal*|suplantación|pirata*|
    fraudolent*|dannos*|malevol*|illecit*|contraffatt*|violazion*|
    fraudulento*|infrator*|ilegais|pirata*|falsificad*|
    frauduleuz*|kwaadaardig*|inbreuk*|nep*|illegale|valse|
    oszuka*|złośliw*|fałszyw*|narusz*|wyłudz*|nielegaln*|
    фишинг*|мошенн*|вредонос*|поддельн*|незаконн*|нарушающ*|нарушени*|пиратск*|
    nätfiske*|bedräg*|skadlig*|olaglig*|intrång*|falsk*|
    svindel*|ondsindet*|skadelig*|ulovlig*|krænk*|falske|
    podvodn*|škodliv*|falešn*|nelegáln*|porušuj*|
    kimlik avı*|oltalama*|sahte*|zararlı*|dolandırıcı*|yasa dışı|ihlal*|kaçak|
    フィッシング|偽|侵害|詐欺|不正|違法|海賊版|模倣|マルウェア|悪質|
    피싱|악성|침해|가짜|불법|사기|위조|해적|
    钓鱼|恶意|侵权|假冒|仿冒|诈骗|釣魚|惡意|侵權|盗版|违法|非法|欺诈|詐騙`,
  legitimate: `
    legitimate|legit|official*|genuine|original work*|original site|original url*|original page|original content|original location|original*|authentic|our website|our web site|our site|our brand|
    our trademark|our client*|our official|impersonat*|imitat*|mimic*|spoofs|spoofing|spoofed|pretending|pretends|purport*|brand|brand site|brand url|real site|
    real website|real page|real address|real shop|real webmail|mine|ours|my own|our own|our real|our only|one and only|my site|my website|my blog|my shop|copyrighted work*|authorized|authorised|copyright owner|rights holder|owned by|belonging to our|target brand|targeted brand|
    unsere eigen*|meine eigen*|unsere einzige|unsere echte|offiziell*|legitim*|nachgeahmt*|nachahm*|imitier*|echte|unsere webseite|unsere website|unserer website|originalseite|originalwerk*|
    originaux|notre vrai*|notre propre|mon site|notre seul*|officiel*|légitime*|usurp*|imite*|imitant|notre site|authentique*|œuvre*|
    mi sitio|nuestra página|nuestra web|oficial*|legítim*|auténtic*|suplanta|suplantando|nuestro sitio|obra original|
    ufficial*|legittim*|autentic*|nostro sito|
    nosso site|nossa loja|nossa página|meu site|site oficial|autêntic*|obra*|
    onze eigen|onze winkel|mijn site|officiële|legitieme|originele|echte|onze website|nabootst|
    oficjaln*|prawdziw*|oryginaln*|podszywa*|naszej strony|
    официальн*|легитимн*|оригинал*|имитир*|настоящ*|наш сайт|нашего сайта|подража*|
    officiell*|legitima|vår webbplats|efterlikn*|
    officielle|ægte|vores hjemmeside|efterlign*|
    oficiáln*|legitimn*|původní dílo|naše stránk*|napodob*|
    resmi|gerçek|orijinal*|taklit*|özgün|
    正規|公式|本物|正当|オリジナル|原作|著作物|なりすまし|
    정식|공식|정상|원본|원저작물|사칭|
    官方|正版|合法|正规|真实|原作|正品|冒充|官網|原创`,
  evidence: `
    screenshot*|screen shot*|evidence|see|voir|véase|vedi|zie|см|proof|snapshot*|screen capture|capture|scan result*|scan report|analysis|more information|more info|further information|
    additional information|details at|details can be found|full report|see also|see here|reference*|ticket*|portal|learn more|read more|click here|faq|help|virustotal|urlscan|unsubscribe|
    policy|terms|privacy|statute|act|directive|regulation|delist*|removal request|removal form|remove yourself|listing details|lookup|look up|blog post|article about|advisory|report abuse|feedback|respond|reply|contact us|contact form|
    visit us|about us|for details|guidelines|documentation|how to|instructions|recommendation*|rfc|cve|status page|contest|dispute|counter-notice|homepage|tel|phone|
    contact|kontakt|contacto|contatto|contato|registered with|registration|registered at the|
    found through|found via|found by searching|search result*|search page|search query|tracker|tracker url|announce url|console|dashboard|
    gefunden über|suchergebnis*|trouvé via|résultat* de recherche|encontrado a través|resultado* de búsqueda|найдено через|поисков*|検索結果|搜索结果|
    referer|referrer|user-agent|useragent|requested|request url|scanned by|powered by|
    beweis*|bildschirmfoto*|weitere informationen|weitere infos|nachweis*|mehr info*|hilfe|datenschutz|siehe|anleitung*|
    preuve*|capture d'écran|plus d'informations|plus d'information|aide|confidentialité|détails|
    prueba*|captura*|más información|evidencia*|ayuda|detalles|
    prova|prove|schermata|maggiori informazioni|dettagli|ulteriori informazioni|
    evidência*|mais informações|detalhes|ajuda|
    bewijs|schermafbeelding*|meer informatie|
    dowód|dowody|zrzut*|więcej informacji|szczegóły|
    доказательств*|скриншот*|подробн*|снимок|снимк*|
    skärmbild*|mer information|skærmbillede*|mere information|
    důkaz*|snímek|snímk*|více informací|
    kanıt*|ekran görüntü*|daha fazla bilgi|delil*|
    証拠|スクリーンショット|詳細|参考|お問い合わせ|
    증거|스크린샷|자세한|참고|문의|
    证据|截图|详情|更多信息|参考|證據|擷圖`,
}

/**
 * Words before an address by which something came from it, or (below) went to it; they count only
 * directly before it.
 */
export const FROM_WORDS =
  'from|by|von|vom|aus|de|depuis|desde|da|dal|od|z|ze|от|с|из|från|fra|van|vanaf|kaynağından|来自|來自|から'
/** Words that put the next one of a list beside the one before. */
export const AND_WORDS =
  'and|or|und|oder|et|ou|y|o|e|en|of|oraz|lub|i|и|или|och|og|a|ve|と|및|와|과|和|及|以及'
export const TO_WORDS =
  'to|towards|against|targeting|targeted|attacked|probed|scanned|nach|gegen|vers|contre|hacia|contra|verso|contro|naar|tegen|przeciwko|till|mot|til|imod|proti|至|到'
