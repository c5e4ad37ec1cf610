import type * as rbac from '#api/rbac/v1';

/**
 * A rule of a role in short: what may be done, to which resources or URLs, of which groups (the core group, `core`, by default), and
 * with which names (any by default). Words are parted by blanks.
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

/** The rules in full. */
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
