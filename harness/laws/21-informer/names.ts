import { type ConfigMap, keyOf, keyToString } from '../../api/objects.ts';
import { DeletedFinalStateUnknown } from '../../contracts/informer.ts';
import type { Notification, RequestKind } from './history.ts';
import type { HandlerName } from './scenario.ts';

/** The name of what a handler was told of: of its namespace, too, if that is not `default`. */
export function nameOf(what: Notification): string {
  const object = what.type === 'update' ? what.current : what.object;
  const key = object instanceof DeletedFinalStateUnknown ? object.key : keyToString(keyOf(object));
  return key.replace(/^default\//, '');
}

/** How the timeline names the object of this name: `configmaps/default/a`. */
export function rowName(name: string): string {
  return `configmaps/${name.includes('/') ? '' : 'default/'}${name}`;
}

/** The name of an object, as {@link nameOf} gives it. */
export function nameOfObject(object: ConfigMap): string {
  return keyToString(keyOf(object)).replace(/^default\//, '');
}

/**
 * What a handler was told of: name and version, as far as they are known.
 *
 * How a violation speaks of what a handler was told, and of objects.
 */
export function describe(what: Notification): string {
  const object = what.type === 'update' ? what.current : what.object;
  return object instanceof DeletedFinalStateUnknown
    ? `${nameOf(what)} (final state unknown)`
    : version(object);
}

/** A handler by its name, which may be a word of a sentence: `handler "late"`. */
export function named(handler: HandlerName): string {
  return `handler "${handler}"`;
}

/** How a message names each kind of request. */
export const requestNames: Readonly<Record<RequestKind, string>> = {
  list: 'list',
  page: 'page of a list',
  stream: 'streaming list',
  watch: 'watch',
};

/** `a@7` */
export function version(object: ConfigMap): string {
  return `${nameOfObject(object)}@${object.metadata.resourceVersion}`;
}

/** `a@7, b@9`, or `nothing`. */
export function names(objects: readonly ConfigMap[]): string {
  return objects.length === 0 ? 'nothing' : objects.map(version).toSorted().join(', ');
}

/** `an add`, `an update`, `a delete`. */
export function article(type: Notification['type']): string {
  return type === 'delete' ? 'a delete' : `an ${type}`;
}

/** Was it this very version that the handler was told of? */
export function isAbout(what: Notification, { metadata }: ConfigMap): boolean {
  const object = what.type === 'update' ? what.current : what.object;
  if (object instanceof DeletedFinalStateUnknown) return false;
  return object.metadata.uid === metadata.uid && object.metadata.resourceVersion === metadata.resourceVersion;
}
