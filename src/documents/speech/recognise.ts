/** What is said in a recording, from its sound to subtitles: where somebody speaks, in which language, and what. */
import { speechSound } from "../audio/recording.ts";
import { RecordingFault, type SoundStream } from "../audio/sound.ts";
import type { Content } from "../content.ts";
import { BEGUN } from "../text-recognition.ts";
import type { SubtitleEntry } from "../types.ts";
import { voiceGraph } from "./built-in.ts";
import { SpokenLanguage } from "./spoken-language.ts";
import { stretchesOf } from "./stretches.ts";
import { entriesOf, type UnnumberedEntry } from "./subtitle-entries.ts";
import { VoiceDetector } from "./voice.ts";

/** Seconds by which the fraction is told where nobody knows how long the recording is. */
const USUAL_SECONDS = 600;

/**
 * The entries have the recording's times. `seconds`: about how long it is; null: nobody knows. Throws RecordingFault, NO_SPEECH_MODEL,
 * and UNREADABLE_FILE where it is too long.
 */
export async function recogniseSpeech(
  sound: SoundStream,
  seconds: number | null,
  content: Content,
): Promise<{ entries: SubtitleEntry[]; language: string | null }> {
  const { recognition, limits } = content;
  recognition.progress(BEGUN);
  const language = new SpokenLanguage(content);
  const detector = await VoiceDetector.open(voiceGraph());
  const entries: UnnumberedEntry[] = [];
  const heard = (second: number): void => {
    if (second > limits.maxRecordingSeconds)
      throw new RecordingFault(
        `it is longer than ${limits.maxRecordingSeconds / 3600} hours; split it into shorter ones`,
      );
    recognition.progress(
      Math.max(BEGUN, second / (seconds === null ? second + USUAL_SECONDS : Math.max(seconds, second))),
    );
  };
  try {
    for await (const stretch of stretchesOf(speechSound(sound), detector, heard)) {
      const said = await language.transcribe(stretch);
      if (said === null) continue;
      entries.push(...entriesOf(stretch, said.pieces, said.language));
      if (entries.length > limits.maxCues) throw content.unreadable(`it has more than ${limits.maxCues} cues`);
    }
    language.end();
    const numbered = entries.map((entry, index) => ({ id: index + 1, ...entry }));
    return { entries: numbered, language: entries.length > 0 ? language.tag : null };
  } finally {
    await Promise.all([detector.close(), language.close()]);
  }
}
