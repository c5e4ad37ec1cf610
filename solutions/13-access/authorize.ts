import { type Attributes, aggregated, allowedBy, type Decision, MASTERS } from '#given/13-access';
import type { ObjectCache } from '#harness';
import { ruleAllows, rulesFor } from './rules.ts';

/** Decides about requests of some kind, or has no opinion. */
export type Authorizer = (attributes: Attributes) => Decision;

/** Allows a request if the user has a rule for it. */
export function authorizeByRoles(attributes: Attributes, cache: ObjectCache): Decision {
  const errors: string[] = [];
  const { user, isResourceRequest, namespace } = attributes;
  // A path is in no namespace.
  for (const found of rulesFor(user, isResourceRequest ? namespace : '', cache)) {
    if ('error' in found) errors.push(found.error);
    else if (ruleAllows(found.rule, attributes)) {
      return { verdict: 'allow', reason: allowedBy(found.binding, found.subject) };
    }
  }
  // A missing role grants nothing, but the request may still be allowed elsewhere.
  if (errors.length === 0) return { verdict: 'no opinion' };
  return { verdict: 'no opinion', reason: `RBAC: ${aggregated(errors)}` };
}

/** Asks the authorizers one after the other until one decides. */
export function authorize(attributes: Attributes, authorizers: readonly Authorizer[]): Decision {
  if (attributes.user.groups.includes(MASTERS)) return { verdict: 'allow' };
  const reasons: string[] = [];
  const errors: string[] = [];
  for (const authorizer of authorizers) {
    const decision = authorizer(attributes);
    if (decision.verdict !== 'no opinion') return decision;
    if (decision.reason) reasons.push(decision.reason);
    if (decision.error) errors.push(decision.error);
  }
  return {
    verdict: 'no opinion',
    ...(reasons.length > 0 ? { reason: reasons.join('\n') } : {}),
    ...(errors.length > 0 ? { error: aggregated(errors) } : {}),
  };
}
