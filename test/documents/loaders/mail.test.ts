/** Messages as their readers see them: the head, the body in its best form, and the documents attached. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { expectCleanEnds } from "../mutants.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";

const HEAD = "From: Ada Lovelace <ada@example.org>\nTo: Charles <charles@example.org>\nSubject: The engine";
const SHOWN_HEAD = "From: Ada Lovelace <ada@example.org>\nTo: Charles <charles@example.org>";

/** A message with this body; fields follow those that say who writes to whom. */
function mail(fields: string, body: string): string {
  return `${HEAD}\nMIME-Version: 1.0\n${fields}\n\n${body}`;
}

/** A body of several parts, each with its own fields. */
function parts(kind: string, ...each: string[]): string {
  return mail(`Content-Type: multipart/${kind}; boundary=b`, `${each.map((part) => `--b\n${part}\n`).join("")}--b--\n`);
}

async function bodyOf(message: string | Uint8Array): Promise<string[]> {
  return (await textsOf("a.eml", message)).slice(2);
}

describe("a message", () => {
  test("begins with its subject, who wrote it to whom, and when, as the sender's clock showed it", async () => {
    const message = `${HEAD}\nCc: Mary <mary@example.org>,\n john@example.org\nDate: Mon, 20 Jul 2015 00:01:07 -0700 (PDT)\n\nIt works.`;
    expect(await textsOf("a.eml", message)).toEqual([
      "h1 The engine",
      `${SHOWN_HEAD}\nCc: Mary <mary@example.org>, john@example.org\nDate: 20 July 2015 00:01 -07:00`,
      "It works.",
    ]);
    const { properties } = await readBlocks(bytesOf(message), "a.eml", null);
    expect(properties).toEqual({
      title: "The engine",
      author: "Ada Lovelace <ada@example.org>",
      date: "2015-07-20T00:01:07-07:00",
    });
  });
  test("names the first hundred of those it is sent to", async () => {
    const many = Array.from({ length: 130 }, (_, index) => `p${index}@example.org`).join(",\n ");
    const [, head = ""] = await textsOf("a.eml", `From: a@example.org\nTo: ${many}\nSubject: All\n\nHello`);
    expect(head).toEndWith("p99@example.org and 30 more");
  });

  const bodies: Array<[string, string | Uint8Array, string[]]> = [
    [
      "quoted-printable",
      mail(
        "Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=utf-8",
        "caf=C3=A9 and a soft=\n break",
      ),
      ["café and a soft break"],
    ],
    [
      "base64",
      mail(
        "Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-8",
        Buffer.from("café").toString("base64"),
      ),
      ["café"],
    ],
    [
      "Windows-1252 called ISO 8859-1",
      Buffer.from(mail("Content-Type: text/plain; charset=iso-8859-1", "\x93caf\xe9\x94"), "latin1"),
      ["“café”"],
    ],
    ["Japanese in seven bits", mail("Content-Type: text/plain; charset=iso-2022-jp", "\x1b$B4A;z\x1b(B"), ["漢字"]],
    [
      "Chinese",
      Buffer.concat([
        Buffer.from(mail("Content-Type: text/plain; charset=gb2312", "")),
        Buffer.from([0xd6, 0xd0, 0xb9, 0xfa]),
      ]),
      ["中国"],
    ],
    ["UTF-7", mail("Content-Type: text/plain; charset=utf-7", "caf+AOk-"), ["café"]],
    ["a charset that is none", mail("Content-Type: text/plain; charset=x-none-such", "café"), ["café"]],
    [
      "UTF-16 as a whole",
      Buffer.from(`\uFEFF${mail("Content-Type: text/plain; charset=iso-8859-1", "café")}`, "utf16le"),
      ["café"],
    ],
    [
      "soft line breaks",
      mail("Content-Type: text/plain; format=flowed", "One \nparagraph.\n> quoted \n> text\nanswered\n-- \nAda"),
      ["One paragraph.\n> quoted text\nanswered\n-- \nAda"],
    ],
    [
      "soft line breaks inside words",
      mail("Content-Type: text/plain; format=flowed; delsp=yes", "para \ngraph"),
      ["paragraph"],
    ],
    ["an ordinary line break", mail("Content-Type: text/plain", "One\ntwo\n\nthree"), ["One\ntwo", "three"]],
    [
      "HTML",
      mail(
        "Content-Type: text/html",
        '<h1>Title</h1><p style="display:none">x</p><table><tr><td>a</td><td>b</td></tr></table>',
      ),
      ["h2 Title", "a | b"],
    ],
    [
      "HTML with an encoding of its own",
      Buffer.from(
        mail(
          "Content-Type: text/html",
          "<html><head><meta charset=windows-1251></head><body>\xcf\xf0\xe8\xe2\xe5\xf2</body></html>",
        ),
        "latin1",
      ),
      ["Привет"],
    ],
  ];
  for (const [what, message, expected] of bodies)
    test(`in ${what} is read`, async () => expect(await bodyOf(message)).toEqual(expected));
});

