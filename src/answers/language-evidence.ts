/**
 * What tells languages of one script apart in a text as short as a question: words that questions and sentences are built with,
 * letters that few languages have, and endings. What several languages share says less of each.
 */
import type { AnswerLanguage } from "./nothing-found.ts";

export interface LanguageEvidence {
  /** Lower-case, separated by spaces. */
  readonly words: string;
  /** Letters that the others of its script lack, or most of them. */
  readonly letters?: string;
  /** What many of its longer words end with, separated by spaces. */
  readonly endings?: string;
}

/** By script, as Unicode names it, and of each the most spoken first: where nothing tells, that is taken. */
export const languageEvidence: Readonly<Record<string, Readonly<Partial<Record<AnswerLanguage, LanguageEvidence>>>>> = {
  Latin: {
    en: {
      words:
        "the of and to in is are was were what who whom whose when where which why how does did do can could should would will has have had a an for with from by on at as that this these it its be been not or if many much long there their his her my you your i we they any between about after before during into than then",
      endings: "tion tions ing ment ments ed ly ies ity ers able ous",
    },
    es: {
      words:
        "el la los las de del y en qué quién quiénes cuándo dónde por para cómo cuál cuáles cuánto cuántos cuánta cuántas es son fue era eran que se un una con no al lo su sus está están ha hay como más entre después antes o tiene tienen hace puedo debe donde cual",
      letters: "ñáéíóú¿¡",
      endings: "ción ciones dad mente dos adas ados ía iento",
    },
    fr: {
      words:
        "le la les de des du et en est sont était qu que qui quoi quand où pourquoi comment quel quelle quels quelles combien un une dans pour par sur avec ne pas au aux ce cette ces il elle on se sa son ses a été ont sera peut doit après avant entre ou d l c s y fait lors",
      letters: "éèêëàâùûîïôçœ",
      endings: "tion tions ment eur eux ique ement ité aux ées és ent aient",
    },
    pt: {
      words:
        "o a os as do da dos das e em é são foi eram que quem quando onde por para como qual quais quanto quantos quanta quantas um uma com não no na nos nas se ao à pelo pela mais entre depois antes está estão ou tem têm seu sua porque pode deve",
      letters: "ãõçáéíóúâêô",
      endings: "ção ções dade mente ados adas inho eiro ia ão",
    },
    de: {
      words:
        "der die das und in ist sind war waren was wer wen wem wann wo warum wie welche welcher welches welchem welchen wieviel wieviele viele von zu den dem des ein eine einen einem einer mit für auf im am an aus bei nicht wird wurde wurden werden hat haben kann muss man sich nach zum zur als es ich wir sie er gibt zwischen vor oder über bis",
      letters: "äöüß",
      endings: "ung ungen keit heit lich isch ische ischen schaft tät ieren te ten",
    },
    it: {
      words:
        "il lo la i gli le di del della dei delle e in è sono era erano che chi quando dove perché come quale quali quanto quanti quanta quante un una uno per con non si da dal dalla al alla nel nella su sul cosa cos ha hanno fu stato stata più tra fra dopo prima o dell l qual anche può deve",
      letters: "àèéìòù",
      endings: "zione zioni ità mente ato ati ata ento ella ando ono are",
    },
    id: {
      words:
        "dan yang di apa siapa kapan mana mengapa kenapa bagaimana berapa adalah dari untuk dengan pada ke ini itu tidak dalam oleh apakah saya harus bisa dapat akan telah sudah atau sebagai tahun antara setelah sebelum saja karena nama jumlah",
      endings: "nya kan an lah",
    },
    tr: {
      words:
        "ve ne kim kimdir nedir nerede neresi nereden niçin neden nasıl kaç hangi hangisi zaman bir bu ile için mi mı mu mü da de olan olarak var değil en daha sonra kadar göre önce veya ise o çok kimin edilir neresidir nun nın nin nün nelerdir",
      letters: "ğışöüç",
      endings:
        "lar ler dır dir ında inde nın nin ları leri lık lik yor maktadır mış miş dı di ndan nden ının inin ya ye",
    },
    pl: {
      words:
        "i w we na się jest są co kto kiedy gdzie dlaczego jak jaki jaka jakie jakich ile który która które był była było były z ze do dla od o po za nie to lub czy przez przed między czym kogo jego jej może można ma oraz tego",
      letters: "ąęłńśźżćó",
      endings: "ego ych ość ości nie anie enie ski ska owej ami owy iej",
    },
    nl: {
      words:
        "de het een en van in is zijn was waren wat wie wanneer waar waarom hoe hoeveel welke welk op met voor te dat die niet aan door er om bij of uit naar tot als over werd worden wordt heeft hebben kan moet ik je we men deze dit tussen na",
      endings: "ing heid lijk lijke ingen isch ische elen en",
    },
    vi: {
      words:
        "là và của gì ai khi nào đâu tại sao thế bao nhiêu có không được trong cho với các những một ở từ đã người năm này việc vì như để hay mấy phải",
      letters: "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    },
    ro: {
      words:
        "și şi de la în este sunt ce cine când unde cum care cât câți câte câtă a fost era un o cu pe nu din se că pentru al ale ai prin după între sau mai au fi cui lui îi ani acest această sa poate trebuie dacă",
      letters: "ășțşţâî",
      endings: "ului ilor ele ție ea ază ește ate lor ul",
    },
    sv: {
      words:
        "och i är vad vem vilka när var varför hur vilken vilket av till på med för det den en ett som inte från blev har hade kan ska att om de jag du många mycket mellan efter före eller sin hans hennes finns vid",
      letters: "åäö",
      endings: "ning het arna erna ande igt ade iska ligt",
    },
    cs: {
      words:
        "a v ve na se je jsou co kdo kdy kde proč jak jaký jaká jaké jakou kolik který která které byl byla bylo byly to s z ze do pro od o po za nebo že mezi před mohu mám musí může při jeho její tento",
      letters: "řěůčšžýáíé",
      endings: "ní ého ých ost ský ství ování ová",
    },
    hu: {
      words:
        "a az és mi ki mikor hol miért hogyan milyen hány mennyi melyik melyek mely van volt voltak nem is egy hogy kell lehet mit kit miből hova honnan meg el szerint után előtt alatt vagy között ez ezt azt mekkora",
      letters: "őűáéíóöüú",
      endings:
        "ban ben nak nek ból ből ról ről hoz hez tól től ság ség val vel ott ett ták ja nál ként ok ek ik ás és ai",
    },
    no: {
      words:
        "og i er hva hvem når hvor hvorfor hvordan hvilken hvilket hvilke var av til på med for det den en et som ikke fra ble har hadde kan skal vil å om de jeg du seg etter før mellom mye hvis ved dette",
      letters: "æøå",
      endings: "ning het ene else ende ert ede",
    },
    da: {
      words:
        "og i er hvad hvem hvornår hvor hvorfor hvordan hvilken hvilket hvilke var af til på med for det den der en et som ikke fra blev har havde kan skal vil at om de jeg du hans hendes mellem efter før hvis",
      letters: "æøå",
      endings: "ning hed erne else ende igt ede",
    },
    fi: {
      words:
        "ja on mikä mitkä mitä kuka ketkä milloin missä miksi miten kuinka paljon monta millainen mihin mistä oli ovat ei se että tai joka kun hän sen niiden ole voi pitää vuonna olivat kanssa sekä ennen jälkeen jos",
      letters: "äö",
      endings: "ssa ssä sta stä lla llä lta ltä lle nen seen sen ista taan tiin vat vät ksi min mista den iden ni",
    },
    hr: {
      words:
        "i u je su što šta tko ko kada kad gdje gde zašto kako koji koja koje koju kojem kojoj kojim kojih koliko bio bila bilo bili od do na za sa s iz ne se da li ili to kao nakon prije pre između može mogu treba biti ima nije čega čime",
      letters: "čćđšž",
      endings: "ost anje enje ski ska nje ima ovi ama ije ja ući",
    },
    sk: {
      words:
        "a v vo na sa je sú čo kto kedy kde prečo ako aký aká aké akú koľko ktorý ktorá ktoré bol bola bolo boli to s z zo do pre od o po za alebo že medzi pred môže musí pri jeho jej tento aby",
      letters: "ľĺŕôäčšžýáíéúť",
      endings: "nie ého ých osť ský ovať ová enia ami",
    },
    ca: {
      words:
        "el la els les de del dels i a en què qui quan on per com quin quina quins quines quant quants és són va ser amb no que es una un al als fou està aquest aquesta seu seva més entre després abans hi ha ho",
      letters: "çàèòïŀ",
      endings: "ció tat ment ats ades itat ïn",
    },
    ms: {
      words:
        "dan yang di apa siapa bila mana mengapa bagaimana berapa ialah adalah dari daripada untuk dengan pada ke ini itu tidak dalam oleh apakah kerana boleh telah berapakah manakah siapakah saya kepada selepas sebelum antara atau akan bagaimanakah tahun bilakah mengapakah perlu",
      endings: "nya kan an lah",
    },
    tl: {
      words:
        "ang ng sa at ay mga ano sino kailan saan bakit paano ilan alin na si ni nasa kung para hindi ito noong mula anong gaano maaari may bang ba isang kay nang",
      endings: "ng han in",
    },
    sw: {
      words:
        "na ya wa ni nini nani lini wapi kwa kwanini vipi je ngapi gani katika la za cha kuwa hii huu alikuwa ilikuwa kama hiyo au si yake wake baada kati namna jinsi",
    },
    af: {
      words:
        "die van en het in is wat wie wanneer waar hoekom hoe hoeveel watter was nie om te vir met deur op aan as dat hierdie sy haar ek jy jou ons hulle kan moet sal word by uit tot na oor tussen",
      letters: "ŉ",
      endings: "ing heid like lik igheid",
    },
    az: {
      words:
        "və nə kim harada niyə necə neçə hansı nədir bu bir ilə üçün da də olan edir edən deyil var vaxt olub ki olaraq görə sonra əvvəl mən siz onun haradır nədən",
      letters: "əğışöüç",
      endings: "lar lər ının inin dır dir lıq lik ında ində ları ləri",
    },
    uz: {
      words:
        "va nima kim qachon qayerda nega qanday qancha necha qaysi bu bir bilan uchun emas bor edi boʻlgan bo'lgan ham yilda keyin oldin kerak mumkin nimadan o",
      endings: "lar ning da dan gan lari ladi ish lik",
    },
    sl: {
      words:
        "in v je so kaj kdo kdaj kje zakaj kako kateri katera katero katere kakšen kakšna kakšno koliko bil bila bilo bili na za z s iz od do ne se da ali to kot pri med po ki pred lahko mora ima ter",
      letters: "čšž",
      endings: "ost anje enje ski ih ega jo ov nje ti",
    },
    lt: {
      words:
        "ir yra kas ką kada kur kodėl kaip kiek koks kokia kokie kokios kuris kuri kurie buvo iš į su ne nuo apie arba tai jo jos ar per už po prieš tarp kurį kokį kam gali reikia metais",
      letters: "ėųįąęčšžū",
      endings: "asi osi imo ijos ių ais iai as is us tas oje ose ti ėjo jo",
    },
    sq: {
      words:
        "dhe në është janë çfarë cili cila cilët kush kur ku pse si sa ishte ishin i e të nga me për një që nuk së më ka kanë do kjo ky midis pas para ose duhet mund",
      letters: "ëç",
      endings: "ve ore ave jnë ura imi eve ohet ët",
    },
    lv: {
      words:
        "un ir kas ko kad kur kāpēc kā cik kāds kāda kādi kādas kuri kurš kura bija no uz ar ne par vai pēc līdz tas kam pirms starp jā gadā tika var jābūt savu",
      letters: "āēīūļņķģšž",
      endings: "šana šanas iem ām ība jas ajā ies ums ija us",
    },
    et: {
      words:
        "ja on mis kes millal kus miks kuidas kui mitu milline millised milliseid oli ei see ning või ta seda oma mida ole olid saab tuleb peab aasta pärast enne kas palju mille selle",
      letters: "õäöü",
      endings: "sse tud dud ste des mise mine lik likud id ks st nud takse",
    },
    gl: {
      words:
        "o a os as do da dos das e en é son foi que quen cando onde por como cal cales canto cantos cantas unha un con non na no nos nas se ao á pola polo máis entre despois antes está estaba eran ten teñen cuxo",
      letters: "ñáéíóú",
      endings: "ción cións dade mente ados adas eiro ía iu eron",
    },
    eu: {
      words:
        "eta da dira zer nor noiz non zergatik nola zenbat zein zeintzuk zen ziren du dute zuen zuten bat ez ere izan den duen hau hori dago behar nork egin edo ondoren",
      endings: "ko ren aren tzen tako rekin ak ek ean era tik etan",
    },
    is: {
      words:
        "og í er hvað hver hvenær hvar af hverju hvernig hvaða hve margir mikið var til á með það sem ekki um fyrir að úr eru voru frá eða hefur hafa þegar eftir milli hversu",
      letters: "ðþæöáíúý",
      endings: "inn num unum legt ur um inum anna ðu andi",
    },
    cy: {
      words:
        "y yr a ac o i yn ym beth pwy pryd ble pam sut faint pa oedd yw mae am ar gan gyda wedi bod fod sy sydd nid dim neu eu ei hyn rhwng cyn ôl",
      letters: "ŵŷ",
      endings: "iau wyr odd aeth ion ol",
    },
    ga: {
      words:
        "an na agus is cad cé cathain cá conas cén céard fáth mhéad bhí tá le ar do ag sa san ó go nach níl bhfuil raibh mar nó ina seo sin idir í é",
      letters: "áéíóú",
      endings: "acht ann adh ach aí achta imid",
    },
    mt: {
      words:
        "il u ta f x min meta fejn għaliex kif kemm liema kien kienet huwa hija ma li mill għal fuq bejn wara qabel hu jew dan din",
      letters: "ħġżċ",
    },
  },
  Cyrillic: {
    ru: {
      words:
        "и в во на что кто когда где почему как какой какая какие какое каких каким сколько который которая был была было были не с со из для от о об по за это ли к у или его её их чем при до между после может нужно есть",
      letters: "ыэё",
      endings: "ого ться ние ных ская ский ости ство ется ый ой ая ых ть",
    },
    uk: {
      words:
        "і й та у в на що хто коли де чому як який яка які яке яких скільки був була було були не з із для від про по за це чи до його її або між після може потрібно є",
      letters: "іїєґ",
      endings: "ого ення ться ськ ння ськой ських ання ії ість ий",
    },
    kk: {
      words:
        "және не кім қашан қайда неге қалай қандай қанша неше қай бұл бір мен үшін емес бар болды болған деп ол туралы кейін дейін арасында керек",
      letters: "әғқңөұүһі",
      endings: "дың дің лар лер дар дер ған ген ның нің ында інде ады еді",
    },
    bg: {
      words:
        "и в във на какво кой кога къде защо как каква какъв какви колко която който които беше е са не с със от за по до това се да ли ще или при между след може трябва има",
      letters: "ъщ",
      endings: "ът ите ата ето ят ия ането ските ната",
    },
    sr: {
      words:
        "и у је су шта што ко када кад где гдје зашто како који која које коју колико био била било били од до на за са из не се да ли или то након пре између може треба има није",
      letters: "ђћјљњџ",
      endings: "ост ање ење ски ска них ама има ког ти",
    },
    be: {
      words:
        "і у ў на што хто калі дзе чаму як які якая якія якое колькі быў была было былі не з са для ад пра па за гэта ці да ён яго яе паміж пасля можна",
      letters: "ўіё",
      endings: "ага ння ць цца скай ых ыя",
    },
    mk: {
      words:
        "и во на што кој кога каде зошто како која кое кои колку каков каква беше е се не со од за по до ова да ли или меѓу при може треба има бил",
      letters: "ѓќѕјљњџ",
      endings: "от ите ата ето ски ање ува та те то",
    },
    mn: {
      words:
        "ба юу хэн хэзээ хаана яагаад хэрхэн яаж ямар хэд хэдэн аль вэ бэ нь байна байсан энэ нэг болон юм бол дээр дараа хооронд хэдий",
      letters: "өүэ",
      endings: "ийн ын ууд үүд сан сэн сон сөн гаа гийн лаа",
    },
  },
  Arabic: {
    ar: {
      words:
        "في من على إلى ما ماذا متى أين لماذا كيف كم هل أي هو هي كان كانت التي الذي عن مع هذا هذه أن لا بين بعد قبل أو تم عند ماهي ماهو",
      letters: "ةأإىؤ",
    },
    fa: {
      words:
        "در و از به که چه چیست کیست کی کجا چرا چگونه چند کدام را این آن با برای است بود شد می هایی چطور کسی یا بین پس شده هر شود",
      letters: "پچژگی",
    },
    ur: {
      words:
        "میں کا کی کے کو سے نے کیا کون کب کہاں کیوں کیسے کتنے کتنی کتنا کونسا ہے ہیں تھا تھی تھے اور پر یہ وہ ایک جو کس بعد درمیان",
      letters: "ٹڈڑںےھہ",
      endings: "وں یں",
    },
  },
  Devanagari: {
    hi: {
      words:
        "में का की के को से ने क्या कौन कब कहाँ कहां क्यों कैसे कितने कितनी कितना किस किसने किसे है हैं था थी थे और पर यह वह एक जो नहीं बाद लिए या",
    },
    mr: {
      words:
        "आणि काय कोण कोणी कधी कुठे का कसे कसा कशी किती कोणता कोणती कोणते कोणत्या आहे आहेत होता होती होते हा ही हे या एक व नाही च्या मध्ये साठी नंतर",
      letters: "ळ",
      endings: "च्या मध्ये ला ने ची चे चा ांनी ात ांच्या तील ण्यासाठी",
    },
    ne: {
      words:
        "मा को का की ले लाई के कस कसले कहिले कहाँ किन कसरी कति कुन हो छ छन् थियो थिए र यो त्यो एक पनि भने छैन गर्न गर्ने भएको बाट पछि",
      endings: "को मा ले लाई हरू बाट हरूको का की",
    },
  },
};
