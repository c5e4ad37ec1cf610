import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Subject } from '../protocol/details.ts';
import type { RunService } from '../protocol/run-service.ts';
import { emptyRun, type RunState, RunStore } from './store.ts';

/** What every part of the page may use. */
export interface Page {
  readonly service: RunService;
  readonly store: RunStore;
  /** Shows a subject in the panel beside the picture; undefined closes it. */
  readonly select: (subject: Subject | undefined) => void;
  /** Opens the menu of actions for a subject at a box. */
  readonly openMenu: (subject: Subject, at: DOMRect) => void;
  /** Plays in slow motion until what happens now has happened, then at speed 1. */
  readonly playSlowly: () => void;
  /** Opens a drawer, such as `prompt`. */
  readonly openDrawer: (id: string) => void;
  /** Reports an error of a call to the service to the reader. */
  readonly report: (error: unknown) => void;
}

const nothing = (): void => {};

export const PageContext = createContext<Page>({
  service: {} as RunService,
  store: new RunStore(),
  select: nothing,
  openMenu: nothing,
  playSlowly: nothing,
  openDrawer: nothing,
  report: nothing,
});

/** Returns the page. */
export const usePage = (): Page => useContext(PageContext);

/**
 * Returns a part of the state of the run, and draws the component again when that part is another value.
 *
 * @param select a pure function that makes no new objects
 */
export function useRun<T>(select: (state: RunState) => T): T {
  const { store } = usePage();
  const [, redraw] = useState(0);
  const latest = useRef<T>(select(emptyRun));
  latest.current = select(store.state);
  const reader = useRef(select);
  reader.current = select;
  useLayoutEffect(() => {
    const check = () => {
      if (!Object.is(reader.current(store.state), latest.current)) redraw((count) => count + 1);
    };
    check();
    return store.subscribe(check);
  }, [store]);
  return latest.current;
}
