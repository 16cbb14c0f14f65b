/**
 * Which language a question is asked in, as far as one sentence must be said in it: by its script, and where languages share one, by
 * their small words and letters. Pure.
 */
import { languageEvidence, type LanguageEvidence } from "./language-evidence.ts";
import type { AnswerLanguage } from "./nothing-found.ts";

/** Scripts that one language of ours is written in. */
const ONE_LANGUAGE: Readonly<Record<string, AnswerLanguage>> = {
  Armenian: "hy",
  Bengali: "bn",
  Ethiopic: "am",
  Georgian: "ka",
  Greek: "el",
  Gujarati: "gu",
  Gurmukhi: "pa",
  Hangul: "ko",
  Hebrew: "he",
  Kannada: "kn",
  Khmer: "km",
  Lao: "lo",
  Malayalam: "ml",
  Myanmar: "my",
  Sinhala: "si",
  Tamil: "ta",
  Telugu: "te",
  Thai: "th",
};
const SCRIPTS = [...Object.keys(languageEvidence), ...Object.keys(ONE_LANGUAGE), "Han"].map((name) => ({
  name,
  letter: new RegExp(`\\p{Script=${name}}`, "gu"),
}));
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Frequent characters that only the one way of writing Chinese has. */
const SIMPLIFIED =
  /[这个们国时说对为会后来发现问题学习间关长门开东车书马鸟鱼见贝让认识论语读谁请调议设计证词试话该详诉还进运过远连边达迁选适两与专业严丧丰临举义乌乐习乡买乱争亏云产亲亿仅从仓仪价众优伟传伤体余佣兰兴养兽写军农冲决况净准减几凤击刘则刚创动务劳势医华协单卖卢卫厂厅历厉压县参双变叶号听启员响哪团园围图圆场坏块坚]/gu;
const TRADITIONAL =
  /[這個們國時說對為會後來發現問題學習間關長門開東車書馬鳥魚見貝讓認識論語讀誰請調議設計證詞試話該詳訴還進運過遠連邊達遷選適兩與專業嚴喪豐臨舉義烏樂鄉買亂爭虧雲產親億僅從倉儀價眾優偉傳傷體餘傭蘭興養獸寫軍農衝決況淨準減幾鳳擊劉則剛創動務勞勢醫華協單賣盧衛廠廳歷厲壓縣參雙變葉號聽啟員響團園圍圖圓場壞塊堅]/gu;

/** Names and terms in Latin letters stand in questions of every script; this share of other letters says which it is. */
const FOREIGN_SHARE = 0.25;
/** A letter of a script without an alphabet stands for two or three of others. */
const DENSE_LETTER = 2.5;
/** Evidence that a language needs: one word that no other has, or several that it shares. */
const ENOUGH = 0.6;
/** A letter that few languages have, and an ending, beside a word. */
const LETTER_WEIGHT = 0.5;
const ENDING_WEIGHT = 0.4;
/** Shorter words have no ending to speak of. */
const LONG_WORD = 5;
const LONGEST_ENDING = 7;
/** What `n` languages share says of each of them `n ** -SHARED` as much. */
const SHARED = 0.6;

/** The question's language; where nothing tells, the largest of its script, for Latin letters English. */
export function questionLanguage(question: string): AnswerLanguage {
  const text = question.normalize("NFC").toLowerCase();
  const kana = countOf(text, KANA);
  const letters = SCRIPTS.map(({ name, letter }) => ({
    name,
    count: countOf(text, letter) * (name === "Han" || name === "Hangul" ? DENSE_LETTER : 1),
  }));
  const all = letters.reduce((sum, { count }) => sum + count, kana * DENSE_LETTER);
  const [foreign] = letters.filter(({ name }) => name !== "Latin").sort((left, right) => right.count - left.count);
  if (kana > 0 && (kana + countOf(text, /\p{Script=Han}/gu)) * DENSE_LETTER >= all * FOREIGN_SHARE) return "ja";
  const script = foreign!.count > 0 && foreign!.count >= all * FOREIGN_SHARE ? foreign!.name : "Latin";
  if (script === "Han") return countOf(text, TRADITIONAL) > countOf(text, SIMPLIFIED) ? "zh-Hant" : "zh-Hans";
  return ONE_LANGUAGE[script] ?? byEvidence(text, script);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

interface Weights {
  /** The most spoken first. */
  readonly languages: readonly AnswerLanguage[];
  /** What a word, letter or ending says of each language that has it. */
  readonly words: ReadonlyMap<string, ReadonlyMap<AnswerLanguage, number>>;
  readonly letters: ReadonlyMap<string, ReadonlyMap<AnswerLanguage, number>>;
  readonly endings: ReadonlyMap<string, ReadonlyMap<AnswerLanguage, number>>;
}

const weightsByScript = new Map<string, Weights>();

function byEvidence(text: string, script: string): AnswerLanguage {
  const { languages, words, letters, endings } = weightsOf(script);
  const evidence = new Map<AnswerLanguage, number>();
  const add = (of: ReadonlyMap<AnswerLanguage, number> | undefined, factor: number): void =>
    of?.forEach((weight, language) => evidence.set(language, (evidence.get(language) ?? 0) + weight * factor));
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    add(words.get(word), 1);
    if (word.length >= LONG_WORD) add(endingOf(word, endings), ENDING_WEIGHT);
  }
  for (const letter of text) add(letters.get(letter), LETTER_WEIGHT);
  let [best, most] = [languages[0]!, ENOUGH];
  for (const language of languages) {
    const weight = evidence.get(language) ?? 0;
    if (weight > most) [best, most] = [language, weight];
  }
  return best;
}

/** What the longest ending of a word that is one says. */
function endingOf(word: string, endings: Weights["endings"]): ReadonlyMap<AnswerLanguage, number> | undefined {
  for (let length = Math.min(LONGEST_ENDING, word.length - 2); length > 1; length--) {
    const ending = endings.get(word.slice(-length));
    if (ending !== undefined) return ending;
  }
  return undefined;
}

function weightsOf(script: string): Weights {
  let weights = weightsByScript.get(script);
  if (weights === undefined) {
    const languages = Object.entries(languageEvidence[script]!) as [AnswerLanguage, LanguageEvidence][];
    const shares = (
      of: readonly (readonly [AnswerLanguage, readonly string[]])[],
    ): Map<string, Map<AnswerLanguage, number>> => {
      const found = new Map<string, Map<AnswerLanguage, number>>();
      for (const [language, signs] of of)
        for (const sign of signs) found.set(sign, (found.get(sign) ?? new Map()).set(language, 1));
      for (const having of found.values())
        for (const language of [...having.keys()]) having.set(language, having.size ** -SHARED);
      return found;
    };
    weights = {
      languages: languages.map(([language]) => language),
      words: shares(languages.map(([language, { words }]) => [language, words.split(" ")])),
      letters: shares(languages.map(([language, { letters = "" }]) => [language, [...letters]])),
      endings: shares(languages.map(([language, { endings = "" }]) => [language, endings.split(" ").filter(Boolean)])),
    };
    weightsByScript.set(script, weights);
  }
  return weights;
}
