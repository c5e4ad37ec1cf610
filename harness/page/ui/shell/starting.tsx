import { useRun } from '../page-context.ts';
import { texts } from '../texts.ts';

/** What the page says before the cluster stands, and when its run cannot go on. */
export function Starting({ onRestart }: { readonly onRestart: () => void }) {
  const phase = useRun(({ phase }) => phase);
  const hasView = useRun(({ view }) => view !== undefined);
  const progress = useRun(({ progress }) => Math.round(100 * (progress ?? 0)));
  const error = useRun(({ error }) => error);
  if (phase === 'broken') {
    return (
      <div class="starting is-broken" role="alert">
        <p class="starting-title">{texts.start.broken}</p>
        <pre>{error}</pre>
        <button type="button" class="link" onClick={onRestart}>
          {texts.start.restart}
        </button>
      </div>
    );
  }
  if (hasView) return null;
  return (
    <div class="starting" role="status">
      <p class="starting-title">{texts.start.title}</p>
      <progress max={100} value={progress} />
      <p>{texts.start.detail}</p>
    </div>
  );
}
