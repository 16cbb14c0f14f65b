/** Which subtitle file of an upload belongs to which recording: one of the same name. Pure. */
import type { StagedFile } from "../files/index.ts";

type NamedFile = Pick<StagedFile, "path" | "originalName">;

const SUBTITLES = /\.(srt|vtt)$/i;
/** As players look for them: `talk.srt`, or `talk.en.srt` with a language. */
const LANGUAGE = /\.[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The files, each with the subtitles that are called as it is, where there are any among them: those without a language first. */
export function withSubtitles<File extends NamedFile>(
  files: readonly File[],
): (File & { readonly subtitles: NamedFile | null })[] {
  const subtitles = new Map<string, NamedFile>();
  for (const { path, originalName } of files) {
    if (!SUBTITLES.test(originalName)) continue;
    const name = originalName.replace(SUBTITLES, "").toLowerCase();
    subtitles.set(name, { path, originalName });
    const bare = name.replace(LANGUAGE, "");
    if (!subtitles.has(bare)) subtitles.set(bare, { path, originalName });
  }
  return files.map((file) => {
    const name = file.originalName.replace(/\.[^.]*$/, "").toLowerCase();
    return { ...file, subtitles: SUBTITLES.test(file.originalName) ? null : (subtitles.get(name) ?? null) };
  });
}
