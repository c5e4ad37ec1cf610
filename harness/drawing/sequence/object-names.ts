/**
 * Relations between objects by their names, as in a trace: `pods/default/web-5d7-abcde`. Controllers generate the name
 * of a dependent from the name of its owner. A trace has no owner references.
 */

/** The kinds that can own an object of a kind. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  replicasets: ['deployments'],
  pods: ['replicasets', 'statefulsets', 'daemonsets', 'jobs', 'replicationcontrollers'],
  jobs: ['cronjobs'],
  controllerrevisions: ['statefulsets', 'daemonsets'],
  endpointslices: ['services'],
};

/** The parts of an object's name in a trace. */
interface NamedObject {
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the object without its subresource: `pods/default/web` for `pods/default/web/binding`. */
export function withoutSubresource(object: string): string {
  return object.split('/').slice(0, 3).join('/');
}

/** Returns the resource: `pods` for `pods/default/web`. */
export function pluralOf(object: string): string {
  return object.split('/', 1)[0] ?? '';
}

/** Returns the object if it is a pod, and undefined otherwise. */
export function podIn(object: string | undefined): string | undefined {
  return object?.startsWith('pods/') ? object : undefined;
}

function parse(object: string): NamedObject | undefined {
  const [plural = '', namespace = '', name] = object.split('/');
  return name === undefined ? undefined : { plural, namespace, name };
}

/** Returns the objects that can own this one by its name. */
function ownersOf(object: string): readonly string[] {
  const named = parse(object);
  const end = named?.name.lastIndexOf('-') ?? -1;
  if (!named || end < 0) return [];
  const key = `${named.namespace}/${named.name.slice(0, end)}`;
  return (OWNERS[named.plural] ?? []).map((plural) => `${plural}/${key}`);
}

/** Returns whether `owner` owns the object directly. */
export function isOwner(owner: string, object: string): boolean {
  return ownersOf(object).includes(owner);
}

function isAncestor(ancestor: string, object: string): boolean {
  return ownersOf(object).some((one) => one === ancestor || isAncestor(ancestor, one));
}

/** Returns whether both are the same object, or one owns the other, directly or not. */
export function isRelative(one: string, other: string): boolean {
  return one === other || isAncestor(one, other) || isAncestor(other, one);
}

/** Returns whether both have the same owner, by their names. */
export function areSiblings(one: string, other: string): boolean {
  const owners = ownersOf(other);
  return ownersOf(one).some((owner) => owners.includes(owner));
}
