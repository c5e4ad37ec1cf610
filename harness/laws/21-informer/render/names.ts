import { type ConfigMap, keyOf, keyToString } from '../../../api/objects.ts';
import { DeletedFinalStateUnknown } from '../../../contracts/informer.ts';
import type { Notification, RequestKind } from '../history.ts';
import type { HandlerName } from '../scenario.ts';

/** Returns the name of the object of a notification, with its namespace unless that is `default`. */
export function nameOf(what: Notification): string {
  const object = what.type === 'update' ? what.current : what.object;
  const key = object instanceof DeletedFinalStateUnknown ? object.key : keyToString(keyOf(object));
  return key.replace(/^default\//, '');
}

/** Returns the name that the timeline uses for an object: `configmaps/default/a`. */
export function rowName(name: string): string {
  return `configmaps/${name.includes('/') ? '' : 'default/'}${name}`;
}

/** Returns the name of an object, in the format of {@link nameOf}. */
export function nameOfObject(object: ConfigMap): string {
  return keyToString(keyOf(object)).replace(/^default\//, '');
}

/** Describes the object of a notification for a message: its name and its version, if the version is known. */
export function describe(what: Notification): string {
  const object = what.type === 'update' ? what.current : what.object;
  return object instanceof DeletedFinalStateUnknown
    ? `${nameOf(what)} (final state unknown)`
    : version(object);
}

/** Returns the name of a handler for a sentence: `handler "late"`. */
export function named(handler: HandlerName): string {
  return `handler "${handler}"`;
}

/** The name of each kind of request in messages. */
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

/** Returns whether a notification is about this version of the object. */
export function isAbout(what: Notification, { metadata }: ConfigMap): boolean {
  const object = what.type === 'update' ? what.current : what.object;
  if (object instanceof DeletedFinalStateUnknown) return false;
  return object.metadata.uid === metadata.uid && object.metadata.resourceVersion === metadata.resourceVersion;
}
