/** Text in any encoding comes out as it was written; binary data is told from it. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import iconv from "iconv-lite";
import { decodeText } from "../../src/documents/decode-text.ts";

async function decoded(bytes: Uint8Array): Promise<string | undefined> {
  return (await decodeText(bytes))?.text;
}

const samples: Record<string, string> = {
  "windows-1252": "Le café fermé près de l’église était déjà très fréquenté par les étudiants français à cette époque.",
  "windows-1251": "Каждый вечер смотритель маяка поднимался по лестнице и зажигал огонь, чтобы корабли видели берег.",
  "koi8-r": "Каждый вечер смотритель маяка поднимался по лестнице и зажигал огонь, чтобы корабли видели берег.",
  shift_jis: "灯台の番人は毎晩、長い階段を登って灯りをともした。船は遠くからその光を見た。",
  "euc-jp": "灯台の番人は毎晩、長い階段を登って灯りをともした。船は遠くからその光を見た。",
  gb18030: "每天晚上，灯塔看守人都会爬上长长的楼梯点亮灯光，让远处的船只看见海岸。",
  big5: "每天晚上，燈塔看守人都會爬上長長的樓梯點亮燈光，讓遠處的船隻看見海岸。",
  "windows-874": "คนเฝ้าประภาคารปีนบันไดยาวทุกเย็นและจุดไฟเพื่อให้เรือมองเห็นชายฝั่งจากระยะไกล",
  "iso-8859-2": "Každý večer strážce majáku vystoupal po schodech a rozsvítil světlo, aby lodě viděly pobřeží.",
  "euc-kr": "등대지기는 매일 밤 긴 계단을 올라가 불을 켰다. 멀리 있는 배들이 그 빛을 보았다.",
};

const lighthouse: Record<string, string> = {
  "koi8-u": "Щовечора доглядач маяка підіймався сходами і запалював вогонь, щоб кораблі бачили берег їхньої країни.",
  cp866: "Каждый вечер смотритель маяка поднимался по лестнице и зажигал огонь, чтобы корабли видели берег.",
  "iso-8859-5": "Каждый вечер смотритель маяка поднимался по лестнице и зажигал огонь, чтобы корабли видели берег.",
  cp437: "Jeden Abend stieg der Wärter über die Treppe hinauf und zündete das Licht für die Schiffe auf hoher See an.",
  cp850: "Chaque soir, le gardien gravissait l'échelle et allumait la lumière, là où les bateaux étaient passés.",
  cp852: "Każdego wieczoru latarnik wchodził po schodach i zapalał światło, żeby statki widziały brzeg.",
  macroman: "Chaque soir, le gardien gravissait l’échelle et allumait la lumière, là où les bateaux étaient passés.",
  "windows-1250": "Każdego wieczoru latarnik wchodził po schodach i zapalał światło, żeby statki widziały brzeg.",
  "windows-1254": "Her akşam bekçi merdivenleri çıkıyor ve gemilerin kıyıyı görmesi için ışığı yakıyordu.",
  "windows-1255": "בכל ערב עלה שומר המגדלור במדרגות והדליק את האור כדי שהספינות יראו את החוף.",
  "windows-1256": "كل مساء كان حارس المنارة يصعد الدرج ويشعل الضوء لكي ترى السفن الساحل من بعيد.",
  "windows-1257": "Katru vakaru bākas sargs kāpa pa kāpnēm un iededza uguni, lai kuģi redzētu krastu no tālienes.",
};

describe("text is decoded", () => {
  for (const [encoding, text] of Object.entries(lighthouse)) {
    test(`from ${encoding}, told by which letters follow one another`, async () => {
      expect(await decoded(iconv.encode(text, encoding))).toBe(text);
    });
  }
  for (const [encoding, text] of Object.entries(samples)) {
    test(`from ${encoding} without any mark`, async () => {
      expect(await decoded(iconv.encode(text.repeat(3), encoding))).toBe(text.repeat(3));
    });
  }
  const short: Array<[string, string]> = [
    ["windows-1252", "Größe"],
    ["windows-1252", "señor"],
    ["windows-1251", "Привет"],
    ["shift_jis", "こんにちは"],
    ["gb18030", "你好，世界"],
    ["euc-kr", "안녕하세요"],
    ["euc-jp", "こんにちは世界"],
    ["windows-1250", "Příliš žluťoučký kůň"],
    ["windows-1253", "Καλημέρα κόσμε"],
    ["windows-1250", "Każdego wieczoru lat"],
    ["windows-1255", "בכל ערב עלה שומר"],
    ["windows-874", "คนเฝ้าประภาคาร"],
    ["cp866", "Каждый вечер"],
    ["koi8-u", "Щовечора її країна"],
  ];
  for (const [encoding, text] of short) {
    test(`from ${encoding} even when it is as short as ${text}`, async () =>
      expect(await decoded(iconv.encode(text, encoding))).toBe(text));
  }
  test("from ISO-2022-JP", async () => {
    const mail = Buffer.from("\x1b$B$3$s$K$A$O\x1b(B, Japan", "latin1");
    expect(await decoded(mail)).toBe("こんにちは, Japan");
  });
  for (const encoding of ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"]) {
    test(`from ${encoding} with a byte order mark, which is not part of it`, async () => {
      expect(await decoded(iconv.encode("Příliš žluťoučký kůň 🐎", encoding, { addBOM: true }))).toBe(
        "Příliš žluťoučký kůň 🐎",
      );
    });
  }
  for (const encoding of ["utf-16le", "utf-16be", "utf-32le", "utf-32be"]) {
    for (const text of [
      "Plain words.\n",
      "灯台の番人は毎晩、\n長い階段を登って。\n",
      "灯台の番人は毎晩、長い階段を登って灯りをともした。",
      "每天晚上，灯塔看守人都会爬上长长的楼梯。",
      "คนเฝ้าประภาคารปีนบันไดยาวทุกเย็น",
      "Каждый вечер\n",
      "Fine 👍🏽 days",
    ]) {
      test(`from ${encoding} without a mark: ${JSON.stringify(text)}`, async () => {
        expect(await decoded(iconv.encode(text, encoding))).toBe(text);
      });
    }
  }
  test("from UTF-8 with a few damaged bytes", async () => {
    const bytes = new TextEncoder().encode("Příliš žluťoučký kůň. ".repeat(20));
    bytes[bytes.length - 2] = 0xff;
    expect(await decoded(bytes)).toStartWith("Příliš žluťoučký kůň. ");
  });
  test("from UTF-8 that holds replacement characters", async () => {
    for (const text of ["\uFFFD", "Gr\uFFFD\uFFFDe aus K\uFFFDln"])
      expect(await decoded(new TextEncoder().encode(text))).toBe(text);
  });
  test("from UTF-8 always", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (text) => {
        const clean = text.replace(/[\p{Cc}\uFEFF]/gu, "").toWellFormed();
        expect(await decoded(new TextEncoder().encode(clean))).toBe(clean);
      }),
    );
  });
});

describe("binary data", () => {
  test("is not text", async () => {
    const random = new Uint8Array(4096).map((_, index) => (index * 7919 + (index >> 3) * 31) & 0xff);
    expect(await decodeText(random)).toBeNull();
    expect(await decodeText(new Uint8Array(1000))).toBeNull();
    const numbers = new Uint32Array(1000).map((_, index) => index * 37);
    expect(await decodeText(new Uint8Array(numbers.buffer))).toBeNull();
  });
});
