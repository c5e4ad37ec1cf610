import { type Applied, type ApplyOptions, type Step, stepOf } from '#given/11-apply';
import { type Client, errors, type KubeObject, type StatusError } from '#harness';
import { configMap, liveOf, targetOf } from './objects.fixture.ts';

/** The answers of a server, in their order. The last answer of a list repeats. */
export interface Script {
  /** To each GET: data of the object, or its absence (404) or another error. @defaultValue the data of {@link LIVE} */
  readonly gets?: readonly (Record<string, string> | number)[];
  /** To each PATCH. @defaultValue 200 */
  readonly patches?: readonly number[];
  /** To each POST. @defaultValue 201 */
  readonly creates?: readonly number[];
  /** To each DELETE. @defaultValue 200 */
  readonly deletes?: readonly number[];
  readonly options?: Partial<ApplyOptions>;
  /** The metadata of the live object, beside its name. */
  readonly metadata?: object;
}

/** The data of the live object of a test, and of its last applied configuration. */
export const LIVE: Readonly<Record<string, string>> = { a: '1' };

/** A request that the server received. */
export interface Received {
  readonly verb: 'get' | 'create' | 'patch' | 'delete';
  readonly atMs: number;
  readonly body?: unknown;
  readonly options?: unknown;
}

/** No correct apply of one object sends more requests: a loop without an end fails, instead of hanging. */
const MAX_REQUESTS = 200;

/** A server with a script, and an apply of the ConfigMap `web` with the data `{ a: '2' }`. */
export async function serverWith(script: Script = {}): Promise<{
  readonly step: Step;
  readonly live: KubeObject;
  readonly requests: readonly Received[];
  readonly warnings: readonly string[];
  readonly sleeps: readonly number[];
}> {
  const requests: Received[] = [];
  const sleeps: number[] = [];
  const warnings: string[] = [];
  let nowMs = 0;
  const counts = new Map<string, number>();
  const answerOf = <T>(verb: string, answers: readonly T[]): T => {
    const count = counts.get(verb) ?? 0;
    counts.set(verb, count + 1);
    return answers[Math.min(count, answers.length - 1)] as T;
  };
  const receive = (verb: Received['verb'], body?: unknown, options?: unknown): void => {
    requests.push({
      verb,
      atMs: nowMs,
      ...(body !== undefined && { body }),
      ...(options !== undefined && { options }),
    });
    if (requests.length > MAX_REQUESTS) throw new Error(`It has sent ${MAX_REQUESTS} requests, and goes on.`);
  };
  const client = {
    get: async () => {
      receive('get');
      const answer = answerOf('get', script.gets ?? [LIVE]);
      if (typeof answer === 'number') throw refusal(answer);
      return liveWith(answer, script.metadata);
    },
    create: async (_: unknown, object: object, options: unknown) => {
      receive('create', object, options);
      const code = answerOf('create', script.creates ?? [201]);
      if (code === 409) throw errors.alreadyExists(RESOURCE, 'web');
      succeed(code);
      return object as KubeObject;
    },
    patch: async (_: unknown, __: unknown, patch: { body: object }, options: unknown) => {
      receive('patch', patch.body, options);
      succeed(answerOf('patch', script.patches ?? [200]));
      return liveWith({ a: '2' }, script.metadata);
    },
    delete: async (_: unknown, __: unknown, options: unknown) => {
      receive('delete', undefined, options);
      succeed(answerOf('delete', script.deletes ?? [200]));
    },
  } as unknown as Client;
  const clock = {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      sleeps.push(ms);
      nowMs += ms;
    },
    after: (ms: number, callback: () => void) => {
      sleeps.push(ms);
      nowMs += ms;
      callback();
      return () => {};
    },
  };
  const options = { namespace: { name: 'default', required: false }, ...script.options };
  const target = await targetOf(configMap({ a: '2' }));
  const context = { client, clock, mappingOf: async () => target.mapping };
  const step = stepOf(context, target, options, (warning) => warnings.push(warning));
  return { step, live: liveWith(LIVE, script.metadata), requests, warnings, sleeps };
}

/** The annotation of the ConfigMap `web` with this data. */
export const textWith = (data: Record<string, string>): string =>
  `{"apiVersion":"v1","data":${JSON.stringify(data)},"kind":"ConfigMap","metadata":{"annotations":{},"name":"web","namespace":"default"}}\n`;

/** The object on the server, which has been applied with this data. */
export function liveWith(data: Record<string, string>, metadata: object = {}): KubeObject {
  return liveOf(configMap(data), textWith(data), metadata);
}

const RESOURCE = { group: '', plural: 'configmaps' };

function succeed(code: number): void {
  if (code >= 300) throw refusal(code);
}

/** The refusal of a request, by its code. */
function refusal(code: number): StatusError {
  switch (code) {
    case 404:
      return errors.notFound(RESOURCE, 'web');
    case 409:
      return errors.conflict(RESOURCE, 'web', 'the object has been modified');
    case 403:
      return errors.forbidden(RESOURCE, 'web', 'no');
    case 422:
      return errors.invalid({ group: '', kind: 'ConfigMap' }, 'web', [
        { reason: 'FieldValueInvalid', message: 'no' },
      ]);
    case 500:
      return errors.internal('no');
    default:
      throw new Error(`no refusal with code ${code}`);
  }
}

export const verbsOf = (requests: readonly Received[]): readonly string[] => requests.map(({ verb }) => verb);

export const outcomeOf = (applying: Promise<Pick<Applied, 'outcome'>>): Promise<string> =>
  applying.then(
    ({ outcome }) => outcome,
    (error: Error) => error.message,
  );
