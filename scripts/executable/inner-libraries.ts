/**
 * Libraries in other languages that are compiled into the packages we embed, WebAssembly and native, and that the packages' own
 * manifests do not name. Versions only where the compiled file tells them. Licences by their SPDX names; their texts lie in licences/.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface InnerLibrary {
  readonly name: string;
  /** null: the compiled file does not tell. */
  readonly version: string | null;
  /** An SPDX expression. */
  readonly licence: string;
  /** Whose it is; null where the source says. */
  readonly copyright: string | null;
  readonly source: string;
  /** As package URLs name it. */
  readonly purl: string;
}

type Row = readonly [name: string, licence: string, source: string, copyright?: string];

/** By the npm package that they are inside. */
const table: Readonly<Record<string, readonly Row[]>> = {
  bun: [
    ["JavaScriptCore and WebKit", "LGPL-2.0-or-later AND BSD-2-Clause", "github.com/oven-sh/WebKit"],
    ["boringssl", "Apache-2.0", "boringssl.googlesource.com/boringssl"],
    ["brotli", "MIT", "github.com/google/brotli", "2009-2016 the Brotli Authors"],
    ["sqlite", "blessing", "sqlite.org/src"],
    ["libarchive", "BSD-2-Clause", "github.com/libarchive/libarchive", "2003-2018 Tim Kientzle and others"],
    ["lol-html", "BSD-3-Clause", "github.com/cloudflare/lol-html", "2019 Cloudflare, Inc."],
    ["ls-hpack", "MIT", "github.com/litespeedtech/ls-hpack", "2018-2023 LiteSpeed Technologies Inc"],
    ["ls-qpack", "MIT", "github.com/litespeedtech/ls-qpack", "2018-2023 LiteSpeed Technologies Inc"],
    ["lsquic", "MIT AND BSD-3-Clause", "github.com/litespeedtech/lsquic", "2017-2023 LiteSpeed Technologies Inc"],
    ["mimalloc", "MIT", "github.com/microsoft/mimalloc", "2018-2025 Microsoft Corporation, Daan Leijen"],
    [
      "picohttpparser",
      "MIT",
      "github.com/h2o/picohttpparser",
      "2009-2014 Kazuho Oku, Tokuhiro Matsuno, Daisuke Murase, Shigeo Mitsunari",
    ],
    ["zstd", "BSD-3-Clause", "github.com/facebook/zstd", "Meta Platforms, Inc. and affiliates"],
    ["simdutf", "Apache-2.0", "github.com/simdutf/simdutf"],
    ["tinycc", "LGPL-2.1-or-later", "github.com/TinyCC/tinycc"],
    ["uSockets", "Apache-2.0", "github.com/uNetworking/uSockets"],
    ["uWebSockets", "Apache-2.0", "github.com/jarred-sumner/uwebsockets"],
    ["zlib-ng", "Zlib", "github.com/zlib-ng/zlib-ng", "1995-2024 Jean-loup Gailly and Mark Adler"],
    [
      "c-ares",
      "MIT",
      "github.com/c-ares/c-ares",
      "1998 Massachusetts Institute of Technology; 2007-2023 Daniel Stenberg",
    ],
    ["icu", "Unicode-3.0", "github.com/unicode-org/icu", "2016-2025 Unicode, Inc."],
    ["base64", "BSD-2-Clause", "github.com/aklomp/base64", "2013-2022 Alfred Klomp and others"],
    ["libdeflate", "MIT", "github.com/ebiggers/libdeflate", "2016 Eric Biggers"],
    [
      "libjpeg-turbo",
      "IJG AND BSD-3-Clause AND Zlib",
      "github.com/libjpeg-turbo/libjpeg-turbo",
      "2009-2024 D. R. Commander and others",
    ],
    ["libspng", "BSD-2-Clause", "github.com/randy408/libspng", "2018-2023 Randy"],
    ["libwebp", "BSD-3-Clause", "chromium.googlesource.com/webm/libwebp", "2010 Google Inc."],
    ["highway", "Apache-2.0", "github.com/google/highway"],
    ["uucode", "MIT", "github.com/jacobsandlund/uucode", "2025 Jacob Sandlund"],
    ["esbuild", "MIT", "github.com/evanw/esbuild", "2020 Evan Wallace"],
    ["libcxxabi", "Apache-2.0 WITH LLVM-exception", "github.com/llvm/llvm-project"],
  ],
  "tesseract.js-core": [
    [
      "tesseract",
      "Apache-2.0",
      "github.com/tesseract-ocr/tesseract",
      "1988-1995 Hewlett Packard Company; 2006-2019 Google Inc.",
    ],
    ["leptonica", "BSD-2-Clause", "github.com/DanBloomberg/leptonica", "2001 Leptonica"],
    ["jpeg", "IJG", "ijg.org", "1991-2014 Thomas G. Lane, Guido Vollbeding"],
    [
      "libpng",
      "libpng-2.0",
      "github.com/pnggroup/libpng",
      "1995-2022 the PNG Reference Library Authors; 2018-2022 Cosmin Truta; 1998-2018 Glenn Randers-Pehrson",
    ],
    ["libtiff", "libtiff", "gitlab.com/libtiff/libtiff", "1988-1997 Sam Leffler; 1991-1997 Silicon Graphics, Inc."],
    ["zlib", "Zlib", "github.com/madler/zlib", "1995-2022 Jean-loup Gailly and Mark Adler"],
    ["giflib", "MIT", "giflib.sourceforge.net", "1997 Eric S. Raymond; 1989 Gershon Elber"],
    ["libwebp", "BSD-3-Clause", "chromium.googlesource.com/webm/libwebp", "2010 Google Inc."],
    [
      "openjpeg",
      "BSD-2-Clause",
      "github.com/uclouvain/openjpeg",
      "2002-2014 Universite catholique de Louvain and others",
    ],
  ],
  "pdfjs-dist": [
    [
      "openjpeg",
      "BSD-2-Clause",
      "github.com/uclouvain/openjpeg",
      "2002-2014 Universite catholique de Louvain and others; the build of it 2024 Mozilla Foundation",
    ],
    [
      "pdfium-jbig2",
      "BSD-3-Clause",
      "pdfium.googlesource.com/pdfium",
      "2014 the PDFium Authors; the build of it 2026 Mozilla Foundation",
    ],
  ],
  "swagger-ui-dist": [
    ["swagger-ui", "Apache-2.0", "github.com/swagger-api/swagger-ui", "2020-2021 SmartBear Software Inc."],
    ["swagger-client", "Apache-2.0", "github.com/swagger-api/swagger-js", "2020-2021 SmartBear Software Inc."],
    ["apidom", "Apache-2.0", "github.com/swagger-api/apidom", "2020-2021 SmartBear Software Inc."],
    ["react", "MIT", "github.com/facebook/react", "Meta Platforms, Inc. and affiliates"],
    ["redux", "MIT", "github.com/reduxjs/redux", "2015-present Dan Abramov"],
    ["immutable", "MIT", "github.com/immutable-js/immutable-js", "2014-present Lee Byron and other contributors"],
    ["lodash", "MIT", "github.com/lodash/lodash", "OpenJS Foundation and other contributors"],
    ["ramda", "MIT", "github.com/ramda/ramda", "2013-2024 Scott Sauyet and Michael Hurley"],
    ["ramda-adjunct", "BSD-3-Clause", "github.com/char0n/ramda-adjunct", "2017-2019 Vladimir Gorej and others"],
    ["autolinker", "MIT", "github.com/gregjacobs/Autolinker.js", "2012-2024 Gregory Jacobs"],
    ["remarkable", "MIT", "github.com/jonschlinkert/remarkable", "2014-2016 Jon Schlinkert; Vitaly Puzrin"],
    ["highlight.js", "BSD-3-Clause", "github.com/highlightjs/highlight.js", "2006 Ivan Sagalaev"],
    ["js-yaml", "MIT", "github.com/nodeca/js-yaml", "2011-2015 Vitaly Puzrin"],
    ["core-js", "MIT", "github.com/zloirock/core-js", "2014-2025 Denis Pushkarev"],
    ["dompurify", "MPL-2.0 OR Apache-2.0", "github.com/cure53/DOMPurify", "2025 Dr.-Ing. Mario Heiderich, Cure53"],
    ["minim", "MIT", "github.com/refractproject/minim", "2015-2018 Stephen Mizell and others"],
    ["apg-lite", "BSD-2-Clause", "github.com/ldthomas/apg-js", "2025 Lowell D. Thomas"],
    ["tanstack-virtual", "MIT", "github.com/TanStack/virtual", "2021-present Tanner Linsley"],
  ],
  "opus-decoder": [
    [
      "opus",
      "BSD-3-Clause",
      "github.com/xiph/opus",
      "2001-2023 Xiph.Org, Skype Limited, Octasic, Jean-Marc Valin, Timothy B. Terriberry, CSIRO, Gregory Maxwell, Mark Borgerding, Erik de Castro Lopo, Mozilla, Amazon",
    ],
  ],
  "@wasm-audio-decoders/ogg-vorbis": [
    ["vorbis", "BSD-3-Clause", "github.com/xiph/vorbis", "2002-2020 Xiph.org Foundation"],
    ["ogg", "BSD-3-Clause", "github.com/xiph/ogg", "2002 Xiph.org Foundation"],
  ],
  "minimp3-wasm": [["minimp3", "CC0-1.0", "github.com/lieff/minimp3"]],
  "onnxruntime-node": [
    ["onnxruntime", "MIT", "github.com/microsoft/onnxruntime", "Microsoft Corporation"],
    ["onnx", "Apache-2.0", "github.com/onnx/onnx", "ONNX Project Contributors"],
    ["protobuf", "BSD-3-Clause", "github.com/protocolbuffers/protobuf", "2008 Google Inc."],
    ["utf8_range", "MIT", "github.com/protocolbuffers/utf8_range", "2019 Yibo Cai; 2022 Google LLC"],
    ["flatbuffers", "Apache-2.0", "github.com/google/flatbuffers"],
    ["abseil-cpp", "Apache-2.0", "github.com/abseil/abseil-cpp"],
    ["eigen", "MPL-2.0", "gitlab.com/libeigen/eigen"],
    ["re2", "BSD-3-Clause", "github.com/google/re2", "2009 the RE2 Authors"],
    [
      "cpuinfo",
      "BSD-2-Clause",
      "github.com/pytorch/cpuinfo",
      "2019 Google LLC; 2017-2018 Facebook Inc.; 2012-2017 Georgia Institute of Technology; 2010-2012 Marat Dukhan",
    ],
    ["date", "MIT", "github.com/HowardHinnant/date", "2015-2017 Howard Hinnant and others"],
    ["GSL", "MIT", "github.com/microsoft/GSL", "2015 Microsoft Corporation"],
    ["SafeInt", "MIT", "github.com/dcleblanc/SafeInt", "2018 Microsoft"],
    ["mp11", "BSL-1.0", "github.com/boostorg/mp11"],
    ["json", "MIT", "github.com/nlohmann/json", "2013-2022 Niels Lohmann"],
    ["dlpack", "Apache-2.0", "github.com/dmlc/dlpack"],
    [
      "kleidiai",
      "Apache-2.0 AND BSD-3-Clause",
      "gitlab.arm.com/kleidi/kleidiai",
      "2024-2025 Arm Limited and its affiliates",
    ],
    ["dawn", "BSD-3-Clause", "dawn.googlesource.com/dawn", "2017-2023 the Dawn & Tint Authors"],
  ],
  "node-llama-cpp": [
    ["llama.cpp", "MIT", "github.com/ggml-org/llama.cpp", "2023-2026 the ggml authors"],
    ["ggml", "MIT", "github.com/ggml-org/ggml", "2023-2026 the ggml authors"],
    ["llamafile sgemm", "MIT", "github.com/mozilla-ai/llamafile", "2024 Mozilla Foundation"],
    ["json", "MIT", "github.com/nlohmann/json", "2013-2025 Niels Lohmann"],
    ["node-addon-api", "MIT", "github.com/nodejs/node-addon-api", "2017 Node.js API collaborators"],
  ],
  usearch: [
    ["numkong", "Apache-2.0", "github.com/ashvardanian/NumKong", "Ash Vardanian"],
    [
      "FP16",
      "MIT",
      "github.com/Maratyszcza/FP16",
      "2017 Facebook Inc., Georgia Institute of Technology; 2019 Google LLC",
    ],
  ],
  "libarchive-wasm": [
    ["libarchive", "BSD-2-Clause", "github.com/libarchive/libarchive", "2003-2024 Tim Kientzle and others"],
    ["bzip2", "bzip2-1.0.6", "sourceware.org/bzip2", "1996-2019 Julian R Seward"],
    ["liblzma", "0BSD", "github.com/tukaani-project/xz", "The XZ Utils authors and contributors"],
    ["zlib", "Zlib", "github.com/madler/zlib", "1995-2024 Jean-loup Gailly and Mark Adler"],
    ["musl", "MIT", "git.musl-libc.org/cgit/musl", "2005-2020 Rich Felker, et al."],
    ["emscripten", "MIT", "github.com/emscripten-core/emscripten", "2010-2025 Emscripten authors"],
  ],
  "xz-decompress": [
    ["xzwasm", "MIT", "github.com/SteveSanderson/xzwasm", "Steve Sanderson"],
    ["xz-embedded", "0BSD", "github.com/tukaani-project/xz-embedded", "The XZ Embedded authors and contributors"],
    ["walloc", "MIT", "github.com/wingo/walloc", "2020 Igalia, S.L."],
  ],
  tokenizers: [["oniguruma", "BSD-2-Clause", "github.com/kkos/oniguruma", "2002-2021 K. Kosako"]],
};

