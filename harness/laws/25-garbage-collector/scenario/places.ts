import type { KubeObject, New } from '../../../api/objects.ts';
import { configMaps, leases, nodes, priorityClasses, type Resource } from '../../../api/resource.ts';

/** A place for an object. There are few, so that objects collide; some differ only in kind or namespace. */
export interface Place {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
  /** The required fields of an object of this kind. */
  readonly rest?: Omit<New<KubeObject>, 'metadata'> & object;
}

const places = {
  'configmap a/x': { resource: configMaps, namespace: 'a', name: 'x' },
  'configmap a/y': { resource: configMaps, namespace: 'a', name: 'y' },
  'configmap b/x': { resource: configMaps, namespace: 'b', name: 'x' },
  'configmap b/y': { resource: configMaps, namespace: 'b', name: 'y' },
  'lease a/x': { resource: leases, namespace: 'a', name: 'x', rest: { spec: {} } as object },
  'lease a/y': { resource: leases, namespace: 'a', name: 'y', rest: { spec: {} } as object },
  'lease b/z': { resource: leases, namespace: 'b', name: 'z', rest: { spec: {} } as object },
  'priorityclass x': { resource: priorityClasses, name: 'x', rest: { value: 1 } as object },
  'node n': { resource: nodes, name: 'n', rest: { spec: {} } as object },
} satisfies Record<string, Place>;

/** The name of a place: one of a few keys for created and deleted objects. */
export type PlaceName = keyof typeof places;

/** The names of all places, as users refer to them. */
export const placeNames = Object.keys(places) as readonly PlaceName[];

/** Returns the resource and the key of a place. */
export function placeOf(name: PlaceName): Place {
  return places[name];
}

/** Returns the key of an object at this place. */
export function keyAt({ namespace, name }: Place): { namespace?: string; name: string } {
  return namespace ? { namespace, name } : { name };
}
