/** The languages that Tesseract has models of: the name of each model, the language's tag, and the writing by which it is detected. */

export interface OcrLanguage {
  /** Tesseract's name, which is its model's file without ".traineddata". */
  readonly code: string;
  /** BCP 47, as short as it can be. */
  readonly tag: string;
  /** As the detection of scripts calls it. */
  readonly script: string;
  /** In English. */
  readonly name: string;
}

/** Of each writing the most spoken language comes first. */
const table = `
rus ru Cyrillic Russian
ara ar Arabic Arabic
hin hi Devanagari Hindi
ben bn Bengali Bengali
heb he Hebrew Hebrew
amh am Ethiopic Amharic
bod bo Tibetan Tibetan
afr af Latin Afrikaans
asm as Bengali Assamese
aze az Latin Azerbaijani
aze_cyrl az-Cyrl Cyrillic Azerbaijani (Cyrillic)
bel be Cyrillic Belarusian
bos bs Latin Bosnian
bre br Latin Breton
bul bg Cyrillic Bulgarian
cat ca Latin Catalan
ceb ceb Latin Cebuano
ces cs Latin Czech
chi_sim zh Han Chinese (simplified)
chi_tra zh-Hant Han Chinese (traditional)
chr chr Cherokee Cherokee
cos co Latin Corsican
cym cy Latin Welsh
dan da Latin Danish
deu de Latin German
div dv Thaana Dhivehi
dzo dz Tibetan Dzongkha
ell el Greek Greek
eng en Latin English
epo eo Latin Esperanto
est et Latin Estonian
eus eu Latin Basque
fao fo Latin Faroese
fas fa Arabic Persian
fil fil Latin Filipino
fin fi Latin Finnish
fra fr Latin French
fry fy Latin Western Frisian
gla gd Latin Scottish Gaelic
gle ga Latin Irish
glg gl Latin Galician
grc grc Greek Ancient Greek
guj gu Gujarati Gujarati
hat ht Latin Haitian
hrv hr Latin Croatian
hun hu Latin Hungarian
hye hy Armenian Armenian
iku iu Canadian_Aboriginal Inuktitut
ind id Latin Indonesian
isl is Latin Icelandic
ita it Latin Italian
jav jv Latin Javanese
jpn ja Japanese Japanese
kan kn Kannada Kannada
kat ka Georgian Georgian
kaz kk Cyrillic Kazakh
khm km Khmer Khmer
kir ky Cyrillic Kyrgyz
kmr ku Latin Kurdish (Kurmanji)
kor ko Korean Korean
lao lo Lao Lao
lat la Latin Latin
lav lv Latin Latvian
lit lt Latin Lithuanian
ltz lb Latin Luxembourgish
mal ml Malayalam Malayalam
mar mr Devanagari Marathi
mkd mk Cyrillic Macedonian
mlt mt Latin Maltese
mon mn Cyrillic Mongolian
mri mi Latin Maori
msa ms Latin Malay
mya my Myanmar Burmese
nep ne Devanagari Nepali
nld nl Latin Dutch
nor no Latin Norwegian
oci oc Latin Occitan
ori or Oriya Oriya
pan pa Gurmukhi Punjabi
pol pl Latin Polish
por pt Latin Portuguese
pus ps Arabic Pashto
que qu Latin Quechua
ron ro Latin Romanian
san sa Devanagari Sanskrit
sin si Sinhala Sinhala
slk sk Latin Slovak
slv sl Latin Slovenian
snd sd Arabic Sindhi
spa es Latin Spanish
sqi sq Latin Albanian
srp sr Cyrillic Serbian
srp_latn sr-Latn Latin Serbian (Latin)
sun su Latin Sundanese
swa sw Latin Swahili
swe sv Latin Swedish
syr syr Syriac Syriac
tam ta Tamil Tamil
tat tt Cyrillic Tatar
tel te Telugu Telugu
tgk tg Cyrillic Tajik
tha th Thai Thai
tir ti Ethiopic Tigrinya
ton to Latin Tongan
tur tr Latin Turkish
uig ug Arabic Uyghur
ukr uk Cyrillic Ukrainian
urd ur Arabic Urdu
uzb uz Latin Uzbek
uzb_cyrl uz-Cyrl Cyrillic Uzbek (Cyrillic)
vie vi Latin Vietnamese
yid yi Hebrew Yiddish
yor yo Latin Yoruba
`;

export const ocrLanguages: readonly OcrLanguage[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [code = "", tag = "", script = "", ...name] = line.split(" ");
    return { code, tag, script, name: name.join(" ") };
  });

/** Names that the detection of scripts has for one writing, by the one that is used here. */
const SAME_SCRIPT: Readonly<Record<string, string>> = {
  Fraktur: "Latin",
  Hangul: "Korean",
  Hiragana: "Japanese",
  Katakana: "Japanese",
};

/** Tags that say the same as one of the table. */
const OTHER_TAGS: Readonly<Record<string, string>> = {
  "zh-cn": "zh",
  "zh-sg": "zh",
  "zh-hans": "zh",
  "zh-tw": "zh-hant",
  "zh-hk": "zh-hant",
  "zh-mo": "zh-hant",
  nb: "no",
  nn: "no",
  tl: "fil",
};

/** Tesseract's name of a language that is named by it or by a BCP 47 tag ("de-AT"); what is neither stays as it is. */
export function ocrCode(named: string): string {
  const asked = named.trim().toLowerCase();
  const ofCode = ocrLanguages.find(({ code }) => code === asked);
  if (ofCode !== undefined) return ofCode.code;
  const parts = asked.replaceAll("_", "-").split("-");
  for (let length = parts.length; length > 0; length -= 1) {
    const tag = parts.slice(0, length).join("-");
    const found = ocrLanguages.find((language) => language.tag.toLowerCase() === (OTHER_TAGS[tag] ?? tag));
    if (found !== undefined) return found.code;
  }
  return named.trim();
}

/** The writing that the detection means. */
export const scriptNamed = (detected: string): string => SAME_SCRIPT[detected] ?? detected;

/** Whether what the detection means is a writing of some language: digits and signs are of all. */
export const isWriting = (detected: string): boolean => languagesOf(scriptNamed(detected)).length > 0;

/** The languages of a writing, the most spoken first. */
export const languagesOf = (script: string): OcrLanguage[] => ocrLanguages.filter((one) => one.script === script);

/** A language as a sentence names it, e.g. "German (deu)". */
export function languageTitle(code: string): string {
  const known = ocrLanguages.find((language) => language.code === code);
  return known === undefined ? code : `${known.name} (${code})`;
}
