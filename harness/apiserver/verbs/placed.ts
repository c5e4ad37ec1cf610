import type { ObjectKey } from '../../api/objects.ts';
import { errors } from '../../api/status.ts';

/** What an object says of where it stands. */
interface Placed {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

/**
 * The object that was sent for a key, in the namespace of that key: one that names no namespace is put there, and
 * what is in none loses what it says of one.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace,
 * pkg/endpoints/handlers/rest.go checkName
 *
 * @throws StatusError BadRequest if it says another namespace, another name, or no name
 */
export function placedAt<T extends Placed>({ namespace, name }: ObjectKey, object: T): T {
  const placed = inNamespace(namespace, object);
  const { name: said } = object.metadata;
  if (!said) {
    throw errors.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (said !== name) {
    throw errors.badRequest(`the name of the object (${said}) does not match the name on the URL (${name})`);
  }
  return placed;
}

/** {@link placedAt}, where the key has no name yet. @param namespace absent where the kind has none */
export function inNamespace<T extends Placed>(namespace: string | undefined, object: T): T {
  const { namespace: said, ...metadata } = object.metadata;
  if (said === namespace) return object;
  if (namespace === undefined) return { ...object, metadata };
  if (said) {
    throw errors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  return { ...object, metadata: { ...metadata, namespace } };
}
