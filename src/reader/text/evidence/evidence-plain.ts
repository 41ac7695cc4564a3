// How people tell of abuse who do not know what it is called: `keeps trying to log in`, `took my
// money`, `my photos, without asking me`. By the same rules as the tables of evidence-words.ts,
// which it is a part of.

import type { EventWords } from './evidence-words.ts'

export const PLAIN_WORDS: readonly EventWords[] = [
  {
    eventType: 'LoginAttack',
    strong: `guess* password*|guess* the password*|guess* our password*|guess* my password*|trying to log in|tries to log in|tried to log in|attempts to log in|attempted to log in|attempting to log in|
      trying to login|tries to login|tried to login|attempted to login|trying to log on|tried to log on|attempted to log on|attempts to log on|trying to sign in|tried to sign in|attempted to sign in|attempts to sign in|
      locked out from signing in|sign-in attempt*|sign in attempt*|failed attempts|failed log-in*|failed sign-in*|failed logon*|root password*|tries passwords|trying passwords|tried passwords|tries * passwords|tried * passwords|
      probiert passwörter*|probieren passwörter*|passwörter zu erraten|passwort zu erraten|passwörter erraten|passwörter durchzuprobieren|als root anzumelden|auf unserem server anzumelden|an meinem server anzumelden|an unserem server anzumelden|
      versucht sich einzuloggen|versucht, sich einzuloggen|versuchen sich einzuloggen|versuchen, sich einzuloggen|versucht sich anzumelden|versucht, sich anzumelden|versuchen, sich anzumelden|
      tente de se connecter|tentent de se connecter|essaie de se connecter|essaye de se connecter|essaient de se connecter|deviner des mots de passe|deviner nos mots de passe|deviner les mots de passe|échecs de connexion|échecs d'authentification|
      adivinar las contraseñas|adivinar la contraseña|adivinar nuestras contraseñas|intentos fallidos|intenta iniciar sesión|intentan iniciar sesión|intenta entrar en|intentan entrar en|intenta acceder a|intentan acceder a|
      indovinare password|indovinare le password|indovinare la password|tenta di accedere|tentano di accedere|cerca di accedere|tentativi falliti|accessi falliti|
      adivinhar senha*|adivinhar as senhas|adivinhar a senha|adivinhar palavras-passe|tenta fazer login|tentam fazer login|tenta entrar no|tentam entrar no|tentativas falhadas|tentativas falhas|
      wachtwoorden te raden|wachtwoord te raden|wachtwoorden raden|raadt wachtwoorden|probeert in te loggen|proberen in te loggen|geprobeerd in te loggen|mislukte pogingen|
      подобрать парол*|подбира* парол*|подобрать логин*|угадать парол*|угадыва* парол*|пытается войти|пытаются войти|пытался войти|перебира* парол*|перебира* логин*|неудачных попыток|
      odgadnąć hasł*|zgadnąć hasł*|próbuje się zalogować|próbują się zalogować|försöker logga in|forsøger at logge ind|snaží se přihlásit|giriş yapmaya çalış*|
      パスワードを推測|パスワードを試|ログインを試|ログイン試行|ログインの試み|ログインに失敗|비밀번호를 추측|비밀번호 추측|로그인을 시도|로그인 실패|猜测密码|猜密码|尝试登录|试图登录|登录失败|嘗試登入|猜測密碼|
      próbuje odgadnąć|próbują odgadnąć|próby logowania|prób logowania|nieudane logowani*|nieudanych logowań|nieudanych prób|włamać się na|hádá hesl*|hádají hesl*|uhodnout hesl*|pokusy o přihlášení|pokusů o přihlášení|
      neúspěšných pokusů|zkouší hesla|pokouší se přihlásit|pokoušejí se přihlásit|gissa lösenord*|gissar lösenord*|inloggningsförsök*|misslyckade inloggning*|provar lösenord*|
      gætte adgangskode*|gætter adgangskode*|gætter * adgangskode*|gætte kodeord*|gætter kodeord*|loginforsøg*|mislykkede login*|prøver adgangskode*|parola dene*|şifre dene*|şifre* tahmin*|parola* tahmin*|başarısız giriş*|oturum açmaya çalış*|giriş deneme*`,
    plain: `invalid username*|invalid user name*|invalid credentials|wrong passwords|locked out|anzumelden|einzuloggen|se connecter en tant que|как root`,
    hint: '',
  },
  {
    eventType: 'PortScan',
    strong: `port_scan*|port_sweep*|tcp_scan|udp_scan|ip_sweep|address sweep*|host sweep*|scans all our ports|scanned all our ports|one port after the other`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'Open',
    strong: `without authentication|without any authentication|no authentication|no login needed|no login required|open to the entire internet|open to the whole internet|open to anyone|open to anybody|
      answer* to everybody|answer* to anybody|answer* to anyone|answer* to the whole internet|belong* behind a firewall|should be firewalled|reachable by anybody|reachable by anyone|reachable for anyone|accessible to anyone|accessible by anyone|used by anybody|used by anyone|readable by anyone|unprotected mongodb|unprotected elasticsearch|unprotected redis|
      without a password|without any password|should not be exposed|ohne authentifizierung|für jeden erreichbar|frei erreichbar|für jedermann|sans authentification|accessible à tous|accessible à tout le monde|sin autenticación|accesible para cualquiera|
      senza autenticazione|accessibile a chiunque|sem autenticação|acessível a qualquer|zonder authenticatie|voor iedereen bereikbaar|voor iedereen toegankelijk|без аутентификации|без авторизации|доступн* любому|доступн* всем|
      bez uwierzytelni*|utan autentisering|uden godkendelse|bez ověření|kimlik doğrulama* olmadan|認証なし|認証不要|誰でもアクセス|인증 없이|누구나 접근|无需认证|无需密码|任何人都可以访问|無需認證`,
    plain: `no password|without password|ohne passwort|sans mot de passe|sin contraseña|senza password|sem senha|zonder wachtwoord|без пароля|no auth|mongodb|elasticsearch|redis|unprotected`,
    hint: '',
  },
  {
    eventType: 'Phishing',
    strong: `tietojenkalastelu*|kalastelusivu*|steal* password*|steal* user name*|steal* login*|harvest* password*|harvest* login*|collect* password*|collect* login*|user names and passwords|usernames and passwords|asks for card*|asks for the card*|card number and pin|
      asks visitors for their|asked for a one time code|asked for a one-time code|one-time code*|one time code*|copied our login page|copy of our login page|clone of our login|pretends to be our bank|pretending to be our bank|
      abgefischt*|abfisch*|abgreif*|greift zugangsdaten|greifen zugangsdaten|zugangsdaten abgefragt|passwörter stiehlt|stiehlt passwörter|stehlen passwörter|kartendaten abgefragt|gibt sich als unsere bank|
      vole des mots de passe|voler des mots de passe|vole les mots de passe|vole les identifiants|voler les identifiants|récupère les identifiants|demande le numéro de carte|numéro de carte et|se fait passer pour notre banque|
      roba contraseñas|robar contraseñas|roban contraseñas|roba las contraseñas|roba credenciales|robar credenciales|pide los datos de la tarjeta|pide el número de tarjeta|se hace pasar por nuestro banco|
      ruba password|rubare password|ruba le password|ruba le credenziali|rubare le credenziali|chiede il numero di carta|chiede i dati della carta|
      rouba senhas|roubar senhas|rouba as senhas|rouba palavras-passe|rouba dados|pede o número do cartão|pede os dados do cartão|número do cartão e|
      steelt wachtwoorden|wachtwoorden stelen|wachtwoorden steelt|steelt inloggegevens|inloggegevens stelen|vraagt om kaartnummer|
      крад* парол*|ворует парол*|воруют парол*|похища* парол*|похища* данны*|выманива* парол*|выманива* данны*|запрашива* номер карт*|kradnie hasł*|wykrada hasł*|stjäl lösenord|stjæler adgangskode*|krade hesla|şifreleri çal*|
      パスワードを盗|認証情報を盗|ログイン情報を盗|カード番号を入力|個人情報を盗|비밀번호를 훔|비밀번호를 탈취|계정 정보를 탈취|카드번호를 요구|窃取密码|盗取密码|骗取密码|窃取账号|骗取银行卡|竊取密碼|盜取密碼|
      wyłudza hasła|wyłudza dane|wyłudzają dane|kradnie dane*|podaje się za nasz bank|podszywa się pod nasz bank|prosi o numer karty|kradou hesla|krade přihlašovací údaje|láká hesla|vydává se za naši banku|chce číslo karty|
      stjäl inloggningsuppgift*|stjäla lösenord*|utger sig för att vara vår bank|frågar efter kortnummer|stjæler kodeord*|stjæle adgangskode*|udgiver sig for at være vores bank|beder om kortnummer|
      şifre* çalıyor|parola* çalıyor|kart numarası istiyor|kimlik bilgilerini çal*|bankamızı taklit*`,
    plain: `one-time password*|card number*|card details|credit card details|pretends to be us|pretending to be us|zugangsdaten|kreditkartendaten|kartendaten|coordonnées bancaires|données bancaires|datos bancarios|datos de la tarjeta|
      dati bancari|dati della carta|dados bancários|dados do cartão|kaartnummer*|pincode|данные карт*|номер карт*|カード番号|카드번호|银行卡号`,
    hint: '',
  },
  {
    eventType: 'Fraud',
    strong: `falsche* shop*|gefälschte* shop*|fausse boutique|faux site marchand|tienda falsa|web falsa|negozio falso|falso negozio|finto sito|loja falsa|nepwinkel*|nepshop*|fałszyw* sklep*|oszukuje|поддельн* магазин*|фальшив* магазин*|фейков* магазин*|falešn* obchod*|falešn* e-shop*|sahte mağaza*|falsk butik*|偽ショップ|偽通販|가짜 쇼핑몰|虚假网站|假网店|carding|stolen credit card*|stolen card*|card testing|credit card testing|took my money|taken my money|kept my money|keeps my money|nothing was ever delivered|never delivered|never got the goods|never received the goods|paid and never|
      gestohlene kreditkarten|gestohlenen kreditkarten|nie geliefert|keine ware|mein geld ist weg|cartes volées|cartes bancaires volées|jamais livré*|jamais reçu la commande|tarjetas robadas|nunca llegó|nunca me llegó|se quedaron con mi dinero|
      carte rubate|mai arrivat*|mai consegnat*|cartões roubados|nunca chegou|nunca foi entregue|ficaram com o meu dinheiro|gestolen creditcards|nooit geleverd|nooit aangekomen|краден* карт*|украденн* карт*|деньги взяли|товар не пришел|товар не прислали|
      盗まれたカード|盗難カード|商品が届かない|商品が届きません|도난 카드|도용된 카드|상품이 오지|배송되지 않|被盗信用卡|盗刷|没有发货|收不到货|
      nothing was sent|nothing was delivered|nothing ever arrived|oszukali mnie|oszukano mnie|zapłaciłem i nic|zapłaciłam i nic|nigdy nie dotarł*|nie dostałem towaru|nie dostałam towaru|fałszywy sklep|wzięli moje pieniądze|
      podvedli mě|zaplatil jsem a nic|zaplatila jsem a nic|nikdy nepřiš*|nic nepřišlo|falešný obchod|falešný e-shop|vzali moje peníze|zboží nedorazilo|
      lurade mig|betalade och fick|falsk butik|falsk webbutik|tog mina pengar|varan kom aldrig|varorna kom aldrig|snød mig|snydt mig|betalte og fik|falsk webshop|tog mine penge|varen kom aldrig|varerne kom aldrig|
      dolandırıldım|paramı aldı*|hiç gelmedi|ürün gelmedi|sahte mağaza|sahte alışveriş`,
    plain: `my money|our money|do not answer|don't answer|refuse to refund|no refund|mein geld|mon argent|mi dinero|i miei soldi|meu dinheiro|mijn geld|мои деньги`,
    hint: '',
  },
  {
    eventType: 'Spam',
    strong: `harassing marketing*|harassing email*|harassing e-mail*|harassing spam*|harassing advert*|marketing email*|marketing e-mail*|marketing mail*|advertising mail*|advertising email*|advertising e-mail*|never asked for|never subscribed|never signed up|
      can-spam|i unsubscribed|i've unsubscribed|i have unsubscribed|werbemails|werbe-mail*|werbe-e-mail*|nie bestellt|nicht bestellt|niemand bestellt|nie angemeldet|unverlangt*|publicités non sollicitées|publicité non sollicitée|mails publicitaires|jamais demandé|jamais inscrit*|
      publicidad no solicitada|correos publicitarios|nunca me suscribí|pubblicità non richiesta|mail pubblicitarie|email pubblicitarie|mai iscritt*|publicidade não solicitada|e-mails publicitários|nunca me inscrevi|
      ongevraagde reclame|reclamemail*|nooit aangemeld|рекламн* письм*|рекламн* рассылк*|рекламу, которую|не подписывал*|広告メール|宣伝メール|광고 메일|광고메일|광고성 메일|广告邮件|推销邮件|廣告郵件|
      niechcian* reklam*|niechciane maile|maile reklamowe|nigdy się nie zapis*|nevyžádan* reklam*|nevyžádan* pošt*|reklamní e-mail*|reklamní mail*|nikdy jsem se nepřihlás*|
      oönskad reklam|reklammejl*|reklamutskick*|aldrig anmält mig|oönskade mejl|uønsket reklame|reklamemail*|aldrig tilmeldt|uønskede mails|istenmeyen reklam*|reklam e-posta*|reklam mail*|hiç abone olma*`,
    plain: `unsubscribed|advertising|abbestellen|unerwünschte werbung|reklame|рекламы`,
    hint: '',
  },
  {
    eventType: 'Copyright',
    strong: `illegal cop*|pirate cop*|unauthorised cop*|unlawful cop*|plagiari*|copied word for word|raubkopie*|schwarzkopie*|copie illégale|copies illégales|copia ilegal|copias ilegales|copia illegale|copie illegali|cópia ilegal|cópias ilegais|illegale kopie*|
      незаконн* копи*|нелегальн* копи*|пиратск* копи*|無断転載*|無断コピー|불법 복제*|무단 전재|무단 복제|擅自转载|未经授权转载|擅自使用我`,
    plain: `without my permission|without our permission|without my licence|without our licence|without licence|without license|without a licence|without a license|no licence was|my book*|our book*|my photo*|our photo*|my article*|our article*|
      my pictures|our pictures|my drawings|our film|my film|our documentary|our movie|my song*|our song*|our music|my novel*|our novel*|our software|copied my|copied our|copy-pasted|word for word|uploaded all of it|
      ohne erlaubnis|ohne unsere erlaubnis|ohne meine erlaubnis|ohne genehmigung|ohne unsere genehmigung|ohne lizenz|unsere fotos|meine fotos|unsere bilder|meine bilder|unsere bücher|unserer bücher|mein buch|unseren film|
      sans mon autorisation|sans notre autorisation|sans mon accord|sans notre accord|sans licence|mes photos|nos photos|mes photographies|nos photographies|mes textes|sin mi permiso|sin nuestro permiso|sin mi autorización|sin nuestra autorización|
      mis fotos|nuestras fotos|senza il mio permesso|senza autorizzazione|le mie foto|le nostre foto|sem minha autorização|sem a minha autorização|sem autorização|sem licença|minhas fotos|nossas fotos|zonder mijn toestemming|zonder onze toestemming|mijn foto*|onze foto*|
      без моего разрешения|без нашего разрешения|без разрешения|мои фото*|наши фото*|моя книга|мою книгу|許可なく|無断で使用|허락 없이|무단으로|未经许可|未经我|未經許可|
      bez mojej zgody|bez naszej zgody|bez licencji|moje zdjęci*|nasze zdjęci*|moja książk*|moją książk*|bez mého souhlasu|bez našeho souhlasu|bez licence|moje fotk*|moje fotografi*|naše fotografi*|moji knihu|
      utan mitt tillstånd|utan vårt tillstånd|mina bilder|våra bilder|mina foton|min bok|uden min tilladelse|uden vores tilladelse|mine billeder|vores billeder|min bog|iznim olmadan|iznimiz olmadan|izinsiz kullan*|fotoğraflarım*|kitabım*`,
    hint: '',
  },
  {
    eventType: 'Trademark',
    strong: `fake copies of our|fake goods|fake products|fake bags|fake watches|fake shoes|knock-off*|knockoff*|imitation goods|imitations of our|copies of our products|copies of our bags|gefälschte ware*|gefälschte produkte|gefälschte artikel|fälschungen unserer|
      produits contrefaits|faux produits|copies de nos produits|contrefaçon de marque|contrefaçon de nos marques|contrefaçons de nos|productos falsos|copias de nuestr*|falsificaciones de nuestr*|prodotti falsi|prodotti contraffatti|copie dei nostri|
      produtos falsificados|produtos falsos|cópias das nossas|cópias dos nossos|falsificações|namaakproduct*|nepproducten|vervalste producten|поддельн* товар*|подделк*|偽物|コピー商品|模造品|가짜 상품|짝퉁|모조품|假冒产品|假冒商品|冒牌|山寨|
      podróbk*|podrobion* produkt*|fałszywe produkty|padělky|padělané zboží|napodobeniny našich|förfalskade varor|kopior av våra produkter|forfalskede varer|kopier af vores produkter|kopivarer|taklit ürün*|sahte ürün*`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'Doxing',
    strong: `intimate photo*|intimate picture*|intimate image*|intimate video*|nude photo*|nude picture*|nude image*|nudes of me|naked photo*|naked picture*|intimbilder|intime bilder|intime fotos|nacktfotos|nacktbilder|photos intimes|images intimes|
      fotos íntimas|imágenes íntimas|foto intime|immagini intime|imagens íntimas|naaktfoto*|intieme foto*|интимн* фото*|обнаженн* фото*|intymn* zdję*|nagie zdję*|裸の写真|リベンジポルノ|누드 사진|불법 촬영물|裸照|私密照片|
      my phone number and|my home address|meine adresse und|meine telefonnummer|
      my name and address|intimní fot*|nahé fot*|nakenbild*|intima bilder|nakna bilder|nøgenbillede*|intime billeder|nøgne billeder|çıplak fotoğraf*|mahrem fotoğraf*`,
    plain: `without my consent|did not agree to that|never agreed to that|ohne meine einwilligung|ohne meine zustimmung|sans mon consentement|sin mi consentimiento|senza il mio consenso|sem o meu consentimento|без моего согласия`,
    hint: '',
  },
  {
    eventType: 'MaliciousActivity',
    strong: `malicious infrastructure|suspicious infrastructure|indicators of compromise|malicious activit*|intrusion campaign*`,
    plain: '',
    hint: '',
  },
]
