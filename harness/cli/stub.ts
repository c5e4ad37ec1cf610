import { withoutComments } from '../workbook/sources.ts';

/** One function that is still to be written. */
interface Todo {
  /** `DeltaFIFO.pop` */
  readonly symbol: string;
  /** The README heading to read, `Level 2`; empty where the stub does not say. */
  readonly heading: string;
}

/**
 * What a stub's text says is still to be written, in order. A call in a comment does not count.
 *
 * Nothing is run: a function without `todo` may still be wrong, and only the tests know.
 *
 * The file that a learner edits, and how much of it is written.
 */
export function todosIn(text: string): readonly Todo[] {
  return [...withoutComments(text).matchAll(/\btodo\(([^)]*)\)/g)].map(([, list = '']) => {
    // The first argument, the kata, may be a constant.
    const [heading = '', symbol = ''] = [...list.matchAll(/'([^']*)'/g)]
      .map(([, text = '']) => text)
      .reverse();
    return { symbol, heading };
  });
}

/** How far a stub is written. */
export interface Progress {
  readonly state: 'to do' | 'started' | 'done';
  /** Functions still to be written. */
  readonly left: number;
  /** Functions to be written in all, as far as that is known: never fewer than `left`. */
  readonly total: number;
}

/** @param pristine what the stub was before anything was written; absent when it is not known */
export function progressOf(text: string, pristine?: string): Progress {
  const left = todosIn(text).length;
  const total = Math.max(left, pristine === undefined ? 0 : todosIn(pristine).length);
  return { state: left === 0 ? 'done' : left < total ? 'started' : 'to do', left, total };
}
