/** The lighter markups (TeX, reStructuredText, AsciiDoc, Org) are read by their sections. Blocks know their lines. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { bytesOf, placedOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

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
