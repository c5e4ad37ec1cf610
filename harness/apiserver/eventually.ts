/** A value that may not be ready yet. Without admission, and on a storage in this process, every verb is ready at once. */
export type Eventually<T> = T | Promise<T>;

/** Calls `next` with the value once it is ready: at once if it is ready already. */
export function afterwards<T, R>(value: Eventually<T>, next: (value: T) => R): Eventually<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
