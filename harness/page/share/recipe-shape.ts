import { parts } from '../../contracts/components/index.ts';
import { type Fault, faultNames } from '../../faults/fault.ts';
import type { Action } from '../protocol/recipe.ts';

/** Returns why a field's value does not fit; undefined if it fits. */
type Check = (value: unknown) => string | undefined;

type Shape = Readonly<Record<string, Check>>;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'is no text');
const whether: Check = (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false');
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

/** An integer within limits. */
const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `is no integer from ${min} to ${max}`;

const count = integer(0, 1_000_000);
const duration = integer(0, 365 * 86_400_000);

const within =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `is none of ${values.join(', ')}`;

const verb = optional(text);

const faultShapes: { readonly [F in Fault['fault']]: Shape } = {
  lag: { replica: count, forMs: duration },
  'restart-apiserver': { replica: count, forMs: duration },
  compact: {},
  'cut-watches': { process: text },
  'delay-watches': { process: text, forMs: duration, resource: optional(text) },
  'fail-watches': {
    process: text,
    reason: within(['Expired', 'InternalError', 'TooManyRequests', 'Timeout']),
  },
  refuse: {
    process: text,
    reason: within([
      'Conflict',
      'TooManyRequests',
      'InternalError',
      'ServiceUnavailable',
      'Expired',
      'Forbidden',
    ]),
    requests: count,
    verb,
  },
  'time-out': { process: text, performed: whether, verb },
  crash: { process: text, skip: count, performed: whether, restartAfterMs: duration },
  partition: { node: text, forMs: duration },
  'node-death': { node: text },
  'clock-jump': { node: text, byMs: integer(-365 * 86_400_000, 365 * 86_400_000) },
  'fail-call': {
    process: text,
    port: within(['cri', 'cni', 'csi', 'fs', 'tools', 'net']),
    performed: whether,
    verb,
    afterMs: optional(duration),
  },
};

const fault: Check = (value) => {
  const { fault: name } = (value ?? {}) as { readonly fault?: unknown };
  const unknown = within(faultNames)(name);
  return unknown === undefined ? shaped(value, faultShapes[name as Fault['fault']], 'fault') : unknown;
};

const actionShapes: { readonly [D in Action['do']]: Shape } = {
  kubectl: { line: text, manifest: optional(text) },
  type: { into: count, line: optional(text) },
  interrupt: { command: count },
  fault: { fault },
  heal: {},
  kill: { process: text, restartAfterMs: duration },
  'power-on': { node: text },
  'fill-disk': { node: text, percent: integer(0, 100) },
  request: { from: text, url: text },
  use: {
    part: within(Object.keys(parts)),
    version: (value) => (value === 'reference' ? undefined : count(value)),
  },
};

const action: Check = (value) => {
  const { do: name } = (value ?? {}) as { readonly do?: unknown };
  const unknown = within(Object.keys(actionShapes))(name);
  if (unknown !== undefined) return `does something else: ${JSON.stringify(name)}`;
  return shaped(value, { ...actionShapes[name as Action['do']], atMs: duration }, 'do');
};

/** The most nodes of a recipe: a page with more would not respond. */
const NODES_MAX = 500;

/**
 * Returns why a value cannot be a recipe, as a clause; undefined if it can. Only a run shows whether its processes and
 * objects exist.
 */
export function recipeObjection(value: unknown): string | undefined {
  const { seed, nodes, actions } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const head =
    prefixed('its seed', integer(0, Number.MAX_SAFE_INTEGER)(seed)) ??
    prefixed('its number of nodes', integer(1, NODES_MAX)(nodes));
  if (head !== undefined) return head;
  if (!Array.isArray(actions)) return 'it has no list of actions';
  for (const [index, one] of actions.entries()) {
    const why = prefixed(`its action ${index + 1}`, action(one));
    if (why !== undefined) return why;
    if (index > 0 && one.atMs < actions[index - 1].atMs) return `its action ${index + 1} is too early`;
  }
  return undefined;
}

/** Checks the fields of an object. @param tag the field that names its shape */
function shaped(value: unknown, shape: Shape, tag: string): string | undefined {
  const fields = Object.entries(value as object);
  const unknown = fields.find(([name]) => name !== tag && !Object.hasOwn(shape, name));
  if (unknown) return `has an unknown field ${JSON.stringify(unknown[0])}`;
  for (const [name, check] of Object.entries(shape)) {
    const why = check((value as Readonly<Record<string, unknown>>)[name]);
    if (why !== undefined) return `has a field ${name} that ${why}`;
  }
  return undefined;
}

function prefixed(subject: string, why: string | undefined): string | undefined {
  return why === undefined ? undefined : `${subject} ${why}`;
}
