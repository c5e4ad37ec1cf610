import type { ObjectKey } from '../../api/objects.ts';
import { errors } from '../../api/status.ts';

/** The name and namespace in an object. */
interface Placed {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

/**
 * Moves an object into the namespace of its key. An object without a namespace gets that of the key; a cluster-scoped
 * object loses its namespace.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace,
 * pkg/endpoints/handlers/rest.go checkName
 *
 * @throws StatusError BadRequest if the object has another namespace, another name, or no name
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

/** Like {@link placedAt}, for a key without a name. @param namespace - undefined for a cluster-scoped kind */
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
