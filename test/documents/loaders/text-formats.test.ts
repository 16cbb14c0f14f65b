/** Texts with boundaries of their own keep them: code, logs, changes, and the lighter markups. Blocks know their lines. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { expectCleanEnds } from "../mutants.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";

/** Each block as its line and its text, headings marked. */
async function placedOf(name: string, text: string): Promise<string[]> {
  const blocks = await blocksOf(name, text);
  return blocks.map(
    ({ kind, level, text: said, place }) => `${place?.line} ${kind === "heading" ? `h${level} ` : ""}${said}`,
  );
}

describe("plain text and Markdown", () => {
  test("know the lines of their paragraphs", async () => {
    expect(await placedOf("a.txt", "One\ntwo\n\n \nThree\r\n\r\nFour")).toEqual(["1 One\ntwo", "5 Three", "7 Four"]);
  });
  test("know the lines of all their blocks", async () => {
    const text =
      "---\na: 1\n---\n# One\ntext\nmore\n\nTwo\n===\n- a\n- b\n\n| x |\n|---|\n| y |\nafter\n```\ncode\n```";
    expect(await placedOf("a.md", text)).toEqual([
      "2 a: 1",
      "4 h1 One",
      "5 text\nmore",
      "8 h1 Two",
      "10 - a",
      "11 - b",
      "13 | x |",
      "15 | y |",
      "16 after",
      "18 code",
    ]);
  });
});

describe("source code", () => {
  const method = (name: string): string => `  ${name}() {\n${"    doSomething(1);\n".repeat(100)}  }\n`;
  test("has a block for what stands between blank lines at the outermost level", async () => {
    const code = "import a\n\n# About f\n@wrapped\ndef f():\n    x = 1\n\n    return x\n\n\ndef g():\n    pass\n";
    expect(await placedOf("a.py", code)).toEqual([
      "1 import a",
      "3 # About f\n@wrapped\ndef f():\n    x = 1\n\n    return x",
      "11 def g():\n    pass",
    ]);
  });
  test("of a long class is parted at its methods, each of which knows the class", async () => {
    const code = `/** About it. */\nexport class Engine {\n${method("start")}\n${method("stop")}}\n\nconst after = 1;\n`;
    const blocks = await blocksOf("a.ts", code);
    expect(blocks.map(({ text, place, context }) => [text.split("\n")[0], place?.line, context])).toEqual([
      ["/** About it. */", 1, undefined],
      ["  start() {", 3, "export class Engine {"],
      ["  stop() {", 106, "export class Engine {"],
      ["const after = 1;", 210, undefined],
    ]);
    expect(blocks.every(({ kind }) => kind === "code")).toBe(true);
  });
  for (const [name, text, loader] of [
    ["Makefile", "all:\n\ttrue\n", "code"],
    ["run", "#!/bin/sh\ntrue\n", "code"],
    ["a.sql", "select 1;", "code"],
    ["a.txt", "def f():\n  pass\n", "text"],
  ] as const)
    test(`${name} is ${loader}`, async () =>
      expect((await readBlocks(bytesOf(text), name, null)).loaderId).toBe(loader));
});

describe("a log", () => {
  const log = `2026-05-12 10:00:00,123 INFO Starting
2026-05-12 10:00:01,000 ERROR Failed
java.lang.IllegalStateException: no steam
\tat Engine.start(Engine.java:12)

Caused by: something
2026-05-12 10:00:02,000 INFO Ended
`;
  test("has a row for each entry, with what belongs to it", async () => {
    expect(await placedOf("a.log", log)).toEqual([
      "1 2026-05-12 10:00:00,123 INFO Starting",
      "2 2026-05-12 10:00:01,000 ERROR Failed\njava.lang.IllegalStateException: no steam\n\tat Engine.start(Engine.java:12)\n\nCaused by: something",
      "7 2026-05-12 10:00:02,000 INFO Ended",
    ]);
  });
  for (const entry of [
    "[2026-05-12T10:00:00Z] x",
    "May 12 10:00:00 host sshd[1]: x",
    '127.0.0.1 - - [12/May/2026:10:00:00 +0200] "GET / HTTP/1.1" 200 1',
    "12/May/2026 10:00:00 x",
    "10:00:00.123 [main] x",
    "apt 2026-05-12 10:00:00: x",
    "ERROR: x",
    "1778580000 x",
    "I0512 10:00:00.123456 1 x.go:1] x",
  ]) {
    test(`may have entries such as ${JSON.stringify(entry)}`, async () => {
      const { loaderId, blocks } = await readBlocks(bytesOf(`${entry}\n`.repeat(6)), "output", null);
      expect([loaderId, blocks.length]).toEqual(["log", 6]);
    });
  }
  test("without entries is text", async () =>
    expect((await readBlocks(bytesOf("Just words."), "a.log", null)).loaderId).toBe("text"));
});

