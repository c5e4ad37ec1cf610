import type { Happening } from '../history.ts';

/** Wraps a port so that its calls and answers are recorded. */
export function recorded<P extends object>(
  port: P,
  {
    incarnation,
    number,
    note,
  }: {
    readonly incarnation: number;
    /** Returns a unique number for a call. */
    readonly number: () => number;
    readonly note: (happening: Happening) => void;
  },
): P {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function' || typeof name !== 'string') return method;
      return (...args: readonly unknown[]) => {
        const call = number();
        note({
          kind: 'calls',
          incarnation,
          call,
          verb: name,
          args: args.filter((arg) => !(arg instanceof AbortSignal)),
        });
        const answer = method.apply(target, args) as Promise<unknown>;
        answer.then(
          (result) => note({ kind: 'gets', call, verb: name, args, result }),
          (error: unknown) => note({ kind: 'gets error', call, text: textOf(error) }),
        );
        return answer;
      };
    },
  });
}

/** Formats an error of the runtime as a kubelet does. */
function textOf(error: unknown): string {
  const { code, desc, message } = error as { code?: string; desc?: string; message?: string };
  return code === 'Unknown' && desc !== undefined ? desc : (message ?? String(error));
}
