import { withoutComments } from './sources.ts';

/** One function that is still unwritten. */
export interface Todo {
  /** `DeltaFIFO.pop` */
  readonly symbol: string;
  /** The README heading to read: `Level 2`. Empty if the stub does not name one. */
  readonly heading: string;
}

/**
 * Returns the unwritten functions of a stub, in order. A `todo` call in a comment does not count.
 *
 * It runs no code: a function without `todo` may still be wrong, and only the tests show that.
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

/** The progress of a stub. */
export interface Progress {
  readonly state: 'to do' | 'started' | 'done';
  /** Number of unwritten functions. */
  readonly left: number;
  /** Number of functions in the original, if known; never less than `left`. */
  readonly total: number;
}

/**
 * Computes the progress of a stub.
 *
 * @param pristine the original text of the stub; absent if it is not known
 */
export function progressOf(text: string, pristine?: string): Progress {
  const left = todosIn(text).length;
  const total = Math.max(left, pristine === undefined ? 0 : todosIn(pristine).length);
  return { state: left === 0 ? 'done' : left < total ? 'started' : 'to do', left, total };
}
