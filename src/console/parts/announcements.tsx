/** What has just happened, said to who looks and to who listens. */
import { useEffect, useState } from "preact/hooks";

const SHOWN_FOR = 5000;

let tell: (text: string) => void = () => {};

/** Shows a sentence for a while, and has it read out. */
export function announce(text: string): void {
  tell(text);
}

export function Announcements() {
  const [shown, setShown] = useState({ text: "", round: 0 });
  useEffect(() => {
    tell = (text) => setShown(({ round }) => ({ text, round: round + 1 }));
  }, []);
  useEffect(() => {
    if (shown.text === "") return;
    const timer = setTimeout(() => setShown(({ round }) => ({ text: "", round })), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div class="announcements" role="status" aria-live="polite">
      {shown.text !== "" && (
        <p key={shown.round} dir="auto">
          {shown.text}
        </p>
      )}
    </div>
  );
}
