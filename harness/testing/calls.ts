import type { Status } from '../contracts/framework/index.ts';

/** A call of the code under test, by a law about pure decisions. */
export interface Call {
  /** The called object, such as a plugin; for a function by itself, its name. */
  readonly actor: string;
  /** `filter node-1` */
  readonly what: string;
  /** The returned value, or the thrown error. Absent while the call runs. */
  readonly answer?: string;
  readonly isError?: boolean;
}

/** A law about large inputs makes thousands of calls: no reader needs more. */
const CALLS_MAX = 2_000;

/** Whether {@link recorded} is on. */
let isOn = false;

/** Records the calls that laws about pure decisions make from now on. A copy of the subject costs time, so nobody else does. */
export function recordCalls(on: boolean): void {
  isOn = on;
}

/**
 * Copies a subject so that each call from outside is recorded, in the order of their starts. Calls within one object stay
 * unrecorded.
 *
 * @returns the subject itself and no calls, unless {@link recordCalls} is on
 */
export function recorded<S>(subject: S): { readonly subject: S; readonly calls: readonly Call[] } {
  if (!isOn) return { subject, calls: [] };
  const record: Recording = { calls: [], copies: new Map() };
  return { subject: copyOf(subject, '', record) as S, calls: record.calls };
}

interface Recording {
  readonly calls: Call[];
  /** An object has one copy, so that laws can compare by identity. */
  readonly copies: Map<object, unknown>;
}

/** Copies arrays and objects whose functions are recorded; returns any other value itself. */
function copyOf(value: unknown, name: string, record: Recording): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof Set)
    return value;
  const known = record.copies.get(value);
  if (known !== undefined) return known;
  const copy = Array.isArray(value)
    ? value.map((each) => copyOf(each, name, record))
    : objectCopy(value, name, record);
  record.copies.set(value, copy);
  return copy;
}

function objectCopy(value: object, name: string, record: Recording): object {
  const own = 'name' in value && typeof value.name === 'string' ? value.name : name;
  const copy: object = Object.create(Object.getPrototypeOf(value));
  for (const key of keysOf(value)) {
    Object.defineProperty(copy, key, {
      enumerable: Object.prototype.propertyIsEnumerable.call(value, key),
      configurable: true,
      // The original object is `this`: private fields exist only there.
      get: () => {
        const field: unknown = Reflect.get(value, key);
        return typeof field === 'function'
          ? (...args: readonly unknown[]) =>
              noted(record.calls, own, key, args, () => field.apply(value, args))
          : copyOf(field, own, record);
      },
    });
  }
  return copy;
}

/** Returns the names of the properties of an object and of its classes. */
function keysOf(value: object): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let at = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const key of Object.getOwnPropertyNames(at)) if (key !== 'constructor') keys.add(key);
  return keys;
}

function noted(
  calls: Call[],
  owner: string,
  method: string,
  args: readonly unknown[],
  run: () => unknown,
): unknown {
  const call: { -readonly [K in keyof Call]: Call[K] } = {
    actor: owner === '' ? method : owner,
    what: [method, ...args.map(nameOf)].filter((word) => word !== '').join(' '),
  };
  if (calls.length < CALLS_MAX) calls.push(call);
  try {
    const answer = run();
    call.answer = cut(described(answer));
    return answer;
  } catch (error) {
    call.answer = cut(`throws ${String(error)}`);
    call.isError = true;
    throw error;
  }
}

/** Names an argument: an object by its name, a list by its names; empty for states and snapshots. */
function nameOf(arg: unknown): string {
  if (typeof arg === 'string' || typeof arg === 'number') return String(arg);
  if (Array.isArray(arg)) return listed(arg.map(nameOf).filter((name) => name !== ''));
  if (typeof arg !== 'object' || arg === null) return '';
  const { name, metadata } = arg as { name?: unknown; metadata?: { name?: unknown } };
  const known = name ?? metadata?.name;
  if (typeof known === 'string') return known;
  return Object.entries(arg)
    .flatMap(([key, value]) => (typeof value === 'number' ? [`${key} ${value}`] : []))
    .join(', ');
}

/** Describes a returned value in one line. */
function described(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : value;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'nothing' : String(value);
  if (value instanceof Map)
    return listed([...value].map(([key, each]) => `${described(key)}: ${described(each)}`));
  if (value instanceof Set || Array.isArray(value)) return listed([...value].map(described));
  if (isStatus(value)) return [value.code, value.reasons.join(', ')].filter(Boolean).join(': ');
  const { name, node, ...fields } = value as Readonly<Record<string, unknown>>;
  const isNode = node !== undefined && typeof name === 'string';
  if (isNode) return name;
  const rest = Object.entries(fields).map(([key, each]) => `${key} ${described(each)}`);
  return [...(typeof name === 'string' ? [name] : []), rest.join(', ')].filter(Boolean).join(' ');
}

function isStatus(value: object): value is Status {
  return 'code' in value && 'reasons' in value && Array.isArray(value.reasons);
}

function listed(items: readonly string[]): string {
  const itemsMax = 12;
  const shown = items.slice(0, itemsMax).join('; ');
  if (items.length === 0) return 'none';
  return items.length > itemsMax ? `${shown}; and ${items.length - itemsMax} more` : shown;
}

/** A longer text fits on no screen. */
const TEXT_MAX = 400;

function cut(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text;
}
