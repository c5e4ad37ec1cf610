import type * as rbac from '#api/rbac/v1';

/**
 * The short form of a policy rule: verbs, resources or URLs, API groups (`core` for the core group) and resource names
 * (default: any). Words are separated by spaces.
 */
export type RuleRow = readonly [verbs: string, resources: string, groups?: string, resourceNames?: string];

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go Read */
export const READ = 'get list watch';

/** Upstream: policy.go Write */
export const WRITE = 'create delete deletecollection patch update';

/** Upstream: policy.go ReadWrite */
export const READ_WRITE = 'create delete deletecollection get list patch update watch';

/** Upstream: controller_policy.go eventsRule */
export const EVENTS: RuleRow = ['create patch update', 'events', 'core events.k8s.io'];

/** Expands short rules. */
export function policyRules(rows: readonly RuleRow[]): rbac.PolicyRule[] {
  return rows.map(([verbs, what, groups = 'core', resourceNames]) => {
    const resources = words(what);
    if (resources[0]?.startsWith('/')) return { nonResourceURLs: resources, verbs: words(verbs) };
    return {
      apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
      ...(resourceNames === undefined ? {} : { resourceNames: words(resourceNames) }),
      resources,
      verbs: words(verbs),
    };
  });
}

const words = (text: string): string[] => text.trim().split(/\s+/);
