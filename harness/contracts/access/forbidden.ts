import { failure, StatusError } from '../../api/status.ts';
import type { Attributes } from './attributes.ts';

/**
 * Returns the 403 for a request.
 *
 *     pods "web" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "default"
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/errors.go Forbidden, forbiddenMessage
 *
 * @param reason - why, if an authorizer says so
 */
export function forbidden(attributes: Attributes, reason = ''): StatusError {
  const { user, verb, isResourceRequest, path, apiGroup, namespace, resource, subresource, name } =
    attributes;
  const because = reason ? `: ${reason}` : '';
  const who = `User "${user.name}" cannot ${verb}`;
  if (!isResourceRequest) {
    const message = `forbidden: ${escaped(`${who} path "${path}"`)}${because}`;
    return new StatusError({ ...failure('Forbidden', message), details: {} });
  }
  const whole = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
  const what = escaped(`${who} resource "${whole}" in API group "${apiGroup}" ${where}`);
  const about = `${apiGroup ? `${resource}.${apiGroup}` : resource}${name ? ` "${name}"` : ''}`;
  const details = { ...(name && { name }), ...(apiGroup && { group: apiGroup }), kind: resource };
  return new StatusError(failure('Forbidden', `${about} is forbidden: ${what}${because}`, details));
}

/** Upstream: the same file, sanitizer: browsers must not find markup in a message. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