describe("of a body in two forms", () => {
  const plain = (text: string) => `Content-Type: text/plain\n\n${text}`;
  const html = (text: string) => `Content-Type: text/html\n\n${text}`;
  test("the plain one is read where it says the same", async () => {
    expect(await bodyOf(parts("alternative", plain("* One thing"), html("<ul><li>One thing</li></ul>")))).toEqual([
      "* One thing",
    ]);
  });
  test("the rich one is read where the plain one says less", async () => {
    const message = parts(
      "alternative",
      plain("Your program shows no HTML."),
      html("<p>One thing</p><p>and another</p>"),
    );
    expect(await bodyOf(message)).toEqual(["One thing", "and another"]);
  });
  test("which follow one another, both are read", async () => {
    expect(await bodyOf(parts("mixed", plain("One"), html("<p>Two</p>")))).toEqual(["One", "Two"]);
  });
});

describe("attachments", () => {
  const attached = (type: string, name: string, content: string) =>
    `Content-Type: ${type}\nContent-Disposition: attachment; filename="${name}"\n\n${content}`;
  test("are named and read, each as a member; those that cannot be read are only named", async () => {
    const message = parts(
      "mixed",
      "Content-Type: text/plain\n\nSee below.",
      attached("text/plain", "a.txt", "first"),
      attached("text/plain", "a.txt", "second"),
      attached("application/pdf", "broken.pdf", "%PDF-1.4 and no more"),
      attached("application/pgp-signature", "signature.asc", "-----BEGIN PGP SIGNATURE-----"),
      "Content-Type: image/png\nContent-ID: <logo>\nContent-Disposition: inline; filename=logo.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
    );
    expect((await blocksOf("a.eml", message)).slice(2).map(({ text, place }) => [text, place?.member])).toEqual([
      ["See below.", undefined],
      ["Attachments: a.txt, a (2).txt, broken.pdf", undefined],
      ["first", "a.txt"],
      ["second", "a (2).txt"],
    ]);
  });
  test("may have names in any of the ways there are", async () => {
    const message = parts(
      "mixed",
      "Content-Type: text/plain; name==?utf-8?Q?caf=C3=A9.txt?=\nContent-Disposition: attachment\n\n1",
      "Content-Type: text/plain\nContent-Disposition: attachment; filename*0*=utf-8''%E4%B8%AD; filename*1=.txt\n\n2",
    );
    expect(await bodyOf(message)).toEqual(["Attachments: café.txt, 中.txt", "1", "2"]);
  });
  test("may be messages, with attachments of their own", async () => {
    const inner = parts("mixed", "Content-Type: text/plain\n\ninner", attached("text/plain", "b.txt", "innermost"));
    const message = `${HEAD}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=outer\n\n--outer\nContent-Type: message/rfc822\n\n${inner}\n--outer--\n`;
    const blocks = await blocksOf("a.eml", message);
    expect(blocks.map(({ text, place }) => [place?.member, text])).toEqual([
      [undefined, "The engine"],
      [undefined, SHOWN_HEAD],
      [undefined, "Attachments: message.eml"],
      ["message.eml", "The engine"],
      ["message.eml", SHOWN_HEAD],
      ["message.eml", "inner"],
      ["message.eml", "Attachments: b.txt"],
      ["message.eml/b.txt", "innermost"],
    ]);
  });
  test("of messages inside one another beyond the limit refuse the whole", async () => {
    let message = mail("Content-Type: text/plain", "innermost");
    for (let depth = 0; depth < 9; depth += 1)
      message = `${HEAD}\nContent-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\nContent-Type: message/rfc822\n\n${message}\n--b${depth}--\n`;
    expect((await failureOf(textsOf("a.eml", message))).message).toContain("nested more than 6 deep");
  });
});

