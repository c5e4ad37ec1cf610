import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import { usePage } from '../page-context.ts';
import type { Panels } from '../panels.ts';

/** Properties of the layer. */
export interface MenuLayerProps {
  readonly Menu: NonNullable<Panels['Menu']>;
  readonly subject: Subject;
  /** The box that the menu belongs to. */
  readonly at: DOMRect;
  readonly onClose: () => void;
}

/** Places the menu of a subject beside its box, inside the window. The focus returns to the box when it closes. */
export function MenuLayer({ Menu, subject, at, onClose }: MenuLayerProps) {
  const { service, select } = usePage();
  const layer = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: at.left, top: at.bottom + 4 });

  useLayoutEffect(() => {
    const box = layer.current?.getBoundingClientRect();
    if (!box) return;
    const below = at.bottom + 4;
    setPlace({
      left: Math.max(8, Math.min(at.left, innerWidth - box.width - 8)),
      top: below + box.height <= innerHeight - 8 ? below : Math.max(8, at.top - box.height - 4),
    });
  }, [at]);

  useEffect(() => {
    const before = document.activeElement;
    layer.current?.querySelector<HTMLElement>('button, input, [tabindex="0"]')?.focus();
    const close = (event: PointerEvent) => {
      if (!layer.current?.contains(event.target as Node)) onClose();
    };
    addEventListener('pointerdown', close);
    return () => {
      removeEventListener('pointerdown', close);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [onClose]);

  return (
    <div class="menu-layer" ref={layer} style={{ left: `${place.left}px`, top: `${place.top}px` }}>
      <Menu subject={subject} service={service} onClose={onClose} onSubject={select} />
    </div>
  );
}
