import { parseSelector } from '../../api/field-selector.ts';
import type { Attributes, User } from '../../contracts/access/index.ts';

const PREFIX = 'system:node:';

/**
 * Returns the name of the node that a user is; undefined if the user is not a node. A node is in the group
 * `system:nodes`, too.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/auth/nodeidentifier/default.go NodeIdentity
 */
export function nodeOf({ name, groups }: User): string | undefined {
  return name.startsWith(PREFIX) && groups.includes('system:nodes') ? name.slice(PREFIX.length) : undefined;
}

/** Returns whether a list or a watch selects only the pods of one node: `spec.nodeName=node-1`. */
export function selectsPodsOf(node: string, { fieldSelector = '' }: Attributes): boolean {
  try {
    return parseSelector(fieldSelector).requiresExactMatch('spec.nodeName') === node;
  } catch {
    // An invalid selector counts as none. The request fails later, when it is decoded.
    return false;
  }
}
