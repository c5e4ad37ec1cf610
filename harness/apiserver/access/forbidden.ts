import { quote } from '../../api/names.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { Attributes } from '../../contracts/access/index.ts';

/**
 * Returns the failure of a request that its user may not send. Its message names the user and the request, never whether
 * the object exists.
 *
 * @example
 * `pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"`
 *
 * @param reason - the reason of the authorizers, if they have one: it follows the message
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/errors.go ForbiddenStatusError
 */
export function forbidden(attributes: Attributes, reason = ''): StatusError {
  const { apiGroup, resource, name } = attributes;
  const message = sanitized(sentence(attributes)) + (reason && `: ${reason}`);
  if (!attributes.isResourceRequest) {
    return new StatusError(failure('Forbidden', `forbidden: ${message}`, {}));
  }
  return errors.forbidden({ group: apiGroup, plural: resource }, name, message);
}

function sentence({ user, verb, isResourceRequest, path, ...asked }: Attributes): string {
  const start = `User ${quote(user.name)} cannot ${verb}`;
  if (!isResourceRequest) return `${start} path ${quote(path)}`;
  const resource = asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource;
  const scope = asked.namespace ? `in the namespace ${quote(asked.namespace)}` : 'at the cluster scope';
  return `${start} resource ${quote(resource)} in API group ${quote(asked.apiGroup)} ${scope}`;
}

/** Escapes characters that would make a message look like HTML. Upstream: sanitizer */
const sanitized = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
