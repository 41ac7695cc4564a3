// Phrases by which mails that report nothing are known, and complaints, in the languages of abuse
// desks. Matched against folded text (foldText): lower case, no accents. Each pattern is a list of
// literal phrases, so it is linear.

import type { ReadableText } from '../../mail/mail.ts'
import { foldText } from '../evidence/evidence-words.ts'

/** An automatic answer, by its subject. */
export const AUTOMATIC_SUBJECT = phrases(`
  out of office|out of the office|automatic reply|auto reply|autoreply|auto-reply|auto response|autoresponse|auto: |automated response|automated reply|
  automatische antwort|abwesenheit|nicht im buro|automatische ruckantwort|reponse automatique|absence du bureau|absent du bureau|respuesta automatica|fuera de la oficina|fuera de oficina|
  risposta automatica|fuori ufficio|fuori sede|resposta automatica|fora do escritorio|ausencia temporaria|automatisch antwoord|automatische beantwoording|afwezigheid|niet op kantoor|
  автоматический ответ|автоответ|нет на месте|odpowiedz automatyczna|automatyczna odpowiedz|poza biurem|autosvar|automatiskt svar|franvaro|automatisk svar|fravaer|ikke pa kontoret|
  automaticka odpoved|mimo kancelar|otomatik yanit|ofis disinda|自動応答|自動返信|不在通知|자동 회신|자동 응답|부재중|自动回复|自動回覆|自动答复`)

/** That something was received, opened or closed: a ticket system speaks. */
export const ACKNOWLEDGEMENT = phrases(`
  we have received your report|we have received your message|we have received your email|we have received your e-mail|we have received your request|we have received your complaint|we have received your inquiry|we have received your enquiry|we have received your submission|we have received your abuse|we have received your ticket|we've received your report|we've received your message|we've received your request|we've received your email|forwarded your report|forwarded your complaint|forwarded your message|your complaint has been|your complaint was|your abuse report has been|confirms that your complaint|confirmation of your complaint|ticket has been closed|ticket has been resolved|ticket was closed|ticket is closed|marked as resolved|marked as solved|request has been closed|request has been resolved|ticket wurde geschlossen|vorgang wurde geschlossen|has been received and|your message has been received|your request has been received|your report has been received|your email has been received|your e-mail has been received|
  your ticket has been|a ticket has been created|a ticket has been opened|a new ticket has been|a support ticket has been|your case has been|your request has been|thank you for contacting|thank you for your report|thanks for your report|thank you for reporting|
  thank you for your email|thank you for your e-mail|thank you for your message|thank you for submitting|thank you for your submission|thanks for contacting|thanks for reaching out|thank you for reaching out|we will review your|
  this is an automated reply|this is an automatic reply|this is an automated response|this is an automatic response|this automated reply|this is an automated acknowledg|acknowledge receipt of your|acknowledges receipt of your|confirm receipt of your|confirms receipt of your|
  wir haben ihre nachricht erhalten|wir haben ihre anfrage erhalten|wir haben ihre meldung erhalten|wir haben ihre e-mail erhalten|ihre anfrage ist bei uns eingegangen|ihre nachricht ist bei uns eingegangen|ihre meldung ist bei uns eingegangen|
  vielen dank fur ihre nachricht|vielen dank fur ihre anfrage|vielen dank fur ihre meldung|vielen dank fur ihre e-mail|danke fur ihre nachricht|eingangsbestatigung|empfangsbestatigung|ihr ticket wurde|dies ist eine automatische antwort|
  nous avons bien recu votre|avons bien recu votre|votre demande a bien ete|nous accusons reception|accuse de reception|merci de nous avoir contacte|ceci est une reponse automatique|
  hemos recibido su mensaje|hemos recibido su solicitud|hemos recibido su correo|hemos recibido su reporte|hemos recibido su denuncia|hemos recibido su consulta|hemos recibido tu mensaje|hemos recibido tu solicitud|su solicitud ha sido|gracias por contactar|gracias por ponerse en contacto|gracias por su mensaje|acuse de recibo|se ha creado un ticket|
  abbiamo ricevuto la sua|abbiamo ricevuto la vostra|abbiamo ricevuto il vostro|abbiamo ricevuto il tuo|la sua richiesta e stata|la vostra richiesta e stata|grazie per averci contattato|grazie per il messaggio|
  recebemos a sua mensagem|recebemos sua mensagem|recebemos sua solicitacao|recebemos a sua solicitacao|recebemos o seu e-mail|recebemos seu e-mail|recebemos o seu contato|recebemos seu contato|recebemos sua denuncia|sua solicitacao foi|seu chamado foi|obrigado por entrar em contato|obrigado pelo contato|
  hebben uw bericht|hebben uw melding|hebben uw aanvraag|hebben uw verzoek|hebben uw e-mail|hebben uw klacht|uw melding is ontvangen|uw bericht is ontvangen|uw aanvraag is ontvangen|bedankt voor uw bericht|bedankt voor uw melding|ontvangstbevestiging|
  ваше обращение принято|ваше обращение получено|ваше обращение зарегистрировано|ваше сообщение получено|ваша заявка|мы получили ваше|спасибо за обращение|благодарим за обращение|
  otrzymalismy twoja|otrzymalismy panstwa|panstwa zgloszenie zostalo|twoje zgloszenie zostalo|dziekujemy za zgloszenie|dziekujemy za kontakt|potwierdzenie otrzymania|
  vi har tagit emot ditt|vi har mottagit ditt|tack for ditt meddelande|tack for ditt mail|vi har modtaget din|tak for din henvendelse|tak for din besked|tak for din mail|
  vase zprava byla prijata|vas pozadavek byl|prijali jsme vas|obdrzeli jsme vas|dekujeme za vasi zpravu|dekujeme za vas dotaz|talebiniz alindi|talebiniz alinmistir|mesajiniz alinmistir|bizimle iletisime gectiginiz icin|basvurunuz alinmistir|
  お問い合わせを受け付け|お問い合わせありがとう|受け付けました|受付完了|접수되었습니다|문의해 주셔서|접수되었음을|已收到您的|我们已收到|我們已收到|您的请求已|感谢您的来信|感谢您的联系|感謝您的來信`)

