import { type KeyEvent, type KeyRange, type KeyValue, prefixRange } from '#given/12-store';
import { NotImplemented } from '#harness';
import { type Change, Keyspace } from '#kata/12-store/store';

/** A key with its value, in a table of etcd's behavior. */
interface Row {
  readonly value: string;
  readonly create: number;
  readonly mod: number;
  readonly version: number;
}

/** A step of a row of etcd's behavior. */
export interface Step {
  readonly put?: string;
  readonly value?: string;
  readonly lease?: string;
  readonly delete?: string;
  readonly range?: string;
  readonly limit?: number;
  readonly revision?: number;
  readonly compact?: number;
  readonly watch?: string;
  readonly txn?: {
    readonly if: readonly { readonly key: string; readonly mod: number }[];
    readonly then: readonly Step[];
    readonly else: readonly (Step & { readonly get?: string })[];
  };
  readonly grant?: string;
  readonly ttl?: number;
  readonly revoke?: string;
}

/** The steps of a row. */
export interface Steps {
  readonly steps: readonly Step[];
}

/** The expected state of a store after the steps of a row, and the answer to the last one. */
export interface Expected {
  readonly revision?: number;
  readonly kv?: Readonly<Record<string, Row>>;
  readonly error?: string;
  readonly succeeded?: boolean;
  readonly got?: Readonly<Record<string, Row>>;
  readonly keys?: readonly string[];
  readonly values?: readonly string[];
  readonly count?: number;
  readonly more?: boolean;
}

/** Returns a keyspace after some writes, each with its own revision: `a=1` puts a key, and `-a` deletes it. */
export function keyspace(...writes: readonly string[]): Keyspace {
  const space = new Keyspace();
  for (const write of writes) space.write(changesOf(write));
  return space;
}

/** Returns the changes in a text, with one revision: `a=1 b=2 -c`. */
export function changesOf(text: string): readonly Change[] {
  return text.split(' ').map((word) => {
    if (word.startsWith('-')) return { key: word.slice(1) };
    const [key = '', value = ''] = word.split('=');
    return { key, value };
  });
}

/** Returns the state of keys in the words of the table. */
export const rowsOf = (kvs: readonly KeyValue[]): Readonly<Record<string, Row>> =>
  Object.fromEntries(
    kvs.map(({ key, value, createRevision: create, modRevision: mod, version }) => [
      key,
      { value, create, mod, version },
    ]),
  );

/** Returns keys with the revisions of their last writes: `a@3`. */
export const atRevisions = (kvs: readonly KeyValue[]): string =>
  kvs.map(({ key, modRevision }) => `${key}@${modRevision}`).join(' ');

/** Returns events in short: `put a=2 @3 before 1`, `delete a @4 before 2`. */
export const eventsIn = (events: readonly KeyEvent[]): readonly string[] =>
  events.map(({ type, kv, previous }) => {
    const what = type === 'PUT' ? `put ${kv.key}=${kv.value}` : `delete ${kv.key}`;
    return `${what} @${kv.modRevision}${previous ? ` before ${previous.value}` : ''}`;
  });

/** Returns the range of a key in a table: a key that ends in a slash is a prefix. */
export const rangeOf = (key: string): KeyRange => (key.endsWith('/') ? prefixRange(key) : { key });

/** Performs the steps of a row on a keyspace, and returns the answer to the last one. */
export function perform({ steps }: Steps): { readonly space: Keyspace; readonly answer: Expected } {
  const space = new Keyspace();
  // It changes nothing. So a row without steps, too, is about written code.
  space.write([]);
  let answer: Expected = {};
  for (const step of steps) answer = outcome(() => performOne(space, step));
  return { space, answer };
}

function performOne(space: Keyspace, step: Step): Expected {
  if (step.put !== undefined) space.write([{ key: step.put, value: step.value ?? '' }]);
  else if (step.delete !== undefined) space.write([{ key: step.delete }]);
  else if (step.compact !== undefined) space.compact(step.compact);
  else if (step.range !== undefined) {
    const { limit, revision } = step;
    const { kvs, count, more } = space.range({
      ...rangeOf(step.range),
      ...(limit && { limit }),
      ...(revision && { revision }),
    });
    return { keys: kvs.map(({ key }) => key), values: kvs.map(({ value }) => value), count, more };
  } else if (step.txn) {
    const { succeeded, results } = space.transact({
      compare: step.txn.if.map(({ key, mod }) => ({ key, target: 'modRevision', is: '=', to: mod })),
      then: step.txn.then.map(({ put: key = '', value = '' }) => ({ put: { key, value } })),
      otherwise: step.txn.else.map(({ get: key = '' }) => ({ range: { key } })),
    });
    const [first] = results;
    return { succeeded, ...(first && 'range' in first && { got: rowsOf(first.range.kvs) }) };
  }
  return {};
}

function outcome(act: () => Expected): Expected {
  try {
    return act();
  } catch (error) {
    return { error: errorOf(error) };
  }
}

/** Returns the message of an error; rethrows that of a function that is not implemented yet. */
export function errorOf(error: unknown): string {
  if (error instanceof NotImplemented) throw error;
  return (error as Error).message;
}

/** Returns the message that a call throws. */
export function thrownBy(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return errorOf(error);
  }
  return 'did not throw';
}

/** Compares a store after a row with the expected state, field by field. */
export function stateOf({ space, answer }: ReturnType<typeof perform>, expected: Expected): Expected {
  const state: Expected = { ...answer, revision: space.revision, kv: rowsOf(space.present.all()) };
  return Object.fromEntries(Object.keys(expected).map((field) => [field, state[field as keyof Expected]]));
}
