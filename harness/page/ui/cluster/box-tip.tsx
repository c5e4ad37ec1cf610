import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../page-context.ts';
import { subjectOf } from '../subject-key.ts';
import { texts } from '../texts.ts';

/** The least size of a box that has room for the button of its menu, in px. */
const BUTTON_ROOM = { width: 58, height: 19 };

/**
 * The label of the box under the pointer or the focus, and the button that opens its menu. There is one of each for the
 * whole picture; it moves from box to box without drawing any component.
 */
export function BoxTip({ picture }: { readonly picture: { readonly current: HTMLElement | null } }) {
  const { openMenu } = usePage();
  const tip = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const shown = useRef<HTMLElement | undefined>(undefined);

  useEffect(() => {
    const root = picture.current;
    const label = tip.current;
    const opener = button.current;
    if (!root || !label || !opener) return;

    const show = (box: HTMLElement | undefined) => {
      if (shown.current === box) return;
      // The animation, which waits a little, begins again with each box.
      for (const animation of label.getAnimations()) animation.play();
      shown.current = box;
      label.textContent = box?.ariaLabel ?? '';
      const origin = root.getBoundingClientRect();
      const at = box?.getBoundingClientRect();
      opener.hidden =
        !at || !box?.dataset.subject || at.width < BUTTON_ROOM.width || at.height < BUTTON_ROOM.height;
      if (!at || !box) return;
      opener.ariaLabel = texts.menu.open(box.ariaLabel ?? '');
      opener.style.left = `${at.right - origin.left - 22}px`;
      opener.style.top = `${at.top - origin.top + Math.min(3, (at.height - 18) / 2)}px`;
      const size = label.getBoundingClientRect();
      const isLow = at.bottom + size.height + 6 > origin.bottom;
      label.style.left = `${Math.max(4, Math.min(at.left - origin.left, origin.width - size.width - 4))}px`;
      label.style.top = `${isLow ? at.top - origin.top - size.height - 4 : at.bottom - origin.top + 4}px`;
    };
    const over = (event: Event) => {
      const target = event.target as HTMLElement;
      if (target !== opener) show(target.closest<HTMLElement>('.box') ?? undefined);
    };
    const focus = (event: Event) => {
      const target = event.target as HTMLElement;
      if (target.matches(':focus-visible')) over(event);
    };
    const leave = () => show(undefined);
    // The button takes the focus from its box before the press reaches it.
    const blur = (event: FocusEvent) => {
      if (event.relatedTarget !== opener) leave();
    };
    // Whoever presses a box knows it.
    const press = () => {
      label.textContent = '';
    };
    root.addEventListener('pointerover', over);
    root.addEventListener('pointerleave', leave);
    root.addEventListener('pointerdown', press);
    root.addEventListener('focusin', focus);
    root.addEventListener('focusout', blur);
    return () => {
      root.removeEventListener('pointerover', over);
      root.removeEventListener('pointerleave', leave);
      root.removeEventListener('pointerdown', press);
      root.removeEventListener('focusin', focus);
      root.removeEventListener('focusout', blur);
    };
  }, [picture]);

  return (
    <>
      <div class="tip" ref={tip} aria-hidden="true" />
      <button
        type="button"
        class="menu-button"
        ref={button}
        tabIndex={-1}
        hidden
        onClick={() => {
          const subject = subjectOf(shown.current?.dataset.subject ?? '');
          if (subject && shown.current) openMenu(subject, shown.current.getBoundingClientRect());
        }}
      >
        ⋯
      </button>
    </>
  );
}
