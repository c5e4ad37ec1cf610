import { useState } from 'preact/hooks';
import { usePage } from '../page-context.ts';
import type { Drawer } from '../panels.ts';
import { texts } from '../texts.ts';

/** Properties of the drawers. */
export interface DrawersProps {
  readonly drawers: readonly Drawer[];
  /** The id of the open drawer; undefined if all are closed. */
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

/** The drawers at the bottom: a line of tabs, and the content of the open one. */
export function Drawers({ drawers, open, onOpen }: DrawersProps) {
  const { service, select } = usePage();
  const [isTall, setTall] = useState(false);
  const current = drawers.find(({ id }) => id === open);
  return (
    <section class={`drawers${current ? ' is-open' : ''}`} aria-label={texts.regions.console}>
      <h2 class="sr-only">{texts.regions.console}</h2>
      <div class="drawer-tabs">
        {drawers.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            class="drawer-tab"
            aria-expanded={id === open}
            aria-controls="drawer"
            onClick={() => onOpen(id === open ? undefined : id)}
          >
            {title}
          </button>
        ))}
        {current && (
          <span class="drawer-tools">
            <button type="button" class="link" aria-pressed={isTall} onClick={() => setTall(!isTall)}>
              {isTall ? texts.drawer.lower : texts.drawer.taller}
            </button>
            <button type="button" class="link" onClick={() => onOpen(undefined)}>
              {texts.drawer.close}
            </button>
          </span>
        )}
      </div>
      {current && (
        <div id="drawer" class={`drawer${isTall ? ' is-tall' : ''}`}>
          {current.draw({ service, onSubject: select })}
        </div>
      )}
    </section>
  );
}
