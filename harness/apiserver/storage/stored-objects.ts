import { deepEqual, freezeObject } from '../../api/freeze.ts';
import { isValidPathSegmentName } from '../../api/names.ts';
import type { KubeObject, List } from '../../api/objects.ts';
import { errors, type StatusError } from '../../api/status.ts';
import { INITIAL_EVENTS_END, type WatchEvent } from '../../api/watch-event.ts';
import type {
  KeyRange,
  KeyValue,
  ObjectPlace,
  ObjectStoreContext,
  StorePreconditions,
} from '../../contracts/store/index.ts';
import { prefixRange } from '../../contracts/store/ranges.ts';
import { encodeContinue, expiredContinue } from '../verbs/continue-token.ts';

/** The resource of an object store. */
export type StoredResource = ObjectStoreContext['resource'];

/**
 * Returns the key of an object: `/registry/configmaps/default/a`.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go NamespaceKeyFunc
 *
 * @throws StatusError BadRequest when a name is empty, contains a slash, or is `.` or `..`: it would be another key
 */
export function keyIn(prefix: string, { namespace, name }: ObjectPlace): string {
  return `${prefix}${segment(namespace, 'Namespace')}/${segment(name, 'Name')}`;
}

/** Returns the range of all objects, or of those in a namespace. @throws StatusError BadRequest as {@link keyIn} */
export function rangeIn(prefix: string, namespace: string | undefined): Required<KeyRange> {
  return prefixRange(namespace === undefined ? prefix : `${prefix}${segment(namespace, 'Namespace')}/`);
}

function segment(text: string, what: string): string {
  if (!text) throw errors.badRequest(`${what} parameter required.`);
  const problems = isValidPathSegmentName(text);
  if (problems.length === 0) return text;
  throw errors.badRequest(`${what} parameter invalid: ${JSON.stringify(text)}: ${problems.join(';')}`);
}

/** Returns the value of an object: JSON, without its resourceVersion. */
export function encode({ metadata, ...rest }: KubeObject): string {
  const { resourceVersion: _, ...stored } = metadata;
  return JSON.stringify({ ...rest, metadata: stored });
}

/** Returns the object in a value. Its resourceVersion is the revision of its last write. */
export function decode({ value, modRevision }: Pick<KeyValue, 'value' | 'modRevision'>): KubeObject {
  return atRevision(JSON.parse(value) as KubeObject, modRevision);
}

/** Returns a copy of an object with another resourceVersion. */
export function atRevision(object: KubeObject, revision: number): KubeObject {
  return freezeObject({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}

/** Returns whether two states of an object are equal, apart from their resourceVersions. */
export function isSameState(one: KubeObject, other: KubeObject): boolean {
  return deepEqual(atRevision(one, 0), atRevision(other, 0));
}

/** Creates the errors about the objects of a resource. */
export class ObjectErrors {
  readonly #resource: { readonly group: string; readonly plural: string };
  readonly #prefix: string;

  constructor({ resource, prefix }: Pick<ObjectStoreContext, 'resource' | 'prefix'>) {
    const { apiVersion, plural } = resource;
    this.#resource = { group: apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '', plural };
    this.#prefix = prefix;
  }

  notFound({ name }: ObjectPlace): StatusError {
    return errors.notFound(this.#resource, name);
  }

  alreadyExists({ name }: ObjectPlace): StatusError {
    return errors.alreadyExists(this.#resource, name);
  }

  /**
   * Checks the preconditions of a write against the state of its object.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/interfaces.go Preconditions.Check, errors.go StorageError
   *
   * @throws StatusError Conflict when one does not hold
   */
  mustFulfil({ metadata }: KubeObject, { uid, resourceVersion }: StorePreconditions): void {
    const { namespace = '', name } = metadata;
    const check = (field: string, wanted: string | undefined, found: string): void => {
      if (wanted === undefined || wanted === found) return;
      const why = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`;
      const key = keyIn(this.#prefix, { namespace, name });
      throw errors.conflict(
        this.#resource,
        name,
        `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
      );
    };
    check('UID', uid, metadata.uid);
    check('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }

  /** A list at a compacted revision. @param start - the key in the continue token, if the list has one */
  expiredList(start?: string): StatusError {
    if (start !== undefined) return expiredContinue(start);
    return errors.expired('The resourceVersion for the provided list is too old.');
  }
}

/** A page of objects, before it becomes a list. */
export interface Page {
  readonly items: readonly KubeObject[];
  readonly revision: number;
  /** The key of the next page, if there is one, without the prefix of the range. */
  readonly next?: string | undefined;
  /** The number of objects after the page, if it is known. */
  readonly remaining?: number | undefined;
}

/** Returns a page as a list, with its continue token. */
export function listOf(
  { apiVersion, kind }: StoredResource,
  { items, revision, next, remaining }: Page,
): List<KubeObject> {
  return freezeObject({
    apiVersion,
    kind: `${kind}List`,
    metadata: {
      resourceVersion: String(revision),
      ...(next !== undefined && { continue: encodeContinue({ revision, start: next }) }),
      ...(next !== undefined && remaining !== undefined && { remainingItemCount: remaining }),
    },
    items: [...items],
  });
}

/** Returns the event of a bookmark. @param isInitialEnd - whether it ends the initial events */
export function bookmarkOf(
  { apiVersion, kind }: StoredResource,
  revision: number,
  isInitialEnd = false,
): WatchEvent {
  const annotations = isInitialEnd && { annotations: { [INITIAL_EVENTS_END]: 'true' } };
  const metadata = { resourceVersion: String(revision), ...annotations };
  return { type: 'BOOKMARK', object: freezeObject({ apiVersion, kind, metadata }) };
}
