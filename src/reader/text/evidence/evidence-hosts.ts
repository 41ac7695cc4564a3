// Words that speak for what became of a host or an account, for its reputation, and for a complaint
// of no known kind. See evidence-words.ts.

import type { EventWords } from './evidence-words.ts'

export const HOST_WORDS: readonly EventWords[] = [
  {
    eventType: 'Bot',
    strong: `botnet*|bot-net*|bot infection*|bot net|c&c server*|c&c|c2 server*|c2 communicat*|c2 traffic|command and control|command-and-control|command & control|
      sinkhole*|sinkholing|zombie*|infected host*|infected system*|infected machine*|infected computer*|infected device*|infected client*|infected with|malware infection*|malware-infektion*|
      infizierte* system*|infizierte* rechner*|infizierte* gerät*|infizierte* host*|mit schadsoftware infiziert*|botnetz*|machine* infectée*|ordinateur* infecté*|hôte* infecté*|réseau de zombies|
      equipo* infectado*|máquina* infectada*|host infectado*|macchin* infett*|computer infett*|dispositivo infetto|máquinas infectadas|computador infectado|geïnfecteerde computer*|
      geïnfecteerd systeem|ботнет*|заражен* хост*|заражен* компьютер*|зараженн* устройств*|zainfekowan* komput*|zainfekowan* host*|botnät*|infekterad* dator*|inficeret computer|infikovan* počítač*|infikovan* zařízen*|
      virüs bulaşmış|botnet'e|ボットネット|マルウェア感染|感染端末|봇넷|좀비 pc|좀비pc|감염 pc|감염pc|감염된|僵尸网络|殭屍網路|肉鸡|受感染|被感染|中毒主机`,
    plain: `mirai|conficker|zeus|gozi|emotet|qakbot|qbot|trickbot|dridex|necurs|cutwail|kelihos|andromeda|gamarue|ramnit|virut|sality|zeroaccess|avalanche|mozi|gafgyt|bashlite|
      hajime|tsunami irc|vpnfilter|badbox|flubot|njrat|asyncrat|remcos|bots|bot|infected|infection|infiziert*|infecté*|infectad*|infett*|geïnfecteerd*|заражен*|infikovan*|zainfekowan*|infekterad*`,
    hint: `beacon*|callback`,
  },
  {
    eventType: 'CompromisedServer',
    strong: `compromised server*|compromised host*|compromised machine*|compromised system*|compromised device*|hacked server*|hacked machine*|hacked host*|server has been compromised|
      server was compromised|server is compromised|rooted server*|kompromittierte* server*|kompromittierte* system*|gehackte* server*|server gehackt|serveur* compromis*|serveur* piraté*|servidor* comprometido*|
      server compromess*|servidores comprometidos|gecompromitteerde server*|gehackte server*|взломан* сервер*|скомпрометирован* сервер*|zhakowan* serwer*|skompromitowan* serwer*|hackad server|hacket server|
      napaden* server*|kompromitovan* server*|ele geçirilmiş sunucu|侵害されたサーバ*|サーバの侵害|침해당한 서버|해킹된 서버|被入侵的服务器|被黑的服务器|被入侵的主機|solarwinds|ivanti|citrix compromise*|
      compromised citrix|compromised fortinet|compromised cisco`,
    plain: `compromised|hacked|kompromittiert*|gehackt*|compromis|piraté*|comprometid*|hackead*|compromess*|gecompromitteerd*|взломан*|скомпрометирован*|zhakowan*|hackad*|hacket|
      napaden*|hacklen*|侵害|해킹|침해|被黑|被入侵`,
    hint: '',
  },
  {
    eventType: 'CompromisedMicrosoftExchange',
    strong: `compromised exchange*|compromised microsoft exchange*|hafnium|proxylogon|proxyshell|proxynotshell|exchange-server kompromitt*|exchange webshell*`,
    plain: `microsoft exchange server*`,
    hint: '',
  },
  {
    eventType: 'CompromisedWebsite',
    strong: `compromised website*|compromised web site*|compromised web server*|compromised site*|compromised wordpress|hacked website*|hacked web site*|hacked site*|hacked wordpress|website has been hacked|
      website was hacked|website has been compromised|website is compromised|gehackte* website*|gehackte* webseite*|kompromittierte* website*|kompromittierte* webseite*|site* piraté*|site* compromis|site web piraté|
      sitio* hackeado*|sitio* web comprometido*|sito compromesso|siti compromessi|sito violato|site hackeado|sites invadidos|site comprometido|gehackte site*|взломан* сайт*|скомпрометирован* сайт*|
      zhakowan* stron*|hackad webbplats|hackede websted*|napaden* web*|hacklenmiş site*|ele geçirilmiş web*|改ざんサイト|サイト改ざん|해킹된 웹사이트|被黑网站|网站被黑|网站被入侵|injected script*|seo spam|
      malicious redirect*|injected code|injected javascript`,
    plain: '',
    hint: `wordpress|joomla|cms|plugin*`,
  },
  {
    eventType: 'Defacement',
    strong: `defacement*|defaced|deface|website-verunstaltung*|défiguration|défacement|defacciament*|desfigura*|дефейс*|改ざん|웹페이지 변조|홈페이지 변조|页面篡改|网页篡改|網頁竄改|zone-h|hacked by`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'Backdoor',
    strong: `webshell*|web shell*|web-shell*|backdoor*|back door|hintertür*|porte dérobée|portes dérobées|puerta trasera|puertas traseras|porta sul retro|porta dos fundos|achterdeur*|бэкдор*|
      веб-шелл*|tylne drzwi|bakdörr*|bagdør*|zadní vrátka|arka kapı*|バックドア|ウェブシェル|백도어|웹쉘|웹셸|后门|後門|webshell|c99 shell|c99.php|r57.php|b374k|china chopper`,
    plain: `shell upload*|php shell|rootkit*`,
    hint: '',
  },
  {
    eventType: 'CompromisedAccount',
    strong: `compromised account*|compromised e-mail account*|compromised email account*|compromised mail account*|compromised mailbox*|compromised credential*|hacked account*|hijacked account*|account takeover*|leaked credential*|
      stolen credential*|stolen password*|leaked password*|credential leak*|exposed credential*|kompromittierte* konto|kompromittierte* konten|kompromittierte* zugangsdaten|kompromittierte* account*|gestohlene zugangsdaten|
      gehackte* konto|gehackte* account*|kompromittierte* postfach|identitätsdiebstahl|compte* compromis|compte* piraté*|identifiants compromis|identifiants volés|cuenta* comprometida*|credenciales comprometidas|
      credenciales robadas|account compromess*|credenziali compromesse|credenziali rubate|conta* comprometida*|credenciais comprometidas|credenciais vazadas|gehackt account|gecompromitteerde account*|gelekte inloggegevens|взломан* аккаунт*|взломан* учетн*|
      утечка паролей|скомпрометирован* учетн*|przejęt* kont*|wykradzion* dan* logowania|kapat konto|kapade konton|stulna inloggningsuppgifter|kompromitteret konto|napaden* účet|kompromitovan* účet|ele geçirilmiş hesap|çalınmış parola*|
      アカウント侵害|アカウント乗っ取り|認証情報の漏*|계정 탈취|계정 유출|유출된 계정|账号被盗|账户被盗|帳號被盜|凭证泄露`,
    plain: `account abuse|credential dump*|combolist*|infostealer log*`,
    hint: '',
  },
  {
    eventType: 'DNSBlocklist',
    strong: `dnsbl|rbl listing*|rbl|dns blacklist*|dns blocklist*|dns-based blocklist*|dnsbl-listing|spamhaus sbl|sbl notification*|sbl listing*|spamhaus|uceprotect|sorbs|barracuda reputation|dns-blacklist*`,
    plain: `listed in|listed on|delisting`,
    hint: '',
  },
  {
    eventType: 'Blacklist',
    strong: `has been blacklisted|was blacklisted|been added to our blacklist|added to blacklist|added to our blocklist|has been blocklisted|blacklist notification*|blocklist notification*|blacklist report|
      wurde auf die blacklist|auf unsere blacklist|sperrliste|mis sur liste noire|liste noire|lista negra|lista nera|zwarte lijst|чёрный список|черный список|czarn* list*|svartlist*|sortliste*|
      kara liste*|ブラックリスト|블랙리스트|黑名单|黑名單`,
    plain: `was listed|has been listed|is listed|blacklist|blacklisted|blocklist|blocklisted|blacklisting|blocklisting`,
    hint: '',
  },
  {
    eventType: 'IPReclamation',
    strong: `ip reclamation|reclaim the ip|reclaim the address|ip hijack*|prefix hijack*|bgp hijack*|hijacked prefix*|hijacked ip space|unauthorized announcement*|unauthorised announcement*`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'MaliciousActivity',
    strong: '',
    plain: `malicious activit*|suspicious activit*|abusive activit*|malicious traffic|suspicious traffic|malicious behavio*|hostile activit*|network abuse|cyber attack*|cyberattack*|threat intelligence|
      bösartige aktivität*|verdächtige aktivität*|cyberangriff*|activité* malveillante*|activité* suspecte*|actividad maliciosa|actividad sospechosa|attività malevol*|attività sospett*|attività dannos*|
      atividade maliciosa|atividade suspeita|kwaadaardige activiteit*|verdachte activiteit*|вредоносн* активност*|подозрительн* активност*|złośliw* aktywnoś*|podejrzan* aktywnoś*|
      skadlig aktivitet|misstänkt aktivitet|ondsindet aktivitet|mistænkelig aktivitet|škodliv* aktivit*|podezřel* aktivit*|kötü niyetli|şüpheli etkinlik*|不審な通信|悪意のある|악의적*|악성 행위|恶意活动|恶意行为|可疑活动`,
    hint: `attack|attacks|attacking|attacker|angriff*|attaque*|ataque*|attacc*|aanval*|атак*|atak*|angrepp*|angreb*|útok*|saldırı*|攻撃|공격|攻击|攻擊|abuse|malicious|hacking|intrusion`,
  },
]
