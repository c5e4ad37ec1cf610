import { type CustomResourceDefinition, type KubeObject, keyOf, keyToString } from '../api/objects.ts';
import { customResourceDefinitions } from '../api/plain-resources.ts';
import { groupResource, groupVersion, type Resource, resources } from '../api/resource.ts';
import { resourcesOf } from '../apiserver/custom/custom-resources.ts';
import { decode } from '../apiserver/decode.ts';
import type { Kind } from '../apiserver/kind.ts';
import { kinds } from '../apiserver/kinds/index.ts';
import type { ObjectWrites } from '../apiserver/storage/object-writes.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import { validatePlainObjectMeta } from '../apiserver/validation/object-meta.ts';
import { kindsByResource } from '../apiserver/verbs/registry.ts';
import { mustBeValid } from '../apiserver/verbs/store.ts';

/** An object, and the resource that it is stored as. */
export interface StoredObject {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** The first and the last line of a saved state. Between them, each line is an object. */
const FIRST = '{"apiVersion":"v1","kind":"List","items":[\n';
const LAST = '\n]}\n';

/**
 * Returns the text of a saved state, in pieces: every object of a cluster, in order of its last write. It is a List in
 * JSON, so kubectl can read it, too. Each object is on its own line, because a string cannot hold the text of a large
 * cluster.
 *
 * @param further - objects that are in the file, but not in the cluster
 *
 * Differs: a real cluster that restarts also keeps the disks and containers of its nodes.
 */
export function* savedState(storage: Storage, further: readonly KubeObject[] = []): Generator<string> {
  const revision = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);
  const items = [...storage.everything().map(({ object }) => object), ...further];
  let before = FIRST;
  for (const item of items.sort((a, b) => revision(a) - revision(b))) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield (before === FIRST ? FIRST : '') + LAST;
}

/**
 * Reads a saved state, in order. The objects keep their uids and times; storage assigns new revisions.
 *
 * @param bytes the content of the file: a saved state, or another List in JSON whose objects have been in a cluster
 * @throws Error when the state is not valid; the message names the item
 */
export function readSavedState(bytes: Uint8Array): readonly StoredObject[] {
  const items = itemsOf(bytes);
  const isServed = (each: Resource, item: Partial<KubeObject> | null): boolean =>
    each.kind === item?.kind && groupVersion(each) === item.apiVersion;
  const read = (item: Partial<KubeObject> | null, index: number, resource: Resource): StoredObject => {
    try {
      return { resource, object: stored(resource, item) };
    } catch (error) {
      throw new Error(`item ${index}: ${(error as Error).message}`, { cause: error });
    }
  };
  const builtIn = items.map((item, index) => {
    const resource = resources.find((each) => isServed(each, item));
    return resource && read(item, index, resource);
  });
  // An object of a custom resource can only be read once its definition has been.
  const custom = builtIn.flatMap((found) =>
    found?.resource.kind === customResourceDefinitions.kind
      ? resourcesOf(found.object as CustomResourceDefinition)
      : [],
  );
  const seen = new Set<string>();
  return builtIn.map((found, index) => {
    const item = items[index] ?? null;
    const resource = found?.resource ?? custom.find((each) => isServed(each, item));
    if (!resource) throw new Error(`item ${index} has an unknown kind: ${item?.apiVersion} ${item?.kind}`);
    const { object } = found ?? read(item, index, resource);
    const key = keyToString(keyOf(object));
    const name = `${groupResource(resource)} ${key}`;
    if (seen.has(name)) throw new Error(`item ${index} is a second ${resource.kind} ${key}`);
    seen.add(name);
    return { resource, object };
  });
}

/** Writes saved objects to an empty storage. */
export async function restore(writes: ObjectWrites, objects: readonly StoredObject[]): Promise<void> {
  for (const { resource, object } of objects) await writes.create(resource, object);
}

/** Parses a saved state line by line, and any other text at once. */
function itemsOf(bytes: Uint8Array): readonly (Partial<KubeObject> | null)[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isOwn =
    text.subarray(0, FIRST.length).equals(Buffer.from(FIRST)) &&
    text.subarray(-LAST.length).equals(Buffer.from(LAST));
  if (!isOwn) {
    // Editors on Windows begin a file with a byte order mark, which TextDecoder drops.
    const { kind, items } = (JSON.parse(new TextDecoder().decode(bytes)) ?? {}) as {
      readonly kind?: unknown;
      readonly items?: unknown;
    };
    if (kind !== 'List' || !Array.isArray(items)) throw new Error('it is not a List with items');
    return items;
  }
  const found: Partial<KubeObject>[] = [];
  const end = text.length - LAST.length;
  for (let at = FIRST.length; at < end; ) {
    const newline = text.indexOf('\n', at);
    const to = newline < end ? newline - 1 : end;
    found.push(JSON.parse(text.toString('utf8', at, to)));
    at = to + 2;
  }
  return found;
}

const kindOf = kindsByResource(kinds);

/**
 * Decodes, defaults and validates an object as an update that changes nothing. An apiserver does not validate objects
 * from etcd, but people edit this file.
 */
function stored(resource: Resource, item: unknown): KubeObject {
  const kind: Kind = kindOf(resource);
  const { object: decoded } = decode<KubeObject>(resource, item, { fieldValidation: 'Strict' });
  const { uid, name } = decoded.metadata ?? {};
  if (!uid) throw new Error('it has no metadata.uid, so it never was in a cluster');
  const object = kind.setDefaults(decoded);
  const { namespaced } = resource;
  mustBeValid(
    resource,
    name,
    validatePlainObjectMeta(object.metadata, { namespaced, validateName: kind.validateName }),
  );
  // A copy: kinds trust the parts that both objects share.
  mustBeValid(resource, name, kind.validateUpdate(object, structuredClone(object)));
  return object;
}