describe("changes", () => {
  const diff = `From Ada, about the engine

diff --git a/src/a.ts b/src/a.ts
index 1234567..89abcde 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@ class Engine
 same
--- old comment
+new
@@ -9 +9 @@
-x
+y
diff --git a/b.ts b/b.ts
deleted file mode 100644
--- a/b.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;
  test("stand under the names of their files, a block for each stretch", async () => {
    expect(await placedOf("a.patch", diff)).toEqual([
      "1 From Ada, about the engine",
      "5 h2 src/a.ts",
      "7 @@ -1,2 +1,2 @@ class Engine\n same\n--- old comment\n+new",
      "11 @@ -9 +9 @@\n-x\n+y",
      "16 h2 b.ts",
      "18 @@ -1 +0,0 @@\n-gone",
    ]);
  });
});

const tex = String.raw`\documentclass{article}
\usepackage{x} % about x
\title{On \emph{Engines}}
\author{Ada}
\begin{document}
\maketitle
\section{First \textbf{part}}\label{a}
Caf\'e and M\"uller~wrote \cite{x} that $a^2$ is 5\% more. % not said
% nor this
Same paragraph, \textit{nested \textbf{words}}.

\begin{itemize}
\item One
\item[two] Two
\end{itemize}
\subsection*{Deeper}
See \href{https://example.org}{the \unknown{engine}} of $\frac{a}{b}$.
\begin{equation}
\frac{a}{b}
\end{equation}
\begin{verbatim}
  a % b
    c
\end{verbatim}
\end{document}
not said`;

const rst = `=====
Title
=====

About \`the engine <https://example.org>\`_ and :func:\`start\`.

First
-----
Look::

    code
      more

* One
* Two

.. note:: Be
   careful.

.. image:: a.png
   :alt: x

.. code-block:: python
   :linenos:

   x = 1

.. a comment

Second
------
End
`;

const asciidoc = `= Title
Ada
:toc:

== First
About https://example.org[the engine]. // said

* One
* Two

.A listing
[source,ruby]
----
a == b
----

|===
| x | y
|===

// not said
=== Deeper
End
`;

const org = `#+TITLE: Title
#+OPTIONS: toc:nil
* TODO First :tag:
:PROPERTIES:
:ID: x
:END:
SCHEDULED: <2026-05-12>
About [[https://example.org][the engine]].
- One
#+BEGIN_SRC c
a;
#+END_SRC
| x | y |
|---+---|
** Deeper
# not said
End
`;

describe("lighter markup", () => {
  const cases: Array<[string, string, string[]]> = [
    [
      "a.tex",
      tex,
      [
        "3 h1 On Engines",
        "4 Ada",
        "7 h3 First part",
        "8 Café and Müller wrote [x] that $a^2$ is 5% more.\nSame paragraph, nested words.",
        "13 - One",
        "14 - two Two",
        "16 h4 Deeper",
        "17 See the engine of $\\frac{a}{b}$.",
        "19 \\frac{a}{b}",
        "22 a % b\n  c",
      ],
    ],
    [
      "a.rst",
      rst,
      [
        "2 h1 Title",
        "5 About the engine and start.",
        "7 h2 First",
        "9 Look:",
        "11 code\n  more",
        "14 * One",
        "15 * Two",
        "17 Be",
        "18    careful.",
        "26 x = 1",
        "30 h2 Second",
        "32 End",
      ],
    ],
    [
      "a.adoc",
      asciidoc,
      [
        "1 h1 Title",
        "2 Ada",
        "5 h2 First",
        "6 About the engine. // said",
        "8 * One",
        "9 * Two",
        "11 A listing",
        "14 a == b",
        "18 x | y",
        "22 h3 Deeper",
        "23 End",
      ],
    ],
    [
      "a.org",
      org,
      ["1 h1 Title", "3 h1 First", "8 About the engine.", "9 - One", "11 a;", "13 | x | y |", "15 h2 Deeper", "17 End"],
    ],
  ];
  for (const [name, text, expected] of cases) {
    test(`in ${name} is read by its sections`, async () => expect(await placedOf(name, text)).toEqual(expected));
    test(`in ${name}, damaged, is refused or read`, async () => await expectCleanEnds(name, bytesOf(text), 150));
  }
  test("says what it says of itself", async () => {
    expect((await readBlocks(bytesOf(tex), "a.tex", null)).properties).toEqual({ title: "On Engines", author: "Ada" });
    expect((await readBlocks(bytesOf(org), "a.org", null)).properties).toEqual({ title: "Title" });
  });
  test.each([
    ["on one line", "\\documentclass{article}\\title{The Lamp}\\author{Ada}\n\\begin{document}\nText\n"],
    ["over lines", "\\title{The\nLamp}\\author{Ada}\n\\begin{document}\nText\n"],
    ["inside", "\\begin{document}\n\\title{The Lamp}\\author{Ada}\nText\n"],
  ])("has title and author of TeX %s", async (_, source) => {
    const { blocks, properties } = await readBlocks(bytesOf(source), "a.tex", null);
    expect(properties).toEqual({ title: "The Lamp", author: "Ada" });
    expect(blocks.map(({ text }) => text)).toEqual(["The Lamp", "Ada", "Text"]);
  });
  test("with endless marks is read in one pass", async () => {
    const texts = await textsOf("a.tex", `\\emph{${"\\textbf{".repeat(50_000)}x`);
    expect(texts.length).toBe(1);
  });
});

test("a long method's line is told of its own parts alone, and the class of all of them", async () => {
  const body = (name: string) =>
    Array.from({ length: 8 }, (_, index) => `        ${name}_${index} = "${"x".repeat(90)}"\n`).join("\n");
  const source = `class Account:\n    def deposit(self, amount):\n${body("first").repeat(5)}\n\n    def withdraw(self, amount):\n        return 1\n`;
  const { blocks } = await readBlocks(bytesOf(source), "account.py", null);
  const contextOf = (text: string) => blocks.find((block) => block.text.includes(text))?.context;
  expect(contextOf("first_3")).toBe("class Account: def deposit(self, amount):");
  expect(contextOf("def withdraw")).toBe("class Account:");
});

test.each<[string, string, Record<string, string>]>([
  [
    "a.org",
    "#+TITLE: Notes\n#+LANGUAGE: DE\n#+DATE: 2026-11-01\n\n* One\n\nText\n",
    { language: "de", date: "2026-11-01" },
  ],
  ["b.org", "#+TITLE: Notes\n#+DATE: some day\n\n* One\n\nText\n", {}],
])("%s says its language and date in one form, or not at all", async (name, text, expected) => {
  const { properties } = await readBlocks(bytesOf(text), name, null);
  expect(properties).toEqual({ title: "Notes", ...expected });
});

describe("what looks like markup, and is text", () => {
  const texts: Array<[string, string, string, string[]]> = [
    [
      "behind what TeX's commands end with",
      "a.tex",
      "\\section{Intro} The rest\n\\begin{equation} E = mc^2 \\end{equation} said\n\\colorbox{red}{warning} of \\$5 and \\$6",
      ["1 h3 Intro", "1 The rest", "2 E = mc^2", "2 said\nwarning of $5 and $6"],
    ],
    [
      "with TeX's commands in what it says of itself",
      "a.tex",
      "\\title{A guide to \\LaTeX}\n\\author{Alice \\and Bob\\thanks{MIT}}\n\\author{Eve}\n\\begin{document}\nText",
      ["1 h1 A guide to LaTeX", "2 Alice, Bob (MIT)", "3 Eve", "5 Text"],
    ],
    [
      "like AsciiDoc's titles and settings",
      "a.adoc",
      "= A =\n:toc: left\n\n////\nnot said\n//// \n.NET is great\n\n:smile: hello",
      ["1 h1 A", "7 .NET is great", "9 :smile: hello"],
    ],
    [
      "like a directive's options",
      "a.rst",
      ".. note:: One\n   :class: x\n\n   :name: two\n\n.. code-block:: text\n\n   :three: 3",
      ["1 One", "4    :name: two", "8 :three: 3"],
    ],
    [
      "in drawers that are none of Org's own",
      "a.org",
      "* One :tag:\n:NOTES:\nkept\n:END:\n:LOGBOOK:\nnot said\n:END:",
      ["1 h1 One", "3 kept"],
    ],
    [
      "in front of changes, and in names alone",
      "a.patch",
      "diff of a day\nIndex: none\n\ndiff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
      ["1 diff of a day\nIndex: none", "4 h2 y", "6 rename from x\nrename to y"],
    ],
  ];
  for (const [what, name, text, expected] of texts)
    test(`${what}, is read`, async () => expect(await placedOf(name, text)).toEqual(expected));
  const blanks = " ".repeat(200_000);
  const endless: Array<[string, string, string]> = [
    ["drawers", "a.org", ":PROPERTIES:\n".repeat(50_000)],
    ["listings of Org", "a.org", "#+begin_src\n".repeat(50_000)],
    ["headlines", "a.org", `* a${blanks}b`],
    ["titles of AsciiDoc", "a.adoc", `= a${blanks}b`],
    ["directives", "a.rst", `.. note:: x\n${"  .. note:: y\n".repeat(20_000)}`],
    ["formulas", "a.tex", `x ${"\\[".repeat(500_000)}`],
    ["authors", "a.tex", `\\author{a${blanks}b}`],
  ];
  for (const [what, name, text] of endless)
    test(`without end is read in one pass: ${what}`, async () => {
      const { loaderId } = await readBlocks(bytesOf(`${text}\nend`), name, null);
      expect(loaderId).not.toBe("text");
    });
});