/** A mail server could not deliver. */
export const BOUNCE_SUBJECT = phrases(`
  undeliver|delivery status notification|delivery failure|delivery has failed|mail delivery failed|mail delivery system|returned mail|failure notice|message not delivered|delivery notification|delayed mail|warning: message|
  unzustellbar|nicht zugestellt|zustellung fehlgeschlagen|non remis|echec de la remise|echec de remise|no se puede entregar|no entregado|notificacion de estado de entrega|mancata consegna|non recapitabile|
  nao foi possivel entregar|falha na entrega|nao entregue|niet bezorgd|onbestelbaar|недоставленное|не доставлено|ошибка доставки|nie dostarczono|niedostarczon|kunde inte levereras|kunne ikke leveres|
  nedorucitelne|nedorucena|teslim edilemedi|配信不能|配信できません|반송|전송 실패|전송되지|退信|无法投递|投递失败|系统退信`)

/** Somebody sells something; two of these make an advertisement. */
export const MARKETING = phrases(`
  newsletter|webinar|special offer|limited offer|limited time|discount|% off|black friday|cyber monday|free trial|sign up now|register now|buy now|shop now|book a demo|schedule a demo|schedule a call|
  view in browser|view this email in your browser|view online|read more|our latest|our new product|exclusive offer|promo code|coupon|early bird|save the date|we would like to offer|our services|competitive price|best price|price list|
  lease your ip|buy ipv4|buy your ipv4|sell your ipv4|sell or lease|special price|domain for sale|training|ipv4 broker|monetize your|rent your ip|guest post|seo service|link building|partnership opportunity|case study|whitepaper|white paper|ebook|join us|unsubscribe|manage your preferences|update your preferences|
  angebot|rabatt|jetzt anmelden|jetzt bestellen|jetzt kaufen|im browser ansehen|im browser anzeigen|abmelden|abbestellen|gutschein|sonderangebot|kostenlos testen|offre speciale|promotion|se desabonner|se desinscrire|voir dans le navigateur|
  essai gratuit|inscrivez-vous|oferta especial|oferta|descuento|suscripcion|darse de baja|ver en el navegador|prueba gratuita|offerta speciale|offerta|sconto|annulla iscrizione|cancellati|visualizza nel browser|prova gratuita|
  oferta|desconto|cancelar inscricao|ver no navegador|aanbieding|korting|uitschrijven|afmelden|bekijk in browser|gratis proberen|скидк|акци|отписаться|подписк|предложение|вебинар|рассылку|rabat|promocja|wypisz sie|oferta specjalna|
  erbjudande|avregistrera|tilbud|afmeld|nyhedsbrev|nyhetsbrev|sleva|odhlasit|nabidka|indirim|kampanya|abonelikten|セミナー|メルマガ|配信停止|キャンペーン|割引|뉴스레터|수신거부|할인|세미나|优惠|折扣|退订|促销|研讨会`)

