import { quote } from '../../api/names.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { Attributes } from './attributes.ts';

/**
 * Returns the 403 for a request. Its message names the user and the request, never whether the object exists.
 *
 *     pods "web" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "default"
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/errors.go ForbiddenStatusError
 *
 * @param reason - why, if an authorizer says so
 */
export function forbidden(attributes: Attributes, reason = ''): StatusError {
  const { isResourceRequest, apiGroup, resource, name } = attributes;
  const message = escaped(sentence(attributes)) + (reason && `: ${reason}`);
  return isResourceRequest
    ? errors.forbidden({ group: apiGroup, plural: resource }, name, message)
    : new StatusError(failure('Forbidden', `forbidden: ${message}`, {}));
}

function sentence({ user, verb, isResourceRequest, path, ...asked }: Attributes): string {
  const start = `User ${quote(user.name)} cannot ${verb}`;
  if (!isResourceRequest) return `${start} path ${quote(path)}`;
  const { apiGroup, namespace, resource, subresource } = asked;
  const whole = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace ${quote(namespace)}` : 'at the cluster scope';
  return `${start} resource ${quote(whole)} in API group ${quote(apiGroup)} ${where}`;
}

/** Upstream: the same file, sanitizer: browsers must not find markup in a message. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
