import type { KubeObject, ObjectKey, ObjectMeta } from '../../api/objects.ts';
import { errors } from '../../api/status.ts';
import type { PatchOptions } from '../../contracts/client.ts';
import { applied, nameOf } from '../apply/field-manager.ts';
import { scopeOf } from '../apply/field-scope.ts';
import { asVersioned } from '../custom/custom-version.ts';
import { decodeApplied } from '../decode.ts';
import type { Eventually } from '../eventually.ts';
import type { Kind } from '../kind.ts';
import type { Json, JsonObject } from '../patch/json-value.ts';
import type { Warned } from './owner-references.ts';
import { placedAt } from './placed.ts';
import { type Registry, writeBy } from './registry.ts';
import { createByUpdate, replaceFrom, replacePartFrom, replaceStatusFrom } from './update.ts';

/**
 * Implements server-side apply: sets the fields in a manager's configuration. Creates the object if it does not exist.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go applyPatcher
 *
 * @throws StatusError NotFound (the subresource of a missing object), BadRequest, Conflict, Invalid
 */
export function apply<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  key: ObjectKey,
  config: unknown,
  options: PatchOptions & Warned,
): Eventually<T> {
  const { resource } = kind;
  const { force = false, subresource = 'object' } = options;
  const old = registry.storage.get(resource, key) as T | undefined;
  if (!old && subresource !== 'object') throw errors.notFound(resource, key.name);
  const write = replaces[subresource as keyof typeof replaces];
  const scope = scopeOf(kind, subresource === 'object' ? '' : (subresource as 'status'));
  const live = (old ? asVersioned(kind, old) : scope.empty) as unknown as JsonObject;
  const sent = { config: config as Json, force, ...writeBy(registry, options) };
  const next = applied(scope, live, sent);
  const object = decodeApplied<T>(resource, next, nameOf(next));
  if (old) return write(registry, kind, placedAt(key, object), old, options);
  const { uid } = object.metadata as Partial<ObjectMeta>;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw errors.conflict(resource, key.name, why);
  }
  return createByUpdate(registry, kind, placedAt(key, object), options);
}

/** The functions that write the result, by the applied subresource. */
const replaces = {
  object: replaceFrom,
  status: replaceStatusFrom,
  ephemeralcontainers: replacePartFrom('ephemeralcontainers'),
  approval: replacePartFrom('approval'),
} as const;