/** Money is owed, by the subject. */
export const INVOICE_SUBJECT = phrases(`
  invoice|payment reminder|payment received|receipt for|your receipt|your order|order confirmation|billing statement|past due|overdue|rechnung|zahlungserinnerung|mahnung|auftragsbestatigung|bestellbestatigung|facture|rappel de paiement|
  confirmation de commande|factura|recordatorio de pago|fattura|sollecito di pagamento|conferma d'ordine|fatura|nota fiscal|boleto|factuur|betalingsherinnering|orderbevestiging|счет на оплату|счёт на оплату|счет №|faktura|rachunek|przypomnienie o platnosci|
  betalningspaminnelse|upominka|fakturu|odeme hatirlat|請求書|領収書|청구서|세금계산서|发票|账单|帳單|發票`)

/** Somebody wants to be left out, or taken off a list of ours. */
export const REMOVAL = phrases(`
  delisting request|delist request|request for delisting|removal from your blacklist|removal from blacklist|remove our ip from|remove my ip from|remove my ip address|remove our ip address|unblock our ip|unblock my ip|please unblock|please whitelist|please delist|whitelist our|whitelisting request|
  remove me from your|remove us from your|take me off your|take us off your|opt-out request|opt out request|stop sending us|stop sending me|stop sending these|do not send us|please unsubscribe|remove my email|remove my e-mail|remove our email|remove our address from|
  entsperrung|von der blacklist|von ihrer blacklist|aus ihrem verteiler|aus dem verteiler|freischaltung unserer ip|bitte whitelisten|retirer notre ip|retirer notre adresse|retrait de la liste noire|desinscrire notre|debloquer notre ip|
  eliminar nuestra ip|desbloquear nuestra ip|quitar nuestra ip|retirar nuestra ip|darnos de baja|rimuovere il nostro ip|sbloccare il nostro|rimozione dalla blacklist|remover nosso ip|desbloquear nosso|remocao da lista|
  verwijder ons ip|van de zwarte lijst|deblokkeer|исключить наш|удалить наш ip|разблокировать|исключения из черного списка|usuniecie z czarnej listy|odblokowanie ip|odblokowac|ta bort var ip|fjern vores ip|odblokovani|
  kara listeden cikar|engelin kaldirilmasi|ブラックリストからの解除|解除申請|차단 해제|블랙리스트 해제|移出黑名单|解除封锁|解封`)

/** A block list of ours: whoever speaks of it asks to be taken off, or what they did. */
export const OUR_LIST = phrases(`
  your blacklist|your blocklist|your block list|your black list|your denylist|your rbl|your spam list|ihrer sperrliste|ihrer blacklist|ihrer blockliste|ihrer schwarzen liste|ihre sperrliste|eurer sperrliste|eurer blacklist|
  votre liste noire|votre liste de blocage|vos listes noires|su lista negra|su lista de bloqueo|sus listas negras|vuestra lista negra|vostra lista nera|vostra blacklist|vostre liste nere|sua lista negra|sua lista de bloqueio|uw zwarte lijst|uw blokkeerlijst|uw blacklist|
  вашем черном списке|вашего черного списка|ваш черный список|вашем списке блокировки|waszej czarnej liscie|waszej czarnej listy|panstwa czarnej liscie|panstwa czarnej listy|er svarta lista|er sparrlista|er blockeringslista|jeres sortliste|jeres blokeringsliste|
  vasem cerne listine|vasi cerne listine|vaseho blacklistu|vasem blacklistu|kara listenizde|kara listenizden|貴社のブラックリスト|御社のブラックリスト|귀사의 블랙리스트|您的黑名单|贵公司的黑名单|貴公司的黑名單`)

