/** Questions that the quickstart asks about `samples/`, each with the one document that answers it. */

export interface SampleQuestion {
  /** Language of the question, and of the document where it is another. */
  languages: string;
  question: string;
  /** The right document's name in samples/. */
  document: string;
}

export const sampleQuestions: readonly SampleQuestion[] = [
  { languages: "English", question: "How much pressure do the tyres need?", document: "bicycle-maintenance.md" },
  {
    languages: "German",
    question: "Bis wann muss ich übertragene Urlaubstage nehmen?",
    document: "urlaubsregelung.docx",
  },
  { languages: "French", question: "Comment traiter les abeilles contre le varroa ?", document: "apiculture.html" },
  { languages: "Spanish", question: "¿Cuántos años dura la garantía?", document: "garantia.pdf" },
  { languages: "Russian", question: "Какая скорость разрешена в гавани?", document: "pravila-gavani.txt" },
  { languages: "Arabic", question: "كم غرامة التأخير عن كل كتاب؟", document: "qawaid-al-maktaba.md" },
  { languages: "Hindi", question: "छत के पानी को कैसे छानें?", document: "varsha-jal.md" },
  { languages: "Chinese", question: "绿茶应该怎么保存?", document: "chaye-baocun.html" },
  { languages: "Japanese", question: "自転車は粗大ごみですか?", document: "gomi-no-dashikata.txt" },
  { languages: "Thai", question: "ควรรดน้ำมะม่วงบ่อยแค่ไหน", document: "pluk-mamuang.md" },
  {
    languages: "English → Portuguese",
    question: "How hot should the water for the coffee be?",
    document: "preparo-do-cafe.txt",
  },
  { languages: "German → Polish", question: "Woran erkennt man giftige Pilze im Wald?", document: "grzybobranie.pdf" },
  {
    languages: "English → Turkish",
    question: "How are the heating costs of the apartment building shared?",
    document: "merkezi-isitma.docx",
  },
  {
    languages: "English → Korean",
    question: "How long does the lost property office keep things?",
    document: "yusilmul-annae.txt",
  },
  { languages: "Italian", question: "Quanti gradini ha la scala del faro?", document: "visita-al-faro.pptx" },
  { languages: "French", question: "Combien coûte le carnet de dix entrées ?", document: "piscine-tarifs.xlsx" },
  {
    languages: "Spanish",
    question: "¿Hasta cuándo está el horno en reparación?",
    document: "cambio-de-turno.eml",
  },
  { languages: "English: an error code", question: "E-4071", document: "router-questions.json" },
];
