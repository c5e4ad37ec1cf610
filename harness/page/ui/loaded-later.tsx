import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from './page-context.ts';
import { texts } from './texts.ts';

/** Returns a component whose code is loaded when it is drawn for the first time. */
export function loadedLater(load: () => Promise<FunctionComponent>): FunctionComponent {
  let known: FunctionComponent | undefined;
  return function LoadedLater() {
    const { report } = usePage();
    const [Loaded, setLoaded] = useState(() => known);
    useEffect(() => {
      load().then((component) => {
        known = component;
        setLoaded(() => component);
      }, report);
    }, [report]);
    return Loaded ? <Loaded /> : <p class="empty">{texts.loading}</p>;
  };
}