/** To be taken off it. */
export const TAKE_OFF = phrases(`
  remove|removal|delist|unlist|unblock|take us off|take it off|take me off|whitelist|austrag|entfern|streichen|losch|entsperr|nehmen sie uns|nehmen sie die|freigeben|freischalt|retirer|retrait|supprimer|debloquer|radier|
  elimin|quitar|retirar|desbloque|sacar|borrar|rimuov|rimozione|cancella|sblocca|togliere|remover|remocao|excluir|retira|verwijder|deblokk|haal |исключ|удал|убрать|разблок|снять|usun|odblok|skresl|
  ta bort|avlista|avblockera|fjern|ophaev|odstran|odblok|vyrad|vymaz|cikar|kaldir|解除|削除|해제|삭제|移除|移出|解封|删除|刪除`)

/** Work on a network that is announced. */
export const MAINTENANCE = phrases(`
  planned maintenance|scheduled maintenance|maintenance window|maintenance notification|maintenance notice|emergency maintenance|planned work|planned outage|scheduled downtime|geplante wartung|wartungsarbeiten|wartungsfenster|wartungsankundigung|
  maintenance programmee|maintenance planifiee|operation de maintenance|mantenimiento programado|trabajos de mantenimiento|ventana de mantenimiento|manutenzione programmata|manutenzione pianificata|lavori di manutenzione|manutencao programada|janela de manutencao|
  gepland onderhoud|onderhoudswerkzaamheden|плановые работы|плановое обслуживание|профилактические работы|технические работы|prace konserwacyjne|prace serwisowe|planowane prace|planerat underhall|planerat arbete|underhallsarbete|planlagt vedligehold|
  planovana udrzba|planovana odstavka|planli bakim|bakim calismasi|メンテナンスのお知らせ|メンテナンスを実施|計画メンテナンス|정기 점검|점검 안내|例行维护|计划维护|維護通知|维护通知`)

/** What we once reported, spoken of by whom we told. */
export const OUR_REPORT = phrases(`
  your report|your complaint|your notice|your notification|your message|your abuse|your email|your e-mail|ihre meldung|ihrer meldung|ihre beschwerde|ihrer beschwerde|ihre nachricht|ihren hinweis|ihrem hinweis|votre signalement|votre plainte|votre message|votre rapport|
  su denuncia|su reporte|su informe|su mensaje|su notificacion|la vostra segnalazione|la sua segnalazione|vostra segnalazione|vostro messaggio|sua denuncia|sua notificacao|seu relatorio|sua mensagem|uw melding|uw klacht|uw bericht|
  ваше обращение|вашу жалобу|ваша жалоба|вашей жалоб|ваше сообщение|panstwa zgloszeni|twoje zgloszeni|panstwa skarg|er anmalan|din anmalan|er rapport|jeres anmeldelse|din anmeldelse|jeres henvendelse|vase hlaseni|vaseho hlaseni|vasi stiznost|sikayetiniz|bildiriminiz|
  ご連絡いただいた|ご報告いただいた|신고하신|신고해 주신|您的举报|您的投诉|您举报的|您投訴的`)

/** But it goes on: then it is a complaint after all. */
export const GOES_ON = phrases(`
  still|again|continue|not been|immer noch|weiterhin|erneut|encore|toujours|a nouveau|todavia|sigue|aun |de nuevo|ancora|di nuovo|continua|ainda|novamente|nog steeds|opnieuw|все еще|по-прежнему|снова|продолжа|nadal|ponownie|wciaz|fortfarande|igen|fortsat|stadig|stale |opet |hala |tekrar|
  まだ|引き続き|아직|여전히|계속|仍|还在|依然|再次`)

