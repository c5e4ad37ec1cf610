/**
 * The same port, for something that may die: what it calls after its end does nothing, and never answers.
 *
 * @param isAlive asked at each call
 */
export function whileAlive<P extends object>(port: P, isAlive: () => boolean): P {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => (isAlive() ? value.apply(target, args) : new Promise(() => {}));
    },
  });
}
