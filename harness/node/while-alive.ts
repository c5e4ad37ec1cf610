/**
 * Wraps a port for a process that may die: after its end, a call has no effect and never returns.
 *
 * @param isAlive - checked at each call
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