/** Somebody asks how good we were. */
export const SURVEY = phrases(`
  satisfaction survey|customer survey|take our survey|short survey|quick survey|complete the survey|complete a survey|rate our service|rate our support|rate your experience|how did we do|how would you rate|how was your experience|tell us how we did|your feedback on|
  kundenzufriedenheit|zufriedenheitsumfrage|bewerten sie unseren|wie zufrieden|umfrage|enquete de satisfaction|questionnaire de satisfaction|encuesta de satisfaccion|indagine di soddisfazione|sondaggio|pesquisa de satisfacao|tevredenheidsonderzoek|
  оцените качество|опрос удовлетворенности|оцените нашу|badanie satysfakcji|ankieta satysfakcji|nojdhetsundersokning|kundundersokning|tilfredshedsundersogelse|pruzkum spokojenosti|memnuniyet anketi|アンケート|満足度調査|만족도 조사|설문|满意度调查|滿意度調查`)

/** Thanks, and nothing more. */
export const THANKS = phrases(`
  thank you|thanks|many thanks|much appreciated|danke|vielen dank|merci|gracias|grazie|obrigad|bedankt|dank u|спасибо|благодар|dziekuj|tack |tak |dekuj|tesekkur|ありがとう|감사합니다|谢谢|感谢|感謝`)

/** An answer to a report of ours: it is dealt with. */
export const DEALT_WITH = phrases(`
  has been resolved|have been resolved|is resolved|is now resolved|has been fixed|have been fixed|is fixed|issue fixed|has been removed|have been removed|was removed|has been suspended|have suspended|has been terminated|have terminated|has been disabled|have disabled|
  has been blocked|has been cleaned|have cleaned|we have removed|we have fixed|we have resolved|we have taken action|have taken appropriate action|we have forwarded|has been forwarded|we are investigating|we will investigate|no longer accessible|has been closed|
  wurde behoben|wurde entfernt|wurde gesperrt|wurde gekundigt|haben wir gesperrt|haben das problem behoben|haben wir behoben|wurde weitergeleitet|a ete resolu|a ete supprime|a ete suspendu|a ete corrige|nous avons supprime|nous avons pris les mesures|
  ha sido resuelto|ha sido eliminado|ha sido suspendido|hemos eliminado|hemos resuelto|hemos tomado medidas|e stato risolto|e stato rimosso|e stato sospeso|abbiamo rimosso|abbiamo risolto|foi resolvido|foi removido|foi suspenso|
  is opgelost|is verwijderd|is geblokkeerd|hebben wij verwijderd|проблема решена|проблема устранена|было удалено|заблокирован нами|zostal usuniety|zostalo usuniete|zostal rozwiazany|problem rozwiazan|har atgardats|har tagits bort|er blevet fjernet|er lost|
  bylo odstraneno|bylo vyreseno|problem byl|cozulmustur|kaldirilmistir|対応しました|対応済み|削除しました|조치하였습니다|삭제하였습니다|조치 완료|已处理|已删除|已解决`)

/** The report itself lies behind a link. */
export const ELSEWHERE = phrases(`
  view the report|view your report|view report|view the full report|view the details|view the case|view the incident|download the report|download your report|access the report|report is available|available in the portal|available on our portal|log in to the portal|login to the portal|
  log in to view|sign in to view|log into your account to|click here to view|click the link below to|click on the link below to|secure message|encrypted message|im portal|im kundenportal|melden sie sich an, um|den bericht finden sie|bericht herunterladen|
  consulter le rapport|connectez-vous|telecharger le rapport|ver el informe|acceder al informe|descargar el informe|visualizza il rapporto|accedi al portale|scarica il rapporto|acesse o portal|baixar o relatorio|bekijk het rapport|log in op het portaal|
  посмотреть отчет|войдите в личный кабинет|zobacz raport|zaloguj sie|logga in|log ind|zobrazit zpravu|prihlaste se|raporu goruntule|giris yapin|ポータル|ログインして|포털에서|로그인하여|登录查看|点击查看|下载报告`)

