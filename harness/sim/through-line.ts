import type { Line } from './line.ts';

/** The methods of a port that can be called over a line: all of them must return promises. */
type Remote<P> = {
  [K in keyof P]: P[K] extends (...args: never[]) => Promise<unknown> ? P[K] : never;
};

/** Options of {@link throughLine}. */
interface ThroughLineOptions {
  /** The port's name in faults and traces: `cri`, `cni`. */
  readonly port: string;
  /** The methods that change no state at the other end. @defaultValue none: any method may */
  readonly reads?: readonly string[];
  /** Returns the subject of a call, for the trace. @defaultValue its first argument, if that is a string */
  readonly objectOf?: (method: string, args: readonly unknown[]) => string;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Wraps a port for an actor. Every method of `remote` becomes a call over `line`: it takes time, can fail before or
 * after its effect, and appears in the trace. Calls of a crashed actor have no effect.
 *
 * An `AbortSignal` among a call's arguments also ends the wait for its answer.
 */
export function throughLine<P extends Remote<P>>(remote: P, line: Line, options: ThroughLineOptions): P {
  const { port, reads = [], objectOf = firstText } = options;
  const call =
    (verb: string, method: Method): Method =>
    (...args) =>
      line.call({
        port,
        verb,
        object: objectOf(verb, args),
        mutates: !reads.includes(verb),
        perform: () => method.apply(remote, args),
        signal: args.find((arg) => arg instanceof AbortSignal),
      });
  return new Proxy(remote, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      return typeof name === 'string' && typeof value === 'function' ? call(name, value as Method) : value;
    },
  });
}

function firstText(_: string, [first]: readonly unknown[]): string {
  return typeof first === 'string' ? first : '';
}
