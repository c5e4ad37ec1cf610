import { useLayoutEffect } from 'preact/hooks';

/** The keys that move the focus within a list: to the next and to the previous item. */
const moves: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/**
 * Makes a list of buttons one tab stop: arrow keys, Home and End move within it. The buttons are drawn with
 * `tabIndex={-1}`; the one that had the focus last has the tab stop.
 *
 * @param list the element around the buttons
 * @param first which button has the tab stop before any had the focus
 */
export function useRoving(
  list: { readonly current: HTMLElement | null },
  first: 'first' | 'last',
): { readonly onKeyDown: (event: KeyboardEvent) => void; readonly onFocusIn: (event: FocusEvent) => void } {
  const items = (): readonly HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('button') ?? []),
  ];

  useLayoutEffect(() => {
    const all = items();
    if (all.some(({ tabIndex }) => tabIndex === 0)) return;
    all.at(first === 'first' ? 0 : -1)?.setAttribute('tabindex', '0');
  });

  return {
    onKeyDown: (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const all = items();
      const at = all.indexOf(event.target as HTMLElement);
      const move = moves[event.key];
      const to = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : move && at + move;
      const next = to === undefined ? undefined : all[to];
      if (at < 0 || !next) return;
      event.preventDefault();
      next.focus();
    },
    onFocusIn: ({ target }) => {
      for (const one of items()) one.setAttribute('tabindex', one === target ? '0' : '-1');
    },
  };
}
