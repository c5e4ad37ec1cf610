import type { Line } from './line.ts';

/** Only what answers with promises can be at the other end of a line. */
type Remote<P> = {
  [K in keyof P]: P[K] extends (...args: never[]) => Promise<unknown> ? P[K] : never;
};

/** How the calls of a port appear in traces and to faults. */
interface ThroughLineOptions {
  /** Under which faults and traces know the port: `cri`, `cni`. */
  readonly port: string;
  /** The methods that change nothing over there. @defaultValue none: all of them may */
  readonly reads?: readonly string[];
  /** What a call is about, for the trace. @defaultValue its first argument, if that is a text */
  readonly objectOf?: (method: string, args: readonly unknown[]) => string;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * A port as an actor sees it: every method of `remote` becomes a call over `line`, which takes time, can fail before
 * or after its effect, and is in the trace. What an actor that died still calls has no effect.
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
