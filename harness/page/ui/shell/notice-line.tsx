import { useEffect, useState } from 'preact/hooks';
import type { Notices } from '../notices.ts';
import { texts } from '../texts.ts';

/** Shows the present notice above the page. */
export function NoticeLine({ notices }: { readonly notices: Notices }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const draw = () => redraw((count) => count + 1);
    // A notice may have come before this effect: a damaged address is one.
    draw();
    return notices.subscribe(draw);
  }, [notices]);
  const { present } = notices;
  if (!present) return null;
  return (
    <div class={`notice${present.isError ? ' is-error' : ''}`} role={present.isError ? 'alert' : 'status'}>
      <span>{present.text}</span>
      <button type="button" class="link" onClick={() => notices.show(undefined)}>
        {texts.drawer.close}
      </button>
    </div>
  );
}
