import type { Client } from '../../contracts/client.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { pluralOf, withoutSubresource } from './object-names.ts';

/** Every verb of a {@link Client}, and whether it writes. The compiler checks that none is missing. */
const WRITES: Readonly<Record<keyof Client, boolean>> = {
  get: false,
  list: false,
  watch: false,
  getScale: false,
  create: true,
  update: true,
  updateStatus: true,
  patch: true,
  delete: true,
  deleteCollection: true,
  bind: true,
  evict: true,
  updateEphemeralContainers: true,
  updateApproval: true,
  createToken: true,
  finalize: true,
  updateScale: true,
};

/** Returns whether the verb is a request that writes. */
export function isWrite(verb: string): boolean {
  return Object.hasOwn(WRITES, verb) && WRITES[verb as keyof Client];
}

/** The requests that only read. A watch is not among them: its events are drawn instead. */
export const READS: ReadonlySet<string> = new Set(['get', 'list', 'getScale']);

/** Kinds that components write all the time, or that repeat another kind: EndpointSlices replace Endpoints. */
const BACKGROUND: ReadonlySet<string> = new Set(['leases', 'nodes', 'events', 'endpoints']);

/** The namespaces of the cluster's own objects. */
const SYSTEM: ReadonlySet<string> = new Set(['kube-system', 'kube-node-lease', 'kube-public']);

/** Returns whether an object belongs to the cluster itself, unless its namespace is among `shown`. */
export function isBackground(object: string, shown: readonly string[]): boolean {
  const [plural = '', namespace = '', name] = object.split('/');
  if (BACKGROUND.has(plural)) return true;
  const isNamespaced = name !== undefined || SYSTEM.has(namespace);
  return isNamespaced && SYSTEM.has(namespace) && !shown.includes(namespace);
}

/** The end of a name that the server completes. */
const GENERATED = '…';

/**
 * Returns a function that names the object of a request or an event, without its subresource. The entry of a create
 * request has no generated name, so the name comes from an event of the same revision.
 */
export function objectNamer(trace: readonly TraceEntry[]): (entry: TraceEntry) => string | undefined {
  const created = new Map<string, string>();
  for (const { verb, object, revision } of trace)
    if (verb === 'ADDED' && object !== undefined) created.set(`${pluralOf(object)} ${revision}`, object);
  return ({ verb, object, revision }) => {
    const isObject = Object.hasOwn(WRITES, verb) || /^[A-Z]+$|^explain$|^cut$/.test(verb);
    if (object === undefined || !isObject) return undefined;
    const complete = object.endsWith(GENERATED)
      ? (created.get(`${pluralOf(object)} ${revision}`) ?? object)
      : object;
    return withoutSubresource(complete);
  };
}
