import { useEffect, useState } from 'preact/hooks';
import type { ScriptPlace } from '../protocol/own.ts';
import { sourcePlace } from './script-place.ts';

/** The place in the learner's file that belongs to a place in the script that the browser runs. */
export function SourcePlace({ place: { url, line, column } }: { readonly place: ScriptPlace }) {
  const [text, setText] = useState<string>();
  useEffect(() => {
    let isLate = false;
    void sourcePlace({ url, line, column }).then((found) => {
      if (!isLate) setText(found);
    });
    return () => {
      isLate = true;
    };
  }, [url, line, column]);
  return text === undefined ? null : <code> {text}</code>;
}
