import { useRun } from '../page-context.ts';
import { texts } from '../texts.ts';
import { formatShort } from './format-time.ts';

/** Properties of the note. */
interface PastNoteProps {
  /** The time at the right end of the time line. */
  readonly toMs: number;
  readonly onEnd: () => void;
}

/** Says that the page shows the past, and leads back to the end. It stands away from the present on the time line. */
export function PastNote({ toMs, onEnd }: PastNoteProps) {
  const beforeMs = useRun(({ nowMs, endMs, phase }) => (phase === 'starting' ? 0 : rounded(endMs - nowMs)));
  const isLeft = useRun(({ nowMs }) => nowMs > 0.5 * toMs);
  if (beforeMs < 1) return null;
  return (
    <p class={`past-note ${isLeft ? 'is-left' : 'is-right'}`}>
      {texts.time.past(formatShort(beforeMs))}{' '}
      <button type="button" class="link" onClick={onEnd}>
        {texts.time.toEnd} <kbd>End</kbd>
      </button>
    </p>
  );
}

/** Above a second, tenths are enough for a reader. */
const rounded = (ms: number): number => (ms < 1000 ? Math.floor(ms) : Math.floor(ms / 100) * 100);