const COMPLAINT = phrases(`
  abuse report|abuse complaint|abuse notification|abuse notice|report of abuse|abuse from|abuse of|abuse incident|security incident|incident report|complaint|we are reporting|i am reporting|i would like to report|we would like to report|we wish to report|hereby report|
  please take action|take appropriate action|take immediate action|take the necessary|please investigate|investigate this|please stop|stop this|stop the attack|please suspend|please remove|please disable|please shut|please block|shut down|shutdown the|take down|takedown|
  cease and desist|originating from|originates from|coming from your|from your network|from your ip|your network|your ip address|your customer|your server|your host|your user|hosted by you|hosted on your|on your network|on your server|under your control|your infrastructure|
  we have detected|we detected|we have observed|we observed|we have noticed|we noticed|we have identified|has attacked|attacked our|attacking our|attacks against|attempted to|infringing|infringement|violates|violation of|unauthorized|unauthorised|
  missbrauch|beschwerde|vorfall|angriff|ihr netz|ihrem netz|ihr server|ihrem server|ihres kunden|ihr kunde|bitte unternehmen|bitte unterbinden|bitte prufen|bitte entfernen|bitte sperren|bitte abschalten|rechtsverletzung|wir melden|mochten wir melden|festgestellt|
  plainte|signalement|signaler|abus |votre reseau|votre serveur|votre client|veuillez prendre|veuillez supprimer|veuillez bloquer|provenant de votre|attaque|denuncia|queja|reporte de abuso|su red|su servidor|su cliente|tomar medidas|tomen medidas|proveniente de su|
  reclamo|segnalazione|segnaliamo|vostra rete|vostro server|vostro cliente|prendere provvedimenti|provvedere|abuso|reclamacao|denunciar|sua rede|seu servidor|seu cliente|tomar providencias|misbruik|klacht|melding van|uw netwerk|uw server|uw klant|maatregelen|
  жалоба|жалобу|сообщаем|сообщить о|из вашей сети|вашей сети|вашего сервера|ваш клиент|вашего клиента|примите меры|принять меры|прошу принять|просим принять|атака|инцидент|нарушени|zgloszenie naduzycia|naduzyci|skarg|z panstwa sieci|panstwa sieci|panstwa serwer|prosimy o podjecie|podjecie dzialan|incydent|
  anmalan|missbruk|ert natverk|er server|er kund|vidta atgarder|misbrug|jeres netvaerk|jeres server|jeres kunde|gribe ind|zneuziti|stiznost|vasi siti|vas server|vas zakaznik|prosime o|podniknete|kotuye kullanim|sikayet|aginizdan|sunucunuz|musteriniz|gerekli onlem|gereginin yapilmasi|
  貴社|御社|ネットワークから|ご対応|対処|通報|攻撃|不正|削除を|신고|귀사|조치|공격|침해|차단을|投诉|投訴|举报|檢舉|贵公司|您的网络|您的服务器|攻击|滥用|处理`)

/** An imperative: an answer that only echoes a report has none. */
export const PLEA = phrases(
  'please take|please investigate|please stop|please suspend|please remove|please disable|please block|please act|please look into|please address|bitte unternehmen|bitte unterbinden|bitte prufen|bitte entfernen|bitte sperren|veuillez|tomar medidas|provvedere|maatregelen|примите меры|принять меры|prosimy o podjecie|vidta atgarder|gerekli onlem|ご対応|조치해|请处理',
)

// Where complaints and answers say what they are.
const OPENING_LENGTH_MAX = 4_000

/** Subject and body, folded, up to `lengthMax` characters. */
export function foldOpening(
  texts: readonly ReadableText[],
  lengthMax = OPENING_LENGTH_MAX,
): string {
  const lines = texts
    .filter(({ kind }) => kind === 'subject' || kind === 'body')
    .flatMap((text) => text.lines.slice(0, 200))
  return foldText(
    lines
      .join('\n')
      .slice(0, lengthMax)
      .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' '),
  )
}

/** Whether somebody asks us to act on something. */
export function isComplaint(texts: readonly ReadableText[]): boolean {
  return complainsIn(foldOpening(texts))
}

/** The same of an opening that is folded already. */
export function complainsIn(opening: string): boolean {
  return COMPLAINT.test(opening)
}

function phrases(list: string): RegExp {
  const words = foldText(list)
    .split('|')
    .map((phrase) => phrase.replaceAll(/^\s*\n\s*|\s*\n\s*$/g, ''))
    .filter((phrase) => phrase.trim() !== '')
    .map((phrase) => phrase.replaceAll(/[.*+?^${}()[\]\\]/g, '\\$&'))
  return new RegExp(words.join('|'))
}