describe("a message made to harm", () => {
  const cases: Array<[string, string, string]> = [
    [
      "of more parts than members may be",
      parts("mixed", ...Array<string>(40).fill("Content-Disposition: attachment; filename=a.txt\n\nx")),
      "more than 30 parts",
    ],
    ["of endless fields", `${HEAD}\n${"X-Field: x\n".repeat(500)}\nx`, "more than 4000 bytes"],
    [
      "of parts inside one another",
      mail(
        `Content-Type: multipart/mixed; boundary=b0`,
        Array.from(
          { length: 20 },
          (_, index) => `--b${index}\nContent-Type: multipart/mixed; boundary=b${index + 1}\n\n`,
        ).join(""),
      ),
      "nested more than 10 deep",
    ],
  ];
  for (const [what, message, reason] of cases) {
    test(`${what} is refused`, async () => {
      const limits = { maxMembers: 30, maxHeadBytes: 4000, maxPartDepth: 10 };
      expect((await failureOf(textsOf("a.eml", message, limits))).message).toContain(reason);
    });
  }
  test("of many lines that look like those between parts is read", async () => {
    const text = "-- a comment\n".repeat(40);
    expect(await textsOf("a.eml", mail("Content-Type: text/plain", text), { maxMembers: 30 })).toHaveLength(3);
  });
  test("by damage is refused or read", async () => {
    const whole = parts(
      "mixed",
      "Content-Type: text/html; charset=gbk\n\n<p>One</p>",
      "Content-Type: message/rfc822\n\nFrom: a@b.c\nTo: c@d.e\n\nTwo",
    );
    await expectCleanEnds("a.eml", bytesOf(whole), 300);
  });
});

describe("which files are messages", () => {
  const cases: Array<[string, string, string]> = [
    ["a.txt", `${HEAD}\nDate: Mon, 20 Jul 2015 00:01:07 -0700\n\nx`, "eml"],
    ["a.eml", `From ada@example.org Mon Jul 20 01:01:07 2015\n${HEAD}\n\nx`, "eml"],
    ["a.eml", `${HEAD}\n\nx`, "eml"],
    ["a.txt", `${HEAD}\n\nx`, "text"],
    ["a.txt", "From: the beginning\n\nto the end", "text"],
    ["a.txt", "From the beginning of 2015\n\nto the end", "text"],
    ["a.txt", "From: 10:00\nTo: 12:00\nSubject: Maths\nDate: Monday\nRoom: 5\n\nBring paper", "text"],
    ["a", "Date: 12 May 2024\nFrom: Ada\nTo: Charles\nSubject: x\nProject: Engine\n\nx", "text"],
    ["a.yaml", "from: ada@example.org\nto: x\nsubject: y\ndate: 2024-05-12\n", "yaml"],
    ["a", `${HEAD}\nReceived: from a.example by b.example; Mon, 20 Jul 2015 00:01:07 -0700\n\nx`, "eml"],
    ["a.txt", "From the meeting of 12 May 2024\nAttendees: Ada\nSubject: x\n\nIt was long.", "text"],
    ["a.mbox", `From ada@example.org 2015\n${HEAD}\n\nx`, "mbox"],
    ["a.txt", `From MAILER-DAEMON Mon Jul 20 01:01:07 2015 +0200\n${HEAD}\n\nx`, "mbox"],
    ["a.txt", "Dear Ada,\n\nFrom: me\nTo: you\nSubject: x", "text"],
  ];
  for (const [name, content, loader] of cases) {
    test(`${JSON.stringify(content.slice(0, 30))} as ${name} is ${loader}`, async () => {
      expect((await readBlocks(bytesOf(content), name, null)).loaderId).toBe(loader);
    });
  }
});

