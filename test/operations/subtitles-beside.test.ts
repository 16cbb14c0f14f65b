/** Which subtitles of an upload belong to which of its recordings. */
import { expect, test } from "bun:test";
import { withSubtitles } from "../../src/operations/subtitles-beside.ts";

test.each<[names: string[], pairs: Record<string, string>]>([
  [["talk.mp3", "talk.srt"], { "talk.mp3": "talk.srt" }],
  [["talk.srt", "talk.mp3", "other.mp3"], { "talk.mp3": "talk.srt" }],
  [["Talk.MP4", "talk.VTT"], { "Talk.MP4": "talk.VTT" }],
  [["talk.mp3", "talk.en.srt"], { "talk.mp3": "talk.en.srt" }],
  [["talk.mp3", "talk.de.srt", "talk.srt"], { "talk.mp3": "talk.srt" }],
  [["talk.mp3", "talk.pt-BR.vtt"], { "talk.mp3": "talk.pt-BR.vtt" }],
  [["talk.mp3", "talks.srt"], {}],
  [["part.1.mp3", "part.1.srt", "part.2.mp3"], { "part.1.mp3": "part.1.srt" }],
  [["talk.srt", "talk.vtt"], {}],
  [["talk", "talk.srt"], { talk: "talk.srt" }],
])("%j", (names, pairs) => {
  const files = withSubtitles(names.map((originalName, at) => ({ originalName, path: `/staging/${at}` })));
  const found = files.flatMap(({ originalName, subtitles }) =>
    subtitles === null ? [] : [[originalName, subtitles.originalName]],
  );
  expect(Object.fromEntries(found)).toEqual(pairs);
});