/** Licences of the Rust crates inside `tokenizers`, where they are not under MIT or Apache-2.0 at choice, which most are. */
const crateLicences: Readonly<Record<string, string>> = {
  "aho-corasick": "Unlicense OR MIT",
  compact_str: "MIT",
  console: "MIT",
  "esaxx-rs": "Apache-2.0",
  indicatif: "MIT",
  libloading: "ISC",
  memchr: "Unlicense OR MIT",
  napi: "MIT",
  "napi-sys": "MIT",
  onig: "MIT",
  spm_precompiled: "Apache-2.0",
};
const MOST_CRATES = "MIT OR Apache-2.0";

/** What is compiled into an npm package, beside its own code. */
export function innerLibraries(root: string, packageName: string): InnerLibrary[] {
  const libraries = (table[packageName] ?? []).map(
    ([name, licence, source, copyright]): InnerLibrary => ({
      name,
      version: null,
      licence,
      copyright: copyright === undefined ? null : `Copyright (c) ${copyright}`,
      source: `https://${source}`,
      purl: packageUrl(name, source),
    }),
  );
  return packageName === "tokenizers" ? [...libraries, ...cratesInside(root)] : libraries;
}

function packageUrl(name: string, source: string): string {
  const [host, ...path] = source.split("/");
  return host === "github.com"
    ? `pkg:github/${path.join("/").toLowerCase()}`
    : `pkg:generic/${encodeURIComponent(name)}`;
}

/** The crates that the compiled library names, in what it says of where a panic came from. */
function cratesInside(root: string): InnerLibrary[] {
  const library = readFileSync(join(root, "node_modules/tokenizers/tokenizers.linux-x64-gnu.node"), "latin1");
  const named = [...library.matchAll(/registry\/src\/[^/]{1,99}\/([\w-]+?)-(\d+\.\d+\.\d+(?:[-+][\w.]+)?)\//g)];
  if (named.length === 0)
    throw new Error("tokenizers no longer tells which crates are inside: look how it was compiled");
  const versions = new Map(named.map(([, name, version]): [string, string] => [name!, version!]));
  return [...versions].sort().map(([name, version]) => ({
    name,
    version,
    licence: crateLicences[name] ?? MOST_CRATES,
    copyright: null,
    source: `https://crates.io/crates/${name}/${version}`,
    purl: `pkg:cargo/${name}@${version}`,
  }));
}

/** Every package that the table speaks of. */
export const packagesWithLibraries: readonly string[] = Object.keys(table);