describe("a mailbox", () => {
  const box = [
    "From ada@example.org Mon Jul 20 01:01:07 2015",
    "From: ada@example.org",
    "To: charles@example.org",
    "Subject: First",
    "",
    "She wrote:",
    "",
    "From here on it is new.",
    "",
    "From ada@example.org Mon Jul 20 01:02:07 2015",
    "Subject: =?utf-8?Q?Second=2Fthird?=",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "Content-Disposition: attachment; filename=a.txt",
    "",
    "attached",
    "--b--",
    "",
  ].join("\n");
  test("has each message as a member of its own", async () => {
    const blocks = await blocksOf("a.mbox", box);
    expect(blocks.map(({ text, place }) => [place?.member, text])).toEqual([
      ["1 First", "First"],
      ["1 First", "From: ada@example.org\nTo: charles@example.org"],
      ["1 First", "She wrote:"],
      ["1 First", "From here on it is new."],
      ["2 Second third", "Second/third"],
      ["2 Second third", "Attachments: a.txt"],
      ["2 Second third/a.txt", "attached"],
    ]);
  });
  test("is known by its content, and says nothing of one of its messages as its own", async () => {
    const { loaderId, properties } = await readBlocks(bytesOf(box), "inbox", null);
    expect([loaderId, properties]).toEqual(["mbox", {}]);
  });
  test("of more messages than members may be is refused", async () => {
    const failure = await failureOf(textsOf("a.mbox", `${box}\n`.repeat(6), { maxMembers: 10 }));
    expect(failure.message).toContain("more than 10 members");
  });
  test("that is damaged is refused or read", async () => await expectCleanEnds("a.mbox", bytesOf(box), 300));
});

describe("a web archive", () => {
  const page = (fields: string, content: Uint8Array) =>
    Buffer.concat([
      Buffer.from(
        `From: <Saved by Blink>\nSubject: A page\nMIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary=b\n\n--b\nContent-Type: text/html\nContent-ID: <frame@mhtml>\nContent-Location: https://example.org/\n${fields}\n\n`,
      ),
      content,
      Buffer.from(
        "\n--b\nContent-Type: text/css\nContent-Location: a.css\n\nbody {}\n--b\nContent-Type: text/html\nContent-Location: ad.html\n\n<p>Buy!</p>\n--b--\n",
      ),
    ]);
  const russian = Buffer.from(
    "<html><head><meta charset=windows-1251><title>A page</title></head><body><nav>Menu</nav><p>\xcf\xf0\xe8\xe2\xe5\xf2</p></body></html>",
    "latin1",
  );
  test("is read as its page is, in the page's own encoding", async () => {
    expect(await textsOf("a.mht", page("Content-Transfer-Encoding: 8bit", russian))).toEqual(["h1 A page", "Привет"]);
    const packed = Buffer.from(russian.toString("base64"));
    expect(await textsOf("a", page("Content-Transfer-Encoding: base64", packed))).toEqual(["h1 A page", "Привет"]);
  });
  test("that is damaged is refused or read", async () =>
    await expectCleanEnds("a.mhtml", page("Content-Transfer-Encoding: 8bit", russian), 200));
});
