import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../page-context.ts';

/** The most moments that one announcement reads. */
const READ_MAX = 3;

/** Reads new moments to a screen reader while the run is paused or slow; a fast run would never stop talking. */
export function LiveRegion({ isSlow }: { readonly isSlow: boolean }) {
  const { store } = usePage();
  const [text, setText] = useState('');
  const known = useRef(0);
  useEffect(
    () =>
      store.subscribe(() => {
        const { moments, phase } = store.state;
        const fresh = moments.slice(Math.min(known.current, moments.length));
        known.current = moments.length;
        if (fresh.length === 0 || (phase === 'playing' && !isSlow) || phase === 'seeking') return;
        setText(
          fresh
            .slice(-READ_MAX)
            .map((moment) => moment.text)
            .join('. '),
        );
      }),
    [store, isSlow],
  );
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {text}
    </div>
  );
}
