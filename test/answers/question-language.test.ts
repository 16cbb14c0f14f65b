/** The language in which a question is told that the documents do not answer it. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { answerLanguages, nothingFoundIn, type AnswerLanguage } from "../../src/answers/nothing-found.ts";
import { questionLanguage } from "../../src/answers/question-language.ts";

const questions: Readonly<Record<AnswerLanguage, readonly string[]>> = {
  af: ["Hoekom is Lima die hoofstad van Peru?", "Hoe word die ketting skoongemaak?"],
  am: ["የፔሩ ዋና ከተማ ማን ናት?"],
  ar: ["ما هي عاصمة بيرو؟", "متى تنتهي صلاحية الإجازة؟"],
  az: ["Perunun paytaxtı haradır?", "Zəncir necə təmizlənir?"],
  be: ["Якая сталіца Перу?", "Калі заканчваецца адпачынак?"],
  bg: ["Коя е столицата на Перу?", "Как се почиства веригата?"],
  bn: ["পেরুর রাজধানী কী?"],
  ca: ["Quina és la capital del Perú?", "Com es neteja la cadena?"],
  cs: ["Jaké je hlavní město Peru?", "Kdy propadá dovolená?"],
  cy: ["Beth yw prifddinas Periw?", "Sut mae glanhau'r gadwyn?"],
  da: ["Hvad er hovedstaden i Peru?", "Hvornår udløber ferien?"],
  de: ["Was ist die Hauptstadt von Peru?", "Wann verfällt der Urlaub?", "Wie heißt der Geschäftsführer?"],
  el: ["Ποια είναι η πρωτεύουσα του Περού;"],
  en: ["What is the capital of Peru?", "When does holiday expire?", "PostgreSQL", "E-4711", "", "?!"],
  es: ["¿Cuál es la capital de Perú?", "cuando caducan las vacaciones", "¿Cómo se limpia la cadena?"],
  et: ["Mis on Peruu pealinn?", "Millal puhkus aegub?"],
  eu: ["Zein da Peruko hiriburua?", "Nola garbitzen da katea?"],
  fa: ["پایتخت پرو کجاست؟", "زنجیر چگونه تمیز می‌شود؟"],
  fi: ["Mikä on Perun pääkaupunki?", "Milloin loma vanhenee?"],
  fr: ["Quelle est la capitale du Pérou ?", "Quand expirent les congés ?", "Qu'est-ce que le budget ?"],
  ga: ["Cad í príomhchathair Pheiriú?", "Conas a ghlantar an slabhra?"],
  gl: ["Cal é a capital do Perú?", "Cando caducan as vacacións?"],
  gu: ["પેરુની રાજધાની કઈ છે?"],
  he: ["מהי בירת פרו?"],
  hi: ["पेरू की राजधानी क्या है?", "छुट्टी कब समाप्त होती है?"],
  hr: ["Koji je glavni grad Perua?", "Kada istječe godišnji odmor?"],
  hu: ["Mi Peru fővárosa?", "Mikor jár le a szabadság?"],
  hy: ["Ո՞րն է Պերուի մայրաքաղաքը։"],
  id: ["Apa ibu kota Peru?", "Bagaimana cara membersihkan rantai?"],
  is: ["Hver er höfuðborg Perú?", "Hvenær fyrnist orlofið?"],
  it: ["Qual è la capitale del Perù?", "Quando scadono le ferie?", "Chi ha approvato il bilancio?"],
  ja: ["ペルーの首都はどこですか", "休暇の期限はいつ？", "PostgreSQLの設定は?"],
  ka: ["რომელია პერუს დედაქალაქი?"],
  kk: ["Перудің астанасы қай қала?", "Шынжыр қалай тазаланады?"],
  km: ["តើរដ្ឋធានីនៃប្រទេសប៉េរូគឺជាអ្វី?"],
  kn: ["ಪೆರುವಿನ ರಾಜಧಾನಿ ಯಾವುದು?"],
  ko: ["페루의 수도는 어디입니까?", "PostgreSQL 연결 시간 제한은?"],
  lo: ["ນະຄອນຫຼວງຂອງເປຣູແມ່ນຫຍັງ?"],
  lt: ["Kokia yra Peru sostinė?", "Kada baigiasi atostogos?"],
  lv: ["Kas ir Peru galvaspilsēta?", "Kad beidzas atvaļinājums?"],
  mk: ["Кој е главниот град на Перу?", "Кога истекува одморот?"],
  ml: ["പെറുവിന്റെ തലസ്ഥാനം ഏതാണ്?"],
  mn: ["Перугийн нийслэл юу вэ?", "Гинжийг хэрхэн цэвэрлэх вэ?"],
  mr: ["पेरूची राजधानी कोणती आहे?", "सुट्टी कधी संपते?"],
  ms: ["Bilakah Lima menjadi ibu negara Peru?", "Mengapakah rantai perlu dibersihkan kerana karat?"],
  mt: ["X'inhi l-belt kapitali tal-Perù?", "Meta tiskadi l-vaganza u għaliex?"],
  my: ["ပီရူးနိုင်ငံ၏ မြို့တော်က ဘာလဲ။"],
  ne: ["पेरुको राजधानी के हो?", "बिदा कहिले सकिन्छ र किन?"],
  nl: ["Wat is de hoofdstad van Peru?", "Wanneer vervallen vakantiedagen?", "Hoe wordt de ketting schoongemaakt?"],
  no: ["Hva er hovedstaden i Peru?", "Hvordan rengjøres kjedet?"],
  pa: ["ਪੇਰੂ ਦੀ ਰਾਜਧਾਨੀ ਕੀ ਹੈ?"],
  pl: ["Jaka jest stolica Peru?", "Kiedy przepada urlop?"],
  pt: ["Qual é a capital do Peru?", "Quando expiram as férias?", "Quem aprovou o orçamento?"],
  ro: ["Care este capitala Perului?", "Cum se curăță lanțul?"],
  ru: ["Какая столица Перу?", "Когда сгорает отпуск?", "Столица Перу", "Как настроить PostgreSQL?"],
  si: ["පේරු හි අගනුවර කුමක්ද?"],
  sk: ["Aké je hlavné mesto Peru?", "Prečo treba čistiť reťaz?"],
  sl: ["Katero je glavno mesto Peruja?", "Kdaj poteče dopust?"],
  sq: ["Cili është kryeqyteti i Perusë?", "Si pastrohet zinxhiri?"],
  sr: ["Који је главни град Перуа?", "Када истиче годишњи одмор?"],
  sv: ["Vad är huvudstaden i Peru?", "Varför måste kedjan rengöras?"],
  sw: ["Mji mkuu wa Peru ni upi?", "Je, likizo inaisha lini?"],
  ta: ["பெருவின் தலைநகரம் எது?"],
  te: ["పెరూ రాజధాని ఏది?"],
  th: ["เมืองหลวงของเปรูคือเมืองอะไร"],
  tl: ["Ano ang kabisera ng Peru?", "Kailan mawawalan ng bisa ang bakasyon?"],
  tr: ["Peru'nun başkenti neresidir?", "Zincir nasıl temizlenir?"],
  uk: ["Яка столиця Перу?", "Коли згорає відпустка?"],
  ur: ["پیرو کا دارالحکومت کیا ہے؟"],
  uz: ["Peruning poytaxti qaysi?", "Zanjir qanday tozalanadi va nima bilan?"],
  vi: ["Thủ đô của Peru là gì?", "Làm thế nào để làm sạch xích?"],
  "zh-Hans": ["秘鲁的首都是哪里？", "年假什么时候过期？"],
  "zh-Hant": ["秘魯的首都在這個國家的哪裡？", "年假什麼時候會過期？"],
};

describe.each(answerLanguages.map((language) => [language, questions[language]] as const))("%s", (language, asked) => {
  test.each(asked)("%s", (question) => expect(questionLanguage(question)).toBe(language));
});

test("a name in another script does not make a question of that script's language", () => {
  expect(questionLanguage("What does the word λόγος mean in this text?")).toBe("en");
  expect(questionLanguage("Was bedeutet das Wort 東京 in der Bibliothek von Kyoto?")).toBe("de");
});

test("every language's sentence is told as of that language, or one that shares its words", () => {
  const told = answerLanguages.filter((language) => questionLanguage(nothingFoundIn(language)) === language);
  expect(told.length).toBeGreaterThan(answerLanguages.length * 0.9);
  expect(new Set(answerLanguages.map(nothingFoundIn)).size).toBe(answerLanguages.length);
});

test("whatever is asked, there is a sentence", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (question) =>
      expect(nothingFoundIn(questionLanguage(question))).not.toBe(""),
    ),
  );
});
