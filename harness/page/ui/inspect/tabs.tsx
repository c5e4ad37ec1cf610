import type { ComponentChild } from 'preact';
import { useId, useRef } from 'preact/hooks';

/** One tab and its content. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** A number beside the title. */
  readonly count?: number;
  readonly draw: () => ComponentChild;
}

/** Properties of {@link Tabs}. */
interface TabsProps {
  readonly tabs: readonly Tab[];
  /** The open tab. @defaultValue the first one */
  readonly open: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** Tabs: the arrow keys go from tab to tab, and Tab goes into the content. */
export function Tabs({ tabs, open, onOpen }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ id }) => id === open) ?? tabs[0];
  if (!current) return null;
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    if (!next) return;
    onOpen(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div class="inspect-tabs" role="tablist" ref={list} onKeyDown={move}>
        {tabs.map(({ id, title, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            data-tab={id}
            aria-selected={id === current.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => onOpen(id)}
          >
            {title}
            {count !== undefined && count > 0 && <span class="inspect-count"> {count}</span>}
          </button>
        ))}
      </div>
      <div
        class="inspect-panel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${current.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel scrolls, so the keyboard must reach it
        tabIndex={0}
      >
        {current.draw()}
      </div>
    </>
  );
}
