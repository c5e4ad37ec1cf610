import { useEffect, useState } from 'preact/hooks';
import type { Happening } from '../../protocol/run-service.ts';
import { usePage, useRun } from '../page-context.ts';
import { texts } from '../texts.ts';
import { formatTime } from './format-time.ts';

/** "What happened here": the acts of the components around the present, in sentences. */
export function Happenings() {
  const { service, select, report } = usePage();
  const isPlaying = useRun(({ phase }) => phase === 'playing');
  // While the run plays, once a virtual second is enough for a reader.
  const nowMs = useRun((state) => (isPlaying ? Math.floor(state.nowMs / 1000) * 1000 : state.nowMs));
  const [found, setFound] = useState<readonly Happening[]>([]);
  useEffect(() => {
    let isLate = false;
    service.around(nowMs).then((happenings) => {
      if (!isLate) setFound(happenings);
    }, report);
    return () => {
      isLate = true;
    };
  }, [service, nowMs, report]);
  return (
    <div class="happenings">
      <p class="happenings-title">{texts.drawer.aroundAt(formatTime(nowMs))}</p>
      {!found.some(({ isBefore }) => !isBefore) && (
        <p class="empty">{found.length === 0 ? texts.drawer.aroundEmpty : texts.drawer.aroundBefore}</p>
      )}
      <ol>
        {found.map(({ atMs, who, text, message }, index) => (
          <li key={`${atMs} ${index}`}>
            <time>{formatTime(atMs, true)}</time>
            <span class="happening-who">{who}</span>
            {message === undefined ? (
              <span>{text}</span>
            ) : (
              <button type="button" class="link" onClick={() => select({ kind: 'message', id: message })}>
                {text}
              </button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
